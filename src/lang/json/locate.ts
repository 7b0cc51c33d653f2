/**
 * Finds the place of a pointer in the kept text. Values carry no positions, so the one document is parsed again: only
 * diagnostics that are shown pay for it. JSON text is read by the same parser, as YAML in flow style.
 */
import type { Span } from "#diag";
import type { Event } from "js-yaml";
import { EVENT_ID, SCALAR_STYLE, getScalarValue } from "js-yaml";
import { yamlLimits } from "./load-yaml.ts";
import { arrayIndex, parsePointer } from "./pointer.ts";
import { spanAt } from "./positions.ts";
import { keyText } from "./yaml-key.ts";
import { eventOffset } from "./yaml-construct.ts";
import { documentRanges } from "./yaml-documents.ts";
import type { ParsedEvents } from "./yaml-events.ts";
import { parseDocumentEvents } from "./yaml-events.ts";
import { resolvePlainScalar } from "./yaml-scalar.ts";

/** `key`: the member's key (an item's own text in a list); `value`: what stands at the pointer. */
export type LocatedPart = "key" | "value";

/** The places of one document, which is parsed once for all of them. */
export type Places = {
  /** `undefined` where the document has no such place. */
  readonly at: (pointer: string, part?: LocatedPart) => Span | undefined;
  /** The same for the longest part of the pointer that there is: where a member is missing, the key that it is missing from. */
  readonly nearest: (pointer: string) => Span | undefined;
};

/** The places of document `index` of the file's text; `undefined` where there is no such document, or it is broken. */
export function readPlaces(text: string, index: number): Places | undefined {
  const tree = readTree(text, index);
  if (tree === undefined) return undefined;
  return {
    at(pointer, part = "value") {
      const steps = parsePointer(pointer);
      const found = steps === undefined ? undefined : tree.walk(steps);
      return found?.rest === 0 ? tree.span(found.place, part) : undefined;
    },
    nearest(pointer) {
      const steps = parsePointer(pointer);
      const found = steps === undefined ? undefined : tree.walk(steps);
      return found === undefined ? undefined : tree.span(found.place, found.rest === 0 ? "value" : "key");
    },
  };
}

/** The place of `pointer` in document `index` of the file's text, or `undefined` where the document has no such place. */
export function locate(
  text: string,
  index: number,
  pointer: string,
  part: LocatedPart = "value",
): Span | undefined {
  return readPlaces(text, index)?.at(pointer, part);
}

/** The nearest place that there is; `undefined` only where there is no such document. */
export function locateNearest(text: string, index: number, pointer: string): Span | undefined {
  return readPlaces(text, index)?.nearest(pointer);
}

/** Indices of events: the node itself and, in a mapping, its key. */
type Place = { readonly node: number; readonly key?: number };

function readTree(text: string, index: number): EventTree | undefined {
  let at = 0;
  for (const range of documentRanges(text)) {
    if (at++ < index) continue;
    try {
      const parsed = parseDocumentEvents(text.slice(range.start, range.end), yamlLimits.maxDepth);
      return new EventTree(text, range.start, parsed);
    } catch {
      // A document that cannot be parsed has no places; its own diagnostic says where it breaks.
      return undefined;
    }
  }
  return undefined;
}

class EventTree {
  readonly #text: string;
  readonly #base: number;
  readonly #parsed: ParsedEvents;
  readonly #source: string;
  readonly #events: readonly Event[];

  constructor(text: string, base: number, parsed: ParsedEvents) {
    this.#text = text;
    this.#base = base;
    this.#parsed = parsed;
    this.#source = parsed.source;
    this.#events = parsed.events;
  }

  /** As far as the steps lead; `rest` of them are left over. */
  walk(steps: readonly string[]): { readonly place: Place; readonly rest: number } {
    let place: Place = { node: 1 };
    for (const [at, step] of steps.entries()) {
      const next = this.#child(this.#resolve(place.node), step);
      if (next === undefined) return { place, rest: steps.length - at };
      place = next;
    }
    return { place, rest: 0 };
  }

