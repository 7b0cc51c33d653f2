/** Offsets to lines and columns, on demand: nothing is computed for a document about which there is nothing to say. */
import type { Position, Span } from "#diag";

/** @param offset UTF-16 units from the start of `text`; the result counts lines and columns from 1 */
export function positionAt(text: string, offset: number): Position {
  const end = Math.max(0, Math.min(offset, text.length));
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < end; next = text.indexOf("\n", lineStart)) {
    line++;
    lineStart = next + 1;
  }
  return { line, column: end - lineStart + 1, offset: end };
}

export function spanAt(text: string, start: number, end: number): Span {
  return { start: positionAt(text, start), end: positionAt(text, Math.max(start, end)) };
}
