/**
 * Cuts a file into its YAML documents before anything is parsed, so that a broken document cannot take the others
 * with it. A line that begins with `---` starts a document and a line that begins with `...` ends one, wherever they
 * stand: YAML allows neither inside of a scalar. Documents without content are not counted.
 *
 * INVARIANT: one pass, linear in the text; no document is parsed to find the next.
 */

/** Offsets into the file's text; `end` is exclusive. */
export type DocumentRange = { readonly start: number; readonly end: number };

/** The documents with content, in file order; a document's index is its place in this order. */
export function* documentRanges(text: string): Generator<DocumentRange> {
  const markers = new Markers(text);
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let directives = false;
  while (start < text.length) {
    const marker = directives ? markers.after(markers.after(start)) : markers.after(start);
    const end = cutAt(text, marker);
    // Directives belong to the document behind the marker that follows them.
    directives = !directives && end < text.length && text.charCodeAt(contentStart(text, start, end)) === 0x25;
    if (directives && text.charCodeAt(end) === 0x2d) continue;
    if (contentStart(text, start, end) < end) yield { start, end };
    start = end;
    directives = false;
  }
}

/** Finds marker lines going forward; each kind of marker is searched once through the text. */
class Markers {
  readonly #text: string;
  #dashes = -1;
  #dots = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset of the first marker line behind `from`, or the text's length. `...` on `from` itself counts. */
  after(from: number): number {
    if (this.#text.charCodeAt(from) === 0x2e && isMarker(this.#text, from)) return from;
    if (this.#dashes <= from) this.#dashes = this.#find("\n---", from);
    if (this.#dots <= from) this.#dots = this.#find("\n...", from);
    return Math.min(this.#dashes, this.#dots);
  }

  #find(marker: string, from: number): number {
    let at = this.#text.indexOf(marker, from);
    while (at !== -1 && !isMarker(this.#text, at + 1)) at = this.#text.indexOf(marker, at + 1);
    return at === -1 ? this.#text.length : at + 1;
  }
}

function isMarker(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first !== 0x2d && first !== 0x2e) return false;
  if (text.charCodeAt(at + 1) !== first || text.charCodeAt(at + 2) !== first) return false;
  return at + 3 >= text.length || isSpace(text.charCodeAt(at + 3));
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

/** `---` belongs to the document that it starts, `...` with its line to the one that it ends. */
function cutAt(text: string, marker: number): number {
  if (marker >= text.length || text.charCodeAt(marker) === 0x2d) return marker;
  const line = text.indexOf("\n", marker);
  return line === -1 ? text.length : line + 1;
}

/** Offset of the first unit that is neither space, comment nor marker; `end` where there is none. */
export function contentStart(text: string, start: number, end: number): number {
  let at = isMarker(text, start) ? start + 3 : start;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit === 0x23) {
      const line = text.indexOf("\n", at);
      at = line === -1 ? end : line + 1;
    } else if (isSpace(unit) || (unit === 0x2e && isMarker(text, at))) at += unit === 0x2e ? 3 : 1;
    else break;
  }
  return Math.min(at, end);
}
