/**
 * Patterns: which anchors may stand where. An existence anchor holds a list of maps; adding is for mutation only; what
 * is to be generated has no anchors at all.
 * SPEC: pkg/validation/policy/common ValidatePattern.
 */
import type { Json, JsonObject } from "#json";
import { appendPointer, isArray, isObject, member } from "#json";
import type { Findings } from "./findings.ts";

/** Where a pattern is used: it decides on the anchors. */
export type PatternUse = "validate" | "mutate" | "generate";

/** Signs before the parenthesis; the conditional anchor has none. */
const allowedSigns: Readonly<Record<PatternUse, readonly string[]>> = {
  validate: ["", "=", "^", "X", "<"],
  mutate: ["", "+", "<"],
  generate: [],
};

export function checkPattern(pattern: Json, pointer: string, use: PatternUse, findings: Findings): void {
  if (isArray(pattern)) {
    for (const [index, item] of pattern.entries()) {
      checkPattern(item, appendPointer(pointer, index), use, findings);
    }
  } else if (isObject(pattern)) {
    for (const [key, value] of Object.entries(pattern)) {
      const place = appendPointer(pointer, key);
      checkAnchor(key, value, { pointer: place, use }, findings);
      checkPattern(value, place, use, findings);
    }
  }
}

type AnchorSite = { readonly pointer: string; readonly use: PatternUse };

function checkAnchor(key: string, value: Json, site: AnchorSite, findings: Findings): void {
  const sign = anchorSign(key);
  if (sign === undefined) return;
  const { pointer, use } = site;
  if (!allowedSigns[use].includes(sign)) {
    const help = use === "generate" ? "write the field as it is to be" : helpForSign(sign, use);
    findings.error({
      code: "policy/bad-anchor",
      pointer,
      message: `the anchor \`${sign}()\` is not possible in a ${use} rule`,
      help,
    });
  } else if (sign === "^" && !isListOfMaps(value)) {
    findings.error({
      code: "policy/bad-anchor",
      pointer,
      message: "an existence anchor `^()` must hold a list of maps",
      help: "write the wanted element as the only item of a list",
    });
  }
}

function helpForSign(sign: string, use: PatternUse): string {
  if (sign === "+") return "`+()` adds a field: use a mutate rule";
  return use === "mutate" ? "use `()`, `<()` or `+()`" : "use `()`, `=()`, `^()`, `X()` or `<()`";
}

function anchorSign(key: string): string | undefined {
  if (!key.endsWith(")")) return undefined;
  if (key.startsWith("(")) return "";
  return /^[=^X<+]\(/.test(key) ? key.charAt(0) : undefined;
}

function isListOfMaps(value: Json): boolean {
  return isArray(value) && value.length > 0 && value.every(isObject);
}

/** Labels and annotations are texts; a bare number or `true` in a pattern for them never matches. */
export function checkMetadataTexts(pattern: Json, pointer: string, findings: Findings): void {
  const metadata = isObject(pattern) ? member(pattern, "metadata") : undefined;
  if (!isObject(metadata)) return;
  for (const key of ["labels", "annotations"]) {
    const values = member(metadata, key);
    if (isObject(values))
      checkTexts(values, appendPointer(appendPointer(pointer, "metadata"), key), findings);
  }
}

function checkTexts(values: JsonObject, pointer: string, findings: Findings): void {
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== "number" && typeof value !== "boolean") continue;
    findings.error({
      code: "policy/wrong-type",
      pointer: appendPointer(pointer, key),
      message: `labels and annotations are texts, found \`${value}\``,
      help: `put it in quotes: \`"${value}"\``,
    });
  }
}
