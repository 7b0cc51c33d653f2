/**
 * Values as the texts that sets hold: what Go prints for them, an int64 in digits, a float64 with an exponent from a
 * million on.
 * SPEC: Go fmt `Sprint`.
 */
import { isTypedArray, sortedKeys, type TypedJson } from "#json";
import { formatFloatV } from "#text";

export function typedText(value: TypedJson): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatFloatV(value);
  if (value === null) return "<nil>";
  if (typeof value !== "object") return String(value);
  if (isTypedArray(value)) return `[${value.map(typedText).join(" ")}]`;
  const members = sortedKeys(value);
  return `map[${members.map((key) => `${key}:${typedText(value[key] ?? null)}`).join(" ")}]`;
}
