/** File name patterns as shells have them, one path segment at a time. They come from the user's own command line. */

/** Whether a path has a pattern in it at all. */
export function hasGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** `*` any units, `?` one, `[a-z]` and `[!a]` one of a set, `{a,b}` alternatives. */
export function compileGlobSegment(segment: string): (name: string) => boolean {
  const compiled = new RegExp(`^${globSource(segment)}$`, "u");
  return (name) => compiled.test(name);
}

function globSource(segment: string): string {
  return segment.replace(/\*+|\?|\[!?[^\]]+\]|\{[^{}]*\}|[\\^$+.()|[\]{}]/g, (part) => {
    if (part.startsWith("*")) return ".*";
    if (part === "?") return ".";
    if (part.length > 1 && part.startsWith("[")) return setSource(part);
    if (part.length > 1 && part.startsWith("{")) {
      return `(?:${part.slice(1, -1).split(",").map(globSource).join("|")})`;
    }
    return `\\${part}`;
  });
}

function setSource(part: string): string {
  const negated = part.startsWith("[!");
  const inner = part.slice(negated ? 2 : 1, -1).replace(/[\\^[\]]/g, String.raw`\$&`);
  return `[${negated ? "^" : ""}${inner}]`;
}
