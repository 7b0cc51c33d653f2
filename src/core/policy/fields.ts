/**
 * Reading fields of a decoded YAML object. A field that is absent, null or of another type reads as `undefined` (or as
 * the fallback): types were checked against the kind's shape before, so what is left here is never a surprise. Null
 * counts as absent, as it does for the API server.
 */
import type { Json, JsonObject } from "#json";
import { isArray, isObject, member } from "#json";

export function field(object: JsonObject, key: string): Json | undefined {
  const value = member(object, key);
  return value === null ? undefined : value;
}

export function textField(object: JsonObject, key: string): string | undefined {
  const value = member(object, key);
  return typeof value === "string" ? value : undefined;
}

export function flagField(object: JsonObject, key: string, fallback: boolean): boolean {
  const value = member(object, key);
  return typeof value === "boolean" ? value : fallback;
}

export function numberField(object: JsonObject, key: string): number | undefined {
  const value = member(object, key);
  return typeof value === "number" ? value : undefined;
}

export function objectField(object: JsonObject, key: string): JsonObject | undefined {
  const value = member(object, key);
  return isObject(value) ? value : undefined;
}

export function listField(object: JsonObject, key: string): readonly Json[] | undefined {
  const value = member(object, key);
  return isArray(value) ? value : undefined;
}

export function objectsField(object: JsonObject, key: string): readonly JsonObject[] | undefined {
  return listField(object, key)?.filter(isObject);
}

export function textsField(object: JsonObject, key: string): readonly string[] | undefined {
  return listField(object, key)?.filter((item) => typeof item === "string");
}

/** The entries of a map whose values are text. */
export function textMapField(object: JsonObject, key: string): Readonly<Record<string, string>> | undefined {
  const value = objectField(object, key);
  if (value === undefined) return undefined;
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}

/** `{ [key]: value }`, or nothing where there is no value: for optional properties, which are never `undefined`. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V };
export function optional(key: string, value: unknown): object {
  return value === undefined ? {} : { [key]: value };
}
