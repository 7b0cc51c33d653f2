/**
 * A document against the structure of its kind: unknown fields (a warning: the API server drops them), wrong types,
 * missing fields and unknown words. Null is absence. What passes here may be read without looking at types again.
 */
import { nearestName } from "#diag";
import type { Json } from "#json";
import { appendPointer, isArray, isObject } from "#json";
import type { Findings } from "./findings.ts";
import { shapes } from "./shapes.ts";
import type { Shape } from "./shapes.ts";

/** @param type in the notation of `shapes.ts` */
export function checkShape(value: Json, type: string, pointer: string, findings: Findings): void {
  if (type === "any") return;
  if (type.startsWith("[]")) return checkList(value, type.slice(2), pointer, findings);
  if (type.startsWith("{}")) return checkMap(value, type.slice(2), pointer, findings);
  if (type.startsWith("=")) return checkWord(value, type.slice(1).split("|"), pointer, findings);
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (shape !== undefined) return checkObject(value, shape, pointer, findings);
  if (!isOfType(value, type)) wrongType(value, nounOf(type), pointer, findings);
}

function checkList(value: Json, type: string, pointer: string, findings: Findings): void {
  if (!isArray(value)) return wrongType(value, "a list", pointer, findings);
  for (const [index, item] of value.entries()) {
    checkShape(item, type, appendPointer(pointer, index), findings);
  }
}

function checkMap(value: Json, type: string, pointer: string, findings: Findings): void {
  if (!isObject(value)) return wrongType(value, "a map", pointer, findings);
  for (const [key, item] of Object.entries(value)) {
    if (item !== null) checkShape(item, type, appendPointer(pointer, key), findings);
  }
}

function checkWord(value: Json, words: readonly string[], pointer: string, findings: Findings): void {
  if (typeof value !== "string") return wrongType(value, "text", pointer, findings);
  if (words.includes(value)) return;
  const nearest = findings.isFull ? undefined : nearestName(value, words);
  findings.error({
    code: "policy/unknown-value",
    pointer,
    message: `\`${value}\` is none of the values allowed here`,
    help: nearest === undefined ? `use one of ${quoted(words)}` : `did you mean \`${nearest}\`?`,
  });
}

function checkObject(value: Json, shape: Shape, pointer: string, findings: Findings): void {
  if (!isObject(value)) return wrongType(value, "a map", pointer, findings);
  for (const [key, item] of Object.entries(value)) {
    const type = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    const place = appendPointer(pointer, key);
    if (type === undefined) unknownField(key, Object.keys(shape.fields), place, findings);
    else if (item !== null) checkShape(item, type, place, findings);
  }
  for (const key of shape.required ?? []) {
    if (!Object.hasOwn(value, key)) missingField(key, pointer, findings);
  }
}

/** Reports a field that nothing reads, with the name that was probably meant. */
export function unknownField(
  key: string,
  known: readonly string[],
  pointer: string,
  findings: Findings,
): void {
  const nearest = findings.isFull ? undefined : nearestName(key, known);
  findings.warn({
    code: "policy/unknown-field",
    pointer,
    message: `unknown field \`${key}\``,
    help: nearest === undefined ? `fields known here: ${quoted(known)}` : `did you mean \`${nearest}\`?`,
  });
}

/** Reports a field that must be there; `pointer` is the object that lacks it. */
export function missingField(key: string, pointer: string, findings: Findings): void {
  findings.error({
    code: "policy/missing-field",
    pointer,
    message: `\`${key}\` is missing`,
    help: `add \`${key}\` here`,
  });
}

export function wrongType(value: Json, wanted: string, pointer: string, findings: Findings): void {
  findings.error({
    code: "policy/wrong-type",
    pointer,
    message: `expected ${wanted}, found ${describe(value)}`,
    help: helpFor(value, wanted),
  });
}

function helpFor(value: Json, wanted: string): string {
  const scalar = typeof value === "number" || typeof value === "boolean";
  return wanted === "text" && scalar ? `put it in quotes: \`"${value}"\`` : `write ${wanted} here`;
}

/** A value in a message: its text, cut, or what it is. */
export function describe(value: Json): string {
  if (value === null) return "null";
  if (isArray(value)) return "a list";
  if (isObject(value)) return "a map";
  const text = String(value);
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "conditions":
      return typeof value === "object";
    default:
      return typeof value === type;
  }
}

function nounOf(type: string): string {
  switch (type) {
    case "string":
      return "text";
    case "boolean":
      return "true or false";
    case "conditions":
      return "conditions";
    default:
      return "a whole number";
  }
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}
