/**
 * Standard base64 to the UTF-8 text that it carries. The pure rings have no Buffer and no atob; line feeds are
 * skipped, as Go's decoder skips them; bytes that are not UTF-8 become U+FFFD, as they do on their way into JSON.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** `undefined` where the text is not base64 with its padding. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const packed = text.replaceAll("\n", "").replaceAll("\r", "");
  const match = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(packed);
  if (match === null || packed.length % 4 !== 0) return undefined;
  const body = match[1] ?? "";
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let filled = 0;
  for (const letter of body) {
    bits = ((bits << 6) | ALPHABET.indexOf(letter)) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[filled++] = (bits >> held) & 0xff;
  }
  return bytes;
}

export function decodeBase64Text(text: string): string | undefined {
  const bytes = decodeBase64(text);
  return bytes === undefined ? undefined : decodeUtf8(bytes);
}

/** Each byte that does not belong to a well-formed sequence becomes one U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? "\ufffd" : String.fromCodePoint(codePoint(bytes, at, length));
    at += Math.max(length, 1);
  }
  return text;
}

/** Of the well-formed sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const length = lengthByFirst(bytes[at] ?? 0);
  if (at + length > bytes.length) return 0;
  for (let index = 1; index < length; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  const point = codePoint(bytes, at, length);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point < (SMALLEST[length] ?? 0) || point > 0x10ffff || isSurrogate ? 0 : length;
}

/** The smallest code point that needs a sequence of this length: shorter ones must not be written longer. */
const SMALLEST = [0, 0, 0x80, 0x800, 0x10000];

function lengthByFirst(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  let point = length === 1 ? first : first & (0xff >> (length + 1));
  for (let index = 1; index < length; index++) point = (point << 6) | ((bytes[at + index] ?? 0) & 0x3f);
  return point;
}
