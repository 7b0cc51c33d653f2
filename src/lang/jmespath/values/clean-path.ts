/** The shortest equivalent of a slash-separated path; an empty one stays empty. SPEC: path/filepath `Join`, `Clean`. */
export function cleanPath(path: string): string {
  if (path === "") return "";
  const rooted = path.startsWith("/");
  const kept: string[] = [];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    const canGoUp = kept.length > 0 && kept.at(-1) !== "..";
    if (step !== "..") kept.push(step);
    else if (canGoUp) kept.pop();
    else if (!rooted) kept.push(step);
  }
  const joined = kept.join("/");
  if (rooted) return `/${joined}`;
  return joined === "" ? "." : joined;
}
