/**
 * Wildcards as policies write them: `*` is any run of characters, `?` exactly one (a character, not a UTF-16 unit);
 * everything else, the backslash included, stands for itself. There is no escape. The empty pattern matches only the
 * empty text. Compiled forms answer the common shapes with one string operation.
 * SPEC: IGLOU-EU/go-wildcard v1.0.3 `Match`, which Kyverno 1.19 uses everywhere.
 */

export type TextTest = (text: string) => boolean;

/** Whether `pattern` can match anything but itself. */
export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*") || pattern.includes("?");
}

/** Whether `text` as a whole matches; for patterns that are used more than once, `compileWildcard` is cheaper. */
export function matchWildcard(pattern: string, text: string): boolean {
  return hasWildcard(pattern) ? matchParts(pattern, text) : pattern === text;
}

/** PERF: exact, `*`, `?*`, `x*`, `*x` and `*x*` need no walk over the pattern. Nothing is allocated by a test. */
export function compileWildcard(pattern: string): TextTest {
  if (!hasWildcard(pattern)) return (text) => text === pattern;
  return compileStars(pattern) ?? ((text) => matchParts(pattern, text));
}

function compileStars(pattern: string): TextTest | undefined {
  let first = 0;
  while (pattern.charCodeAt(first) === STAR) first++;
  if (first === pattern.length) return () => true;
  let last = pattern.length;
  while (pattern.charCodeAt(last - 1) === STAR) last--;
  const middle = pattern.slice(first, last);
  if (middle === "?" && (first > 0 || last < pattern.length)) return (text) => text !== "";
  if (hasWildcard(middle)) return undefined;
  if (first === 0) return (text) => text.startsWith(middle);
  if (last === pattern.length) return (text) => text.endsWith(middle);
  return (text) => text.includes(middle);
}

/** Walks both once, going back to the last star on a mismatch: at most length times length steps. */
function matchParts(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const wanted = pattern.charCodeAt(p);
    if (wanted === STAR) {
      star = p++;
      resume = t;
    } else if (wanted === QUESTION) {
      p++;
      t += unitsAt(text, t);
    } else if (wanted === text.charCodeAt(t)) {
      p++;
      t++;
    } else if (star === -1) {
      return false;
    } else {
      p = star + 1;
      resume += unitsAt(text, resume);
      t = resume;
    }
  }
  while (pattern.charCodeAt(p) === STAR) p++;
  return p === pattern.length;
}

const STAR = 0x2a;
const QUESTION = 0x3f;

/** UTF-16 units of the character that starts at `index`. */
function unitsAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}
