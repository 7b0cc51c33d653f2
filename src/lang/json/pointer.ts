/**
 * JSON pointers (RFC 6901) say where in a document something is. They are the only form of a place that travels
 * through Postern: `/spec/containers/0/image`. The empty text is the document itself.
 */
import type { Json } from "./json.ts";
import { isArray, isObject, member } from "./json.ts";

/** One more step below `pointer`; the step is escaped here (`~` as `~0`, `/` as `~1`). */
export function appendPointer(pointer: string, step: string | number): string {
  if (typeof step === "number") return `${pointer}/${step}`;
  return `${pointer}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function joinPointer(steps: readonly (string | number)[]): string {
  let pointer = "";
  for (const step of steps) pointer = appendPointer(pointer, step);
  return pointer;
}

/** The unescaped steps; `undefined` where the text is no pointer (it neither is empty nor begins with `/`). */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The index that a step means in an array: digits without a leading zero. */
export function arrayIndex(step: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,14})$/.test(step) ? Number(step) : undefined;
}

/** The value at `pointer`, or `undefined` where there is none. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  const steps = parsePointer(pointer);
  if (steps === undefined) return undefined;
  let value: Json | undefined = root;
  for (const step of steps) {
    if (isArray(value)) {
      const index = arrayIndex(step);
      value = index === undefined ? undefined : value[index];
    } else value = isObject(value) ? member(value, step) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
