/**
 * Builds the value of one YAML document from js-yaml's parser events, as sigs.k8s.io/yaml would build it: keys become
 * strings, merge keys are applied in the order in which they stand, an explicit tag decides a scalar's type and an
 * unknown one leaves it a string. Aliases share the value that they name; what they would expand to is bounded.
 *
 * Leaves by throwing a `YamlFailure`, which `load-yaml.ts` alone catches and turns into a diagnostic. Duplicate keys
 * do not stop it: the last one wins, as in Go, and their offsets are kept.
 *
 * SPEC: sigs.k8s.io/yaml `yamlToJSONTarget`, goyaml.v2 `decoder.mapping`, `decoder.merge`.
 */
import type { DiagnosticCode } from "#diag";
import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from "js-yaml";
import { CHOMPING_MODE, EVENT_ID, SCALAR_STYLE, getScalarValue } from "js-yaml";
import type { Json } from "./json.ts";
import { isObject } from "./json.ts";
import { keyText } from "./yaml-key.ts";
import type { ParsedEvents } from "./yaml-events.ts";
import { resolvePlainScalar } from "./yaml-scalar.ts";
import { resolveTaggedScalar } from "./yaml-tag.ts";

export class YamlFailure extends Error {
  override readonly name = "YamlFailure";
  readonly code: DiagnosticCode;
  /** Into the document's own text. */
  readonly offset: number;

  constructor(code: DiagnosticCode, offset: number, message: string) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

export type DuplicateKey = { readonly key: string; readonly offset: number };

export type Construction = { readonly value: Json; readonly duplicates: readonly DuplicateKey[] };

/** @param maxAliasedNodes how many nodes all aliases of the document together may stand for */
export function constructDocument(parsed: ParsedEvents, maxAliasedNodes: number): Construction {
  const constructor = new Constructor(parsed, maxAliasedNodes);
  return { value: constructor.document(), duplicates: constructor.duplicates };
}

type Anchor = { value: Json | undefined; nodes: number };

type MutableObject = { [key: string]: Json };

const NONE = -1;

class Constructor {
  readonly duplicates: DuplicateKey[] = [];
  readonly #parsed: ParsedEvents;
  readonly #source: string;
  readonly #events: readonly Event[];
  readonly #maxAliasedNodes: number;
  readonly #anchors = new Map<string, Anchor>();
  #at = 0;
  /** Nodes built so far, those behind aliases included. */
  #nodes = 0;
  #aliased = 0;

  constructor(parsed: ParsedEvents, maxAliasedNodes: number) {
    this.#parsed = parsed;
    this.#source = parsed.source;
    this.#events = parsed.events;
    this.#maxAliasedNodes = maxAliasedNodes;
  }

  document(): Json {
    if (this.#next().type !== EVENT_ID.DOCUMENT) return null;
    return this.#node(this.#next());
  }

  #next(): Event {
    const event = this.#events[this.#at++];
    if (event === undefined) this.#fail(this.#source.length, "the document ends too early");
    return event;
  }

  #node(event: Event): Json {
    if (event.type === EVENT_ID.ALIAS) {
      this.#nodes++;
      return this.#alias(event);
    }
    const anchored = "anchorStart" in event && event.anchorStart !== NONE;
    return anchored ? this.#anchored(event, event) : this.#plain(event);
  }

