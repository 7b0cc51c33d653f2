/**
 * Deep equality of JSON values, as Go's `reflect.DeepEqual` sees them once every number has the same type: objects by
 * their own members in any order, arrays in order, numbers by value (`1` equals `1.0`, `-0` equals `0`).
 */
import type { Json, JsonObject } from "./json.ts";
import { isArray, isObject } from "./json.ts";

export function equalJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (isArray(left)) return isArray(right) && equalArrays(left, right);
  if (isObject(left)) return isObject(right) && equalObjects(left, right);
  return false;
}

function equalArrays(left: readonly Json[], right: readonly Json[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((item, index) => {
    const other = right[index];
    return other !== undefined && equalJson(item, other);
  });
}

function equalObjects(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    const mine = left[key];
    const theirs = Object.hasOwn(right, key) ? right[key] : undefined;
    return mine !== undefined && theirs !== undefined && equalJson(mine, theirs);
  });
}
