/**
 * Standard base64 on bytes, with Go's errors: where the first byte stands that does not belong there. Line breaks are
 * skipped; bits that are left over are not looked at.
 * SPEC: encoding/base64 `StdEncoding`, `decodeQuantum`.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PAD = 0x3d;

export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += ALPHABET.charAt(bits >> 18) + ALPHABET.charAt((bits >> 12) & 63);
    text += left > 1 ? ALPHABET.charAt((bits >> 6) & 63) : "=";
    text += left > 2 ? ALPHABET.charAt(bits & 63) : "=";
  }
  return text;
}

/** The bytes, or where the text is wrong, counted in bytes. */
export function decodeBase64Bytes(source: Uint8Array): Uint8Array | number {
  const bytes: number[] = [];
  let at = 0;
  while (true) {
    at = skipBreaks(source, at);
    if (at === source.length) return Uint8Array.from(bytes);
    const quantum = readQuantum(source, at);
    if (typeof quantum === "number") return quantum;
    bytes.push(...quantum.bytes);
    at = quantum.next;
  }
}

type Quantum = { readonly bytes: readonly number[]; readonly next: number };

/** Up to four letters. */
function readQuantum(source: Uint8Array, from: number): Quantum | number {
  const letters: number[] = [];
  let at = from;
  while (letters.length < 4) {
    at = skipBreaks(source, at);
    if (at === source.length) return at - letters.length;
    const byte = source[at] ?? 0;
    const letter = ALPHABET.indexOf(String.fromCharCode(byte));
    if (letter === -1) return byte === PAD ? readPadding(source, at, letters) : at;
    letters.push(letter);
    at++;
  }
  return { bytes: packed(letters), next: at };
}

/** @param at the first `=` */
function readPadding(source: Uint8Array, at: number, letters: readonly number[]): Quantum | number {
  if (letters.length < 2) return at;
  let next = at + 1;
  if (letters.length === 2) {
    next = skipBreaks(source, next);
    if (next === source.length) return source.length;
    if (source[next] !== PAD) return next - 1;
    next++;
  }
  next = skipBreaks(source, next);
  return next < source.length ? next : { bytes: packed(letters), next };
}

function skipBreaks(source: Uint8Array, from: number): number {
  let at = from;
  while (source[at] === 0x0a || source[at] === 0x0d) at++;
  return at;
}

function packed(letters: readonly number[]): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = letters;
  const bits = (a << 18) | (b << 12) | (c << 6) | d;
  return [bits >> 16, (bits >> 8) & 0xff, bits & 0xff].slice(0, letters.length - 1);
}
