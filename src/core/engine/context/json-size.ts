/**
 * How many bytes a value takes as JSON text, without printing it: the measure of the limit for context entries.
 * INVARIANT: the length of `printJson(value)` in UTF-8.
 */
import type { Budget } from "#diag";
import { isArray, isObject, printJson, type Json } from "#json";

/** Bytes of `value`; a step for each of its parts and for each 16 characters of text is charged. */
export function jsonSize(value: Json, budget: Budget): number {
  if (typeof value === "string") return textSize(value, budget);
  budget.charge(1);
  if (isArray(value)) {
    let size = value.length === 0 ? 2 : value.length + 1;
    for (const item of value) size += jsonSize(item, budget);
    return size;
  }
  if (isObject(value)) {
    let size = 1;
    for (const key of Object.keys(value)) {
      size += textSize(key, budget) + 2 + jsonSize(value[key] ?? null, budget);
    }
    return size === 1 ? 2 : size;
  }
  return printJson(value).length;
}

/** Texts of printable ASCII are their own size; others are printed. */
function textSize(text: string, budget: Budget): number {
  budget.charge(1 + (text.length >> 4));
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return utf8Size(printJson(text));
  }
  return text.length + 2;
}

/** The two halves of a surrogate pair count two bytes each; what is printed has no lone ones. */
function utf8Size(text: string): number {
  let size = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) size += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return size;
}
