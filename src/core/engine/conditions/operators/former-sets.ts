/**
 * In and NotIn, the deprecated forerunners of AnyIn and its kin. A scalar is looked for as those do, without ranges; a
 * list must hold texts alone and is compared without wildcards. A list with anything else in it makes upstream panic;
 * here it is an error, so that a rule that hangs on it neither passes nor fails.
 * SPEC: Kyverno 1.19 pkg/engine/variables/operator/in.go, notin.go; kyverno-surface.md section 4.4.
 */
import { isTypedArray, type TypedJson } from "#json";
import { compileWildcard, type TextTest } from "#text";

import { EvaluationError } from "../../evaluation-error.ts";
import type { KeyAnswer, OperatorDefinition } from "../operator.ts";
import { compileTwoWay, keyTexts } from "./membership.ts";
import { parseTextList } from "./text-list.ts";
import { typedText } from "./typed-text.ts";

export const formerSets: readonly OperatorDefinition[] = [
  { name: "In", exactSpelling: false, compileValue: (value) => compileFormer("In", value, true) },
  { name: "NotIn", exactSpelling: false, compileValue: (value) => compileFormer("NotIn", value, false) },
];

function compileFormer(operator: string, value: TypedJson, wanted: boolean): KeyAnswer {
  const mixed = new EvaluationError(
    `operator ${operator} takes lists of texts alone as key: use ${wanted ? "AllIn" : "AnyNotIn"}`,
  );
  const scalar = compileScalarTest(value);
  const texts = listTexts(value);
  const members = texts === undefined ? undefined : new Set(texts);
  return (key) => {
    if (isTypedArray(key)) {
      if (!key.every(isText)) return mixed;
      // A list of nothing but the value itself is both in and not in.
      if (key.length === 1 && key[0] === value) return true;
      return members !== undefined && key.every((text) => members.has(text)) === wanted;
    }
    const text = keyTexts(key);
    if (typeof text !== "string") return false;
    const found = scalar?.(text);
    return found !== undefined && found === wanted;
  };
}

/** In, out, or undefined where a value that is no list does not match the key either. */
function compileScalarTest(value: TypedJson): ((key: string) => boolean | undefined) | undefined {
  if (isTypedArray(value)) return compileTwoWay(value.map(typedText));
  if (typeof value !== "string") return undefined;
  const matches: TextTest = compileWildcard(value);
  const texts = parseTextList(value);
  const members = typeof texts === "string" ? undefined : new Set(texts);
  return (key) => matches(key) || members?.has(key);
}

function listTexts(value: TypedJson): readonly string[] | undefined {
  if (isTypedArray(value)) return value.every(isText) ? value : undefined;
  if (typeof value !== "string") return undefined;
  const texts = parseTextList(value);
  return typeof texts === "string" ? undefined : texts;
}

function isText(value: TypedJson): value is string {
  return typeof value === "string";
}
