/**
 * Go tells int64 from float64, and patterns and conditions answer differently for them (`10` against `1?`). Where that
 * matters a literal's type is fixed by its position when a policy is compiled: here a bigint stands for int64 and a
 * number for float64. Resources and query results stay plain `Json`.
 */
import type { Json } from "./json.ts";
import { isArray, isObject } from "./json.ts";

export type TypedJson = null | boolean | number | bigint | string | readonly TypedJson[] | TypedObject;

export type TypedObject = { readonly [key: string]: TypedJson };

export function isTypedArray(value: TypedJson | undefined): value is readonly TypedJson[] {
  return Array.isArray(value);
}

export function isTypedObject(value: TypedJson | undefined): value is TypedObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every whole number in `value` becomes an int64; the rest stays float64. */
export function withInt64(value: Json): TypedJson {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (isArray(value)) return value.map(withInt64);
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withInt64(item)]));
  }
  return value;
}
