/**
 * Go sorts map keys by their UTF-8 bytes, JavaScript sorts strings by UTF-16 units. The two differ only where a
 * surrogate pair meets a unit above U+DFFF; everything that Postern prints uses Go's order.
 */
export function compareKeys(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return byteRank(a) - byteRank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all others. */
function byteRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}

/** The own keys of `value` in Go's order. */
export function sortedKeys(value: object): string[] {
  return Object.keys(value).sort(compareKeys);
}
