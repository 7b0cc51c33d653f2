/**
 * Bugs are loud. `invariant` states what must be true whatever the input; when it is not, the fault is ours and no
 * caller is meant to handle it.
 */
export class Bug extends Error {
  override readonly name = "Bug";
}

export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Bug(`invariant broken: ${message}`);
}

/** Ends an exhaustive `switch`: a new member of the union is a compile error here. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable value: ${String(value)}`);
}
