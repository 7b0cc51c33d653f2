/**
 * Slash paths as Go cleans them. Only references need them.
 * SPEC: Go 1.26 path.Clean.
 */

/** The shortest rooted path that means the same: no empty steps, no `.`, no `..` that can be walked. */
export function cleanPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}
