/**
 * References in messages, `$(../pattern/spec/x)`, name places from the rule on: when the pattern moves, so do they.
 * SPEC: pkg/engine/variables FindAndShiftReferences of Kyverno 1.19.
 */

/**
 * `message` with `shift` put in behind `pivot` in every reference that has it.
 * @param pivot the key of the check; below `anyPattern` the index comes first
 */
export function shiftReferences(message: string, shift: string, pivot: string): string {
  if (!message.includes("$(")) return message;
  return message
    .split(" ")
    .map((word) => shiftWord(word, shift, pivot))
    .join(" ");
}

/** A reference has no blanks and ends with the word's last parenthesis. */
function shiftWord(word: string, shift: string, pivot: string): string {
  const start = word.indexOf("$(");
  const end = word.lastIndexOf(")");
  if (start < 0 || end < start || word.charAt(start - 1) === "\\") return word;
  const found = word.indexOf(pivot, start);
  if (found < 0 || found > end) return word;
  const after = found + pivot.length;
  const place = pivot === "anyPattern" ? endOfStep(word, after + 1, end) : after;
  return `${word.slice(0, place)}/${shift}${word.slice(place)}`;
}

function endOfStep(word: string, from: number, end: number): number {
  const slash = word.indexOf("/", from);
  return slash < 0 || slash > end ? end : slash;
}
