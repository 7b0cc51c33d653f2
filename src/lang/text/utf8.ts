/** Lengths in bytes, because that is what Go's `len` counts and Kubernetes' limits are written in. */

/** Bytes of the text in UTF-8; a lone surrogate counts as U+FFFD, three bytes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) ?? 0;
    if (code > 0xffff) i++;
    bytes += bytesOf(code);
  }
  return bytes;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}
