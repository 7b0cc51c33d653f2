/**
 * UTF-8 where Go counts or hashes bytes and JavaScript has UTF-16 units. The pure rings have no TextEncoder. A lone
 * surrogate, which no Go string can hold, counts as U+FFFD.
 */

/** Bytes that the first `end` units of `text` take. */
export function bytesBefore(text: string, end: number): number {
  let bytes = 0;
  for (let at = 0; at < end; at++) bytes += unitBytes(text, at);
  return bytes;
}

/** A pair's four bytes are counted at its first unit. */
function unitBytes(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit >= 0xdc00 && unit <= 0xdfff && isHigh(text.charCodeAt(at - 1))) return 0;
  return isHigh(unit) && isLow(text.charCodeAt(at + 1)) ? 4 : 3;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(bytesBefore(text, text.length));
  let filled = 0;
  for (const character of text) {
    const given = character.codePointAt(0) ?? 0;
    const code = given >= 0xd800 && given <= 0xdfff ? 0xfffd : given;
    filled = putCodePoint(bytes, filled, code);
  }
  return bytes;
}

function putCodePoint(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  bytes[at] = ((0xf00 >> (more + 1)) & 0xff) | (code >> (6 * more));
  for (let left = more - 1; left >= 0; left--) bytes[at + more - left] = 0x80 | ((code >> (6 * left)) & 0x3f);
  return at + more + 1;
}