  #plain(event: Event): Json {
    this.#nodes++;
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event);
      case EVENT_ID.SEQUENCE:
        return this.#sequence();
      case EVENT_ID.MAPPING:
        return this.#mapping();
      default:
        return null;
    }
  }

  #anchored(
    event: Event,
    { anchorStart, anchorEnd }: AliasEvent | ScalarEvent | SequenceEvent | MappingEvent,
  ): Json {
    const before = this.#nodes;
    const anchor: Anchor = { value: undefined, nodes: 0 };
    this.#anchors.set(this.#source.slice(anchorStart, anchorEnd), anchor);
    anchor.value = this.#plain(event);
    anchor.nodes = this.#nodes - before;
    return anchor.value;
  }

  #alias(event: AliasEvent): Json {
    const name = this.#source.slice(event.anchorStart, event.anchorEnd);
    const anchor = this.#anchors.get(name);
    if (anchor === undefined) this.#fail(event.anchorStart, `unknown anchor \`${name}\``);
    if (anchor.value === undefined) this.#fail(event.anchorStart, `anchor \`${name}\` contains itself`);
    this.#nodes += anchor.nodes;
    this.#aliased += anchor.nodes;
    if (this.#aliased > this.#maxAliasedNodes) {
      this.#fail(
        event.anchorStart,
        `the aliases of this document expand to more than ${this.#maxAliasedNodes} values`,
        "yaml/too-large",
      );
    }
    return anchor.value;
  }

  #sequence(): Json {
    const items: Json[] = [];
    for (let event = this.#next(); event.type !== EVENT_ID.POP; event = this.#next())
      items.push(this.#node(event));
    return items;
  }

  #mapping(): Json {
    const target: MutableObject = {};
    let merged: Set<string> | undefined;
    for (let event = this.#next(); event.type !== EVENT_ID.POP; event = this.#next()) {
      if (this.#isMergeKey(event)) {
        merged ??= new Set();
        this.#merge(target, this.#node(this.#next()), merged, eventOffset(event));
        continue;
      }
      const key = this.#key(event);
      if (Object.hasOwn(target, key) && merged?.has(key) !== true) {
        this.duplicates.push({ key, offset: this.#parsed.originalOffset(eventOffset(event)) });
      }
      merged?.delete(key);
      define(target, key, this.#node(this.#next()));
    }
    return target;
  }

  #isMergeKey(event: Event): boolean {
    if (event.type !== EVENT_ID.SCALAR || event.valueEnd - event.valueStart !== 2) return false;
    return (
      event.style === SCALAR_STYLE.PLAIN &&
      event.tagStart === NONE &&
      this.#source.startsWith("<<", event.valueStart)
    );
  }

  #key(event: Event): string {
    const key = this.#node(event);
    const written = event.type === EVENT_ID.SCALAR ? getScalarValue(this.#source, event) : "";
    const text = keyText(key, written);
    if (text === undefined) this.#fail(eventOffset(event), "a key must be a text, a number or a boolean");
    return text;
  }

  /** Of several sources the first has the last word; all of them replace what stands above the merge key. */
  #merge(target: MutableObject, source: Json, merged: Set<string>, offset: number): void {
    const sources: readonly Json[] = Array.isArray(source) ? source.toReversed() : [source];
    for (const item of sources) {
      if (!isObject(item)) this.#fail(offset, "a merge key needs a mapping or a list of mappings");
      for (const [key, value] of Object.entries(item)) {
        define(target, key, value);
        merged.add(key);
      }
    }
  }

  #scalar(event: ScalarEvent): Json {
    const text = this.#text(event);
    const value =
      event.tagStart === NONE
        ? event.style === SCALAR_STYLE.PLAIN
          ? resolvePlainScalar(text)
          : text
        : this.#tagged(event, text);
    if (typeof value === "number" && !Number.isFinite(value)) {
      this.#fail(eventOffset(event), `\`${text}\` is no number that JSON has`);
    }
    return value;
  }

  #tagged(event: ScalarEvent, text: string): Json {
    const tag = this.#source.slice(event.tagStart, event.tagEnd);
    const value = resolveTaggedScalar(tag, text);
    if (value === undefined) this.#fail(event.tagStart, `\`${text}\` does not fit the tag \`${tag}\``);
    return value;
  }

  /** Go ends a block scalar without a line feed where the file itself ends without one. */
  #text(event: ScalarEvent): string {
    const text = getScalarValue(this.#source, event);
    const block = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
    if (!block || event.chomping === CHOMPING_MODE.STRIP || event.valueEnd < this.#source.length) return text;
    return text.endsWith("\n") && !/[\r\n]$/.test(this.#source) ? text.slice(0, -1) : text;
  }

  #fail(offset: number, message: string, code: DiagnosticCode = "yaml/syntax"): never {
    throw new YamlFailure(code, this.#parsed.originalOffset(offset), message);
  }
}

/** An own member whatever the key: `__proto__` must not reach the setter. */
function define(target: MutableObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** Where an event's node begins, its tag and anchor included; 0 for events without a place. */
export function eventOffset(event: Event): number {
  let offset = Number.MAX_SAFE_INTEGER;
  if ("tagStart" in event && event.tagStart !== NONE) offset = event.tagStart;
  if ("anchorStart" in event && event.anchorStart !== NONE) offset = Math.min(offset, event.anchorStart - 1);
  if ("valueStart" in event && event.valueStart !== NONE) offset = Math.min(offset, event.valueStart);
  if ("start" in event) offset = Math.min(offset, event.start);
  return offset === Number.MAX_SAFE_INTEGER ? 0 : offset;
}
