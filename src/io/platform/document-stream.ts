/**
 * Cuts a stream of text into whole YAML documents without ever holding the file: memory does not grow with the number
 * of documents, and a document that is too large to be read is passed over, not kept.
 *
 * INVARIANT: pieces are cut only before a line that begins with `---`, which YAML allows in no scalar; the pieces of a
 * file, joined, are its text (oversized documents aside).
 */
import { readTextChunks } from "./text-source.ts";

/** Text of one document, or of several that are divided by other means than `---`. */
export type DocumentText = {
  readonly file: string;
  /** Empty where `oversized`. */
  readonly text: string;
  /** Lines of the file before `text`; counted on call, for diagnostics only. */
  readonly linesBefore: () => number;
  /** UTF-16 units of the file before `text`. */
  readonly offset: number;
  /** The document passes `maxLength` and was not kept. */
  readonly oversized: boolean;
};

/**
 * The documents of a file in order, as many at once as one read gave.
 * @param maxLength UTF-16 units that a document may have
 * @throws Fault `file/unreadable`
 */
export async function* readDocumentTexts(
  file: string,
  maxLength: number,
): AsyncGenerator<readonly DocumentText[]> {
  const cutter = new DocumentCutter(file, maxLength);
  for await (const chunk of readTextChunks(file)) {
    const documents = cutter.push(chunk);
    if (documents.length > 0) yield documents;
  }
  const last = cutter.end();
  if (last.length > 0) yield last;
}

/** Keeps what is not yet a whole document. */
export class DocumentCutter {
  readonly #file: string;
  readonly #maxLength: number;
  #kept = "";
  /** Where to search on in `#kept`: no marker begins before it. */
  #searched = 0;
  #lines = 0;
  #offset = 0;
  #skipping = false;

  constructor(file: string, maxLength: number) {
    this.#file = file;
    this.#maxLength = maxLength;
  }

  push(chunk: string): readonly DocumentText[] {
    this.#kept += chunk;
    const cuts = this.#findCuts();
    const documents = this.#cutAll(cuts);
    if (this.#kept.length > this.#maxLength) documents.push(...this.#passOver());
    return documents;
  }

  end(): readonly DocumentText[] {
    return this.#kept === "" || this.#skipping ? [] : this.#cutAll([this.#kept.length]);
  }

  /** Offsets in `#kept` at which a document begins; a marker at the very end waits for its next unit. */
  #findCuts(): number[] {
    const cuts: number[] = [];
    const text = this.#kept;
    let at = text.indexOf("\n---", this.#searched);
    while (at !== -1 && at + 4 < text.length) {
      if (isSpace(text.charCodeAt(at + 4)) && !followsDirective(text, at)) cuts.push(at + 1);
      at = text.indexOf("\n---", at + 4);
    }
    this.#searched = at === -1 ? Math.max(0, text.length - 4) : at;
    return cuts;
  }

  #cutAll(cuts: readonly number[]): DocumentText[] {
    const last = cuts.at(-1);
    if (last === undefined) return [];
    const text = this.#kept;
    const lines = new LineCounter(text, this.#lines);
    const documents: DocumentText[] = [];
    let start = 0;
    for (const cut of cuts) {
      const from = start;
      if (!this.#skipping) {
        documents.push({
          file: this.#file,
          text: text.slice(from, cut),
          linesBefore: () => lines.before(from),
          offset: this.#offset + from,
          oversized: cut - from > this.#maxLength,
        });
      }
      this.#skipping = false;
      start = cut;
    }
    this.#lines += countLines(text, 0, last);
    this.#offset += last;
    this.#kept = text.slice(last);
    this.#searched = Math.max(0, this.#searched - last);
    return documents;
  }

  /** Drops what was kept of a document that grew too large; the rest of it is dropped as it comes. */
  #passOver(): DocumentText[] {
    const lines = this.#lines;
    const offset = this.#offset;
    const keep = Math.min(this.#kept.length, 4);
    const dropped = this.#kept.length - keep;
    this.#lines += countLines(this.#kept, 0, dropped);
    this.#offset += dropped;
    this.#kept = this.#kept.slice(dropped);
    this.#searched = 0;
    if (this.#skipping) return [];
    this.#skipping = true;
    return [{ file: this.#file, text: "", linesBefore: () => lines, offset, oversized: true }];
  }
}

/** A `%YAML` line belongs to the document behind the marker that follows it. */
function followsDirective(text: string, lineEnd: number): boolean {
  return text.charCodeAt(text.lastIndexOf("\n", lineEnd - 1) + 1) === 0x25;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

function countLines(text: string, start: number, end: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Asked about places one behind the other, it counts each line once. */
class LineCounter {
  readonly #text: string;
  readonly #linesAtStart: number;
  #at = 0;
  #lines = 0;

  constructor(text: string, linesAtStart: number) {
    this.#text = text;
    this.#linesAtStart = linesAtStart;
  }

  before(offset: number): number {
    const from = offset < this.#at ? 0 : this.#at;
    this.#lines = (from === 0 ? 0 : this.#lines) + countLines(this.#text, from, offset);
    this.#at = offset;
    return this.#linesAtStart + this.#lines;
  }
}
