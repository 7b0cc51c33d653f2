/**
 * The text of one document as parser events. js-yaml wants the lines of a flow collection or a quoted text indented
 * deeper than their parent, as YAML 1.2 does; libyaml, and so Kubernetes, does not, and closing brackets at the
 * parent's column are everywhere. Such a line is indented and the document parsed again: leading space means nothing
 * inside of brackets and quotes.
 */
import type { Event } from "js-yaml";
import { YAMLException, parseEvents } from "js-yaml";

export type ParsedEvents = {
  /** The text that the events' offsets point into. */
  readonly source: string;
  readonly events: readonly Event[];
  /** An offset in `source` as one in the document's own text. */
  readonly originalOffset: (offset: number) => number;
};

/** Each repair parses once more: their number times the length is what an odd document may cost. */
const MAX_REPAIR_WORK = 5_000_000;

const PADDING = " ".repeat(80);

/**
 * @throws YAMLException as js-yaml throws it; its position is an offset into the document's own text.
 */
export function parseDocumentEvents(text: string, maxDepth: number): ParsedEvents {
  const repairs: number[] = [];
  let source = text;
  let work = 0;
  for (;;) {
    try {
      const events = parseEvents(source, { maxDepth });
      return { source, events, originalOffset: (offset) => originalOffset(offset, repairs) };
    } catch (error) {
      work += source.length;
      const position = repairableAt(error);
      if (position === undefined || work > MAX_REPAIR_WORK) throw relocated(error, repairs);
      const lineStart = source.lastIndexOf("\n", position - 1) + 1;
      if (repairs.at(-1) === lineStart) throw relocated(error, repairs);
      source = source.slice(0, lineStart) + PADDING + source.slice(lineStart);
      repairs.push(lineStart);
    }
  }
}

function repairableAt(error: unknown): number | undefined {
  if (!(error instanceof YAMLException) || error.reason !== "deficient indentation") return undefined;
  return error.mark?.position;
}

/** Repairs are made from the front to the back, so each lies behind all padding that was inserted before it. */
function originalOffset(offset: number, repairs: readonly number[]): number {
  let inserted = 0;
  for (const lineStart of repairs) {
    if (lineStart >= offset) break;
    inserted += Math.min(PADDING.length, offset - lineStart);
  }
  return offset - inserted;
}

function relocated(error: unknown, repairs: readonly number[]): unknown {
  if (error instanceof YAMLException && error.mark !== undefined) {
    error.mark.position = originalOffset(error.mark.position, repairs);
  }
  return error;
}
