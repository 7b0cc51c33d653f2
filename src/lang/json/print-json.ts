/**
 * JSON text as Go's encoding/json writes it: keys sorted, the shortest text of a number, U+2028 and U+2029 escaped,
 * and `<`, `>`, `&` escaped unless switched off. Equal values have equal texts, so texts can be compared and hashed.
 *
 * SPEC: encoding/json `encodeState`, `appendString`, `floatEncoder`.
 */
import { sortedKeys } from "./key-order.ts";
import type { TypedJson, TypedObject } from "./typed.ts";
import { isTypedObject } from "./typed.ts";

export type PrintJsonOptions = {
  /** Spaces for a level of nesting; 0 (the default) prints one line without spaces. */
  readonly indent?: number;
  /** `<`, `>` and `&` as `\u003c`, `\u003e`, `\u0026`, which is what `json.Marshal` does. Default false. */
  readonly escapeHtml?: boolean;
};

export function printJson(value: TypedJson, options: PrintJsonOptions = {}): string {
  const step = " ".repeat(options.indent ?? 0);
  return printValue(value, { step, escapeHtml: options.escapeHtml ?? false }, "\n");
}

/** A text as it is, anything else as JSON: for messages and names, where an object must not become "[object Object]". */
export function plainText(value: TypedJson): string {
  return typeof value === "string" ? value : printJson(value);
}

/** A number as encoding/json prints a float64; JavaScript's own text differs only for minus zero. */
export function printJsonNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

type Style = { readonly step: string; readonly escapeHtml: boolean };

function printValue(value: TypedJson, style: Style, line: string): string {
  if (typeof value === "string") return printJsonString(value, style.escapeHtml);
  if (typeof value === "number") return printJsonNumber(value);
  if (value === null || typeof value !== "object") return String(value);
  const inner = line + style.step;
  if (isTypedObject(value)) return printMembers(value, style, line);
  return printItems(
    value.map((item) => printValue(item, style, inner)),
    "[]",
    style,
    line,
  );
}

function printMembers(value: TypedObject, style: Style, line: string): string {
  const colon = style.step === "" ? ":" : ": ";
  const members: string[] = [];
  for (const key of sortedKeys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    members.push(printJsonString(key, style.escapeHtml) + colon + printValue(item, style, line + style.step));
  }
  return printItems(members, "{}", style, line);
}

function printItems(items: readonly string[], brackets: string, style: Style, line: string): string {
  if (items.length === 0) return brackets;
  const open = brackets.charAt(0);
  const close = brackets.charAt(1);
  if (style.step === "") return open + items.join(",") + close;
  const inner = line + style.step;
  return open + inner + items.join(`,${inner}`) + line + close;
}

/** A quoted JSON string; lone surrogates become U+FFFD, as they do on their way into Go. */
export function printJsonString(text: string, escapeHtml = false): string {
  const quoted = JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  if (!escapeHtml) return quoted;
  return quoted.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026");
}
