/** What counts as false: null, `false`, the empty text, list and object. Zero is true. */
import type { Json } from "#json";
import { isArray } from "#json";
import { expressionOf } from "./expression.ts";

export function isTruthy(value: Json): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object") return true;
  if (value === null) return false;
  if (isArray(value)) return value.length > 0;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return expressionOf(value) !== undefined;
}