  span(place: Place, part: LocatedPart): Span {
    const node = part === "key" && place.key !== undefined ? place.key : place.node;
    const event = this.#events[node];
    const start = this.#start(node);
    const end = part === "key" && event?.type !== EVENT_ID.SCALAR ? start + 1 : this.#end(node, start);
    return spanAt(this.#text, this.#offset(start), this.#offset(end));
  }

  #offset(offset: number): number {
    return this.#base + this.#parsed.originalOffset(offset);
  }

  #child(node: number, step: string): Place | undefined {
    const event = this.#events[node];
    if (event?.type === EVENT_ID.SEQUENCE) {
      const index = arrayIndex(step);
      return index === undefined ? undefined : this.#item(node + 1, index);
    }
    if (event?.type === EVENT_ID.MAPPING) return this.#member(node + 1, step);
    return undefined;
  }

  #item(first: number, index: number): Place | undefined {
    let node = first;
    for (let left = index; left > 0 && !this.#isPop(node); left--) node = this.#skip(node);
    return this.#isPop(node) ? undefined : { node };
  }

  /** The last of several equal keys, as the value is the last one's; then what merge keys bring. */
  #member(first: number, step: string): Place | undefined {
    let found: Place | undefined;
    for (let key = first; !this.#isPop(key);) {
      const node = this.#skip(key);
      const name = this.#keyText(key);
      if (name === step) found = { node, key };
      else if (name === "<<") found ??= this.#child(this.#resolve(node), step);
      key = this.#skip(node);
    }
    return found;
  }

  #keyText(key: number): string | undefined {
    const event = this.#events[this.#resolve(key)];
    if (event?.type !== EVENT_ID.SCALAR) return undefined;
    const text = getScalarValue(this.#source, event);
    if (event.style !== SCALAR_STYLE.PLAIN || event.tagStart !== -1) return text;
    return keyText(resolvePlainScalar(text), text);
  }

  /** An alias leads to the last node before it with that anchor. */
  #resolve(node: number): number {
    const event = this.#events[node];
    if (event?.type !== EVENT_ID.ALIAS) return node;
    const name = this.#source.slice(event.anchorStart, event.anchorEnd);
    for (let at = node - 1; at > 0; at--) {
      const other = this.#events[at];
      if (other === undefined || !("anchorStart" in other) || other.type === EVENT_ID.ALIAS) continue;
      if (other.anchorStart !== -1 && this.#source.slice(other.anchorStart, other.anchorEnd) === name)
        return at;
    }
    return node;
  }

  #isPop(node: number): boolean {
    const event = this.#events[node];
    return event === undefined || event.type === EVENT_ID.POP;
  }

  /** The event behind the whole node that begins at `node`. */
  #skip(node: number): number {
    let depth = 0;
    for (let at = node; at < this.#events.length; at++) {
      const type = this.#events[at]?.type;
      if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
      else if (type === EVENT_ID.POP) depth--;
      if (depth <= 0) return at + 1;
    }
    return this.#events.length;
  }

  /** Quotes belong to a quoted text. */
  #start(node: number): number {
    const event = this.#events[node];
    if (event === undefined) return 0;
    return (
      eventOffset(event) - (isQuoted(event) && event.tagStart === -1 && event.anchorStart === -1 ? 1 : 0)
    );
  }

  #end(node: number, start: number): number {
    let end = start + 1;
    const behind = this.#skip(node);
    for (let at = node; at < behind; at++) {
      const event = this.#events[at];
      if (event === undefined) break;
      if (event.type === EVENT_ID.ALIAS) end = Math.max(end, event.anchorEnd);
      if (event.type === EVENT_ID.SCALAR) end = Math.max(end, event.valueEnd + (isQuoted(event) ? 1 : 0));
    }
    return end;
  }
}

function isQuoted(event: Event): event is Event & { type: typeof EVENT_ID.SCALAR } {
  if (event.type !== EVENT_ID.SCALAR) return false;
  return event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
}
