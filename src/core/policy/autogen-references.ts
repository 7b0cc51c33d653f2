/**
 * References in messages, `$(../pattern/spec/x)`, name places from the rule on: when the pattern moves, so do they.
 * SPEC: pkg/engine/variables FindAndShiftReferences of Kyverno 1.19.
 */

/**
 * `message` with `shift` put in behind `pivot` in every reference that has it.
 * @param pivot the key of the check; below `anyPattern` the index comes first
 */
export function shiftReferences(message: string, shift: string, pivot: string): string {
  return message.replaceAll(/(?<!\\)\$\([^ ]*\)/g, (reference) => {
    const start = reference.indexOf(pivot);
    if (start < 0) return reference;
    let end = start + pivot.length;
    if (pivot === "anyPattern") end = endOfStep(reference, end + 1);
    return `${reference.slice(0, end)}/${shift}${reference.slice(end)}`;
  });
}

function endOfStep(reference: string, from: number): number {
  const slash = reference.indexOf("/", from);
  return slash < 0 ? reference.length - 1 : slash;
}
