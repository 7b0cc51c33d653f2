/**
 * An object of a document with the place where it stands. Checks walk these, so that what they find can be pointed at.
 */
import type { JsonObject } from "#json";
import { appendPointer, isObject } from "#json";
import { listField, objectField } from "./fields.ts";

export type Node = { readonly value: JsonObject; readonly pointer: string };

/** The pointer of something below `node`, whether it is there or not. */
export function placeOf(node: Node, ...steps: readonly (string | number)[]): string {
  let pointer = node.pointer;
  for (const step of steps) pointer = appendPointer(pointer, step);
  return pointer;
}

export function childNode(node: Node, key: string): Node | undefined {
  const value = objectField(node.value, key);
  return value === undefined ? undefined : { value, pointer: placeOf(node, key) };
}

/** The objects in the list below `key`; none where there is no list. */
export function childNodes(node: Node, key: string): readonly Node[] {
  return (listField(node.value, key) ?? []).flatMap((value, index) =>
    isObject(value) ? [{ value, pointer: placeOf(node, key, index) }] : [],
  );
}
