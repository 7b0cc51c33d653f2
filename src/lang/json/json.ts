/**
 * The values that travel through Postern. A number is a JavaScript number: `1.0` and `1` are the same value at every
 * door (the API server re-encodes one as the other before any webhook sees it), and integers beyond 2^53 are rounded
 * as JSON.parse rounds them. Whether a number counts as int64 or float64 is decided by its position, where it is used.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The own member `key`, never one of the prototype's. */
export function member(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
