/**
 * Whether two values are the same to Go: an int64 is no float64, not even inside of lists and maps.
 * SPEC: Go reflect `DeepEqual`.
 */
import { isTypedArray, isTypedObject, type TypedJson } from "#json";

export function equalTyped(left: TypedJson, right: TypedJson): boolean {
  if (isTypedArray(left)) {
    if (!isTypedArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => equalTyped(item, right[index] ?? null));
  }
  if (!isTypedObject(left)) return left === right;
  if (!isTypedObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equalTyped(left[key] ?? null, right[key] ?? null));
}
