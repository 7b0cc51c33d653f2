/**
 * Values as Go prints them in the texts of failures: `%v` and `%T`. Whole numbers of a resource are int64 there.
 * SPEC: Go fmt; kyverno-surface.md section 3.2.
 */
import { isArray, isObject, sortedKeys, type Json, type TypedJson } from "#json";
import { formatFloatV } from "#text";

/** `map[a:1 b:[x <nil>]]`, keys sorted. */
export function goText(value: Json): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return value;
  if (typeof value === "number") return isInt64(value) ? integerText(value) : formatFloatV(value);
  if (typeof value === "boolean") return String(value);
  if (isArray(value)) return `[${value.map(goText).join(" ")}]`;
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${goText(value[key] ?? null)}`)
    .join(" ")}]`;
}

/** `%v` of a literal of a pattern. */
export function goScalarText(value: null | boolean | number | bigint | string): string {
  return typeof value === "number" ? formatFloatV(value) : value === null ? "<nil>" : String(value);
}

/** The Go type that a value of a resource, or a list or map of a pattern, has. */
export function goType(value: TypedJson): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return isInt64(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (typeof value === "bigint") return "int64";
  return isObject(value) ? "map[string]interface {}" : "[]interface {}";
}

/** Whole and within int64: such a number of a resource is an integer to Go. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -0x8000000000000000 && value < 0x8000000000000000;
}

/** Decimal digits of an int64, never an exponent. */
export function integerText(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
}
