/**
 * Go's layouts: a format is written as what a certain moment would look like in it (`2006-01-02 15:04:05`). Here a
 * layout is cut into literal text and elements; the elements are data, in the order in which Go looks for them.
 * SPEC: time `nextStdChunk`.
 */
export type ElementKind = (typeof ELEMENTS)[number][1] | "fraction-exact" | "fraction-any";

export type Chunk = {
  /** Literal text before the element. */
  readonly prefix: string;
  /** Absent at the end. */
  readonly element: { readonly kind: ElementKind; readonly text: string } | undefined;
  /** The layout behind the element. */
  readonly rest: string;
};

/** Longest first where one begins with another. */
const ELEMENTS = [
  ["January", "long-month"],
  ["Jan", "month"],
  ["Monday", "long-weekday"],
  ["Mon", "weekday"],
  ["MST", "zone"],
  ["01", "zero-month"],
  ["02", "zero-day"],
  ["03", "zero-hour12"],
  ["04", "zero-minute"],
  ["05", "zero-second"],
  ["06", "year"],
  ["002", "zero-year-day"],
  ["15", "hour"],
  ["1", "number-month"],
  ["2006", "long-year"],
  ["2", "day"],
  ["__2", "under-year-day"],
  ["_2", "under-day"],
  ["3", "hour12"],
  ["4", "minute"],
  ["5", "second"],
  ["PM", "upper-half"],
  ["pm", "lower-half"],
  ["-070000", "offset-seconds"],
  ["-07:00:00", "offset-colon-seconds"],
  ["-0700", "offset"],
  ["-07:00", "offset-colon"],
  ["-07", "offset-short"],
  ["Z070000", "iso-seconds"],
  ["Z07:00:00", "iso-colon-seconds"],
  ["Z0700", "iso"],
  ["Z07:00", "iso-colon"],
  ["Z07", "iso-short"],
] as const;

/** Names that are words only where no lower-case letter follows. */
const WORDS: ReadonlySet<ElementKind> = new Set(["month", "weekday"]);

export function nextChunk(layout: string): Chunk {
  for (let at = 0; at < layout.length; at++) {
    const found = elementAt(layout, at);
    if (found === undefined) continue;
    // WHY: in `_2006` the underscore is literal
    const skipped = layout.startsWith("_2006", at) ? 1 : 0;
    const from = at + skipped;
    const element = skipped === 1 ? LONG_YEAR : found;
    return { prefix: layout.slice(0, from), element, rest: layout.slice(from + element.text.length) };
  }
  return { prefix: layout, element: undefined, rest: "" };
}

const LONG_YEAR = { kind: "long-year", text: "2006" } as const;

function elementAt(layout: string, at: number): Chunk["element"] {
  for (const [text, kind] of ELEMENTS) {
    if (!layout.startsWith(text, at)) continue;
    if (WORDS.has(kind) && /[a-z]/.test(layout.charAt(at + text.length))) continue;
    return { kind, text };
  }
  return fractionAt(layout, at);
}

/** `.000` or `,999`: digits of one kind, and no other digit behind them. */
function fractionAt(layout: string, at: number): Chunk["element"] {
  const found = /^[.,](?:(0+)|9+)(?!\d)/.exec(layout.slice(at, at + 32));
  if (found === null) return undefined;
  return { kind: found[1] === undefined ? "fraction-any" : "fraction-exact", text: found[0] };
}
