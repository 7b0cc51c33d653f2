/**
 * Manifests that templates wrote often say `labels:` with nothing behind it. An API server takes that for an empty map,
 * and so do policies.
 * SPEC: kyverno-surface.md section 8.1 (null maps).
 */
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";

const mapKeys: ReadonlySet<string> = new Set([
  "annotations",
  "labels",
  "matchLabels",
  "nodeSelector",
  "data",
  "stringData",
]);

/** The same object where there is nothing to do, which is nearly always. */
export function normalizeNulls(value: JsonObject): JsonObject {
  if (!needsWork(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normalizeMember(key, item)]));
}

function normalizeMember(key: string, item: Json): Json {
  if (item === null) return mapKeys.has(key) ? {} : null;
  if (isObject(item)) return normalizeNulls(item);
  if (!isArray(item)) return item;
  return item.map((element) => (isObject(element) ? normalizeNulls(element) : element));
}

function needsWork(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isArray(value)) return value.some(needsWork);
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === null ? mapKeys.has(key) : item !== undefined && needsWork(item)) return true;
  }
  return false;
}
