/**
 * How MD5, SHA-1 and SHA-256 cut a message: blocks of 64 bytes, a one bit behind the last byte, the length in bits in
 * the last eight bytes. The pure rings have no node:crypto.
 * SPEC: RFC 1321 section 3, FIPS 180-4 section 5.
 */
export function padded(message: Uint8Array, littleEndian: boolean): DataView {
  const size = ((message.length + 8) >> 6) * 64 + 64;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  const low = (message.length << 3) >>> 0;
  const high = Math.floor(message.length / 2 ** 29);
  view.setUint32(size - (littleEndian ? 8 : 4), low, littleEndian);
  view.setUint32(size - (littleEndian ? 4 : 8), high, littleEndian);
  return view;
}

export function digestOf(words: readonly number[], littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  words.forEach((word, index) => view.setUint32(index * 4, word >>> 0, littleEndian));
  return bytes;
}

export function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
