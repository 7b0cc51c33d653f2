/**
 * From the path that a rule names to a line of the manifest. Rules name paths as upstream writes them, with keys that may
 * contain slashes and are not escaped; the resource tells how they are meant.
 */
import type { Span } from "#diag";
import type { Json, JsonObject } from "#json";
import { appendPointer, isArray, isObject } from "#json";
import { locatePlace } from "../load/problem.ts";
import type { LoadedResource } from "../load/resources.ts";

export type ResourcePlace = {
  /** In the file. */
  readonly span?: Span;
  /** `spec.containers[0].image`, for people. */
  readonly path: string;
  /** The first part of the path that the resource does not have. */
  readonly missing?: string;
};

/** @param path of a rule's result; without one the place is the object's first line */
export function placeOf(loaded: LoadedResource, path: string | undefined): ResourcePlace {
  const resolved = resolvePath(loaded.resource, path ?? "");
  const { source, document, pointer } = loaded;
  const span = locatePlace(source, document, `${pointer}${resolved.pointer}`);
  return {
    path: resolved.text,
    ...(resolved.missing === undefined ? {} : { missing: resolved.missing }),
    ...(span === undefined ? {} : { span: inFile(span, source) }),
  };
}

function inFile(span: Span, source: LoadedResource["source"]): Span {
  const lines = source.linesBefore();
  return {
    start: {
      line: span.start.line + lines,
      column: span.start.column,
      offset: span.start.offset + source.offset,
    },
    end: { line: span.end.line + lines, column: span.end.column, offset: span.end.offset + source.offset },
  };
}

type Resolved = {
  readonly pointer: string;
  readonly text: string;
  readonly missing?: string;
};

export function resolvePath(resource: JsonObject, path: string): Resolved {
  const parts = path.split("/").filter((part) => part !== "");
  let at: Json | undefined = resource;
  let pointer = "";
  let text = "";
  let missing: string | undefined;
  for (let index = 0; index < parts.length;) {
    const taken = missing === undefined ? countParts(at, parts, index) : parts.length - index;
    const key = parts
      .slice(index, index + taken)
      .map(unescape)
      .join("/");
    if (missing === undefined && childOf(at, key) === undefined) missing = key;
    pointer = appendPointer(pointer, key);
    text += /^\d+$/.test(key)
      ? `[${key}]`
      : /^[\w-]+$/.test(key)
        ? `${text === "" ? "" : "."}${key}`
        : `["${key}"]`;
    at = childOf(at, key);
    index += taken;
  }
  return { pointer, text, ...(missing === undefined ? {} : { missing }) };
}

/** How many parts make the next key: the fewest that the value has; all where it has none and a dot says it is one. */
function countParts(at: Json | undefined, parts: readonly string[], from: number): number {
  for (let count = 1; from + count <= parts.length; count++) {
    const key = parts
      .slice(from, from + count)
      .map(unescape)
      .join("/");
    if (childOf(at, key) !== undefined) return count;
  }
  return parts[from]?.includes(".") === true ? parts.length - from : 1;
}

function childOf(at: Json | undefined, key: string): Json | undefined {
  if (isArray(at)) return at[Number(key)];
  return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
}

function unescape(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
