/** Offsets to lines and columns, on demand: nothing is computed for a document about which there is nothing to say. */
import type { Position, Span } from "#diag";

/** @param offset UTF-16 units from the start of `text`; the result counts lines and columns from 1 */
export function positionAt(text: string, offset: number): Position {
  return new LineCounter(text).at(offset);
}

export function spanAt(text: string, start: number, end: number): Span {
  return new LineCounter(text).span(start, end);
}

/** Counts on from the last place that was asked for, so that many places of one file cost one pass in all. */
export class LineCounter {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): Position {
    const end = Math.max(0, Math.min(offset, this.#text.length));
    if (end < this.#lineStart) {
      this.#line = 1;
      this.#lineStart = 0;
    }
    let next = this.#text.indexOf("\n", this.#lineStart);
    while (next !== -1 && next < end) {
      this.#line++;
      this.#lineStart = next + 1;
      next = this.#text.indexOf("\n", this.#lineStart);
    }
    return { line: this.#line, column: end - this.#lineStart + 1, offset: end };
  }

  span(start: number, end: number): Span {
    return { start: this.at(start), end: this.at(Math.max(start, end)) };
  }
}
