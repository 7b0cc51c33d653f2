/**
 * One comparison of a scalar with an operand, decided as far as the operand allows. Values are compared as durations
 * where both sides are durations, else as quantities where both are, else as texts with wildcards, which know only
 * equality. A missing value counts as zero for the first two and equals no text.
 * SPEC: Kyverno 1.19 pkg/engine/pattern/pattern.go (validateString, compareDuration, compareQuantity, compareString).
 */
import type { TypedJson } from "#json";
import { compareQuantity, compileWildcard, parseDuration, parseQuantity } from "#text";

import type { NumberText } from "./number-text.ts";
import type { Comparison } from "./operator.ts";

/** A bigint stands for an int64 where the Go type of a value is known. */
export type Scalar = TypedJson;

export type ScalarTest = (value: Scalar) => boolean;

type Comparator = Comparison["operator"];

/** `sign` of value minus operand, read by the operator. */
const holds: Readonly<Record<Comparator, (sign: number) => boolean>> = {
  "": (sign) => sign === 0,
  "!": (sign) => sign !== 0,
  ">": (sign) => sign > 0,
  ">=": (sign) => sign >= 0,
  "<": (sign) => sign < 0,
  "<=": (sign) => sign <= 0,
};

/** Sign of value minus operand, or undefined where the two cannot be compared this way. */
type Difference = (value: string) => number | undefined;

export function compileComparison(comparison: Comparison, numbers: NumberText): ScalarTest {
  const { operator, operand } = comparison;
  const byText = compileTextTest(operator, operand, numbers);
  const duration = durationDifference(operand);
  const quantity = quantityDifference(operand);
  if (duration === undefined && quantity === undefined) return byText;
  const test = holds[operator];
  const whole = wholeNumber(operand);
  return (value) => {
    // PERF: a whole number against a whole number, the usual case, needs no texts. Zero is a duration, too.
    if (whole !== undefined && Number.isSafeInteger(value)) return test(Number(value) - whole);
    const text = numericText(value, numbers);
    if (text === undefined) return byText(value);
    const sign = duration?.(text) ?? quantity?.(text);
    return sign === undefined ? byText(value) : test(sign);
  };
}

function durationDifference(operand: string): Difference | undefined {
  const wanted = parseDuration(operand);
  if (wanted === undefined) return undefined;
  return (text) => {
    const given = parseDuration(text);
    if (given === undefined || given === wanted) return given === undefined ? undefined : 0;
    return given < wanted ? -1 : 1;
  };
}

function quantityDifference(operand: string): Difference | undefined {
  const wanted = parseQuantity(operand);
  if (wanted === undefined) return undefined;
  return (text) => {
    const given = parseQuantity(text);
    return given === undefined ? undefined : compareQuantity(given, wanted);
  };
}

/** The operand as a number where it is nothing but digits, few enough to be exact. */
function wholeNumber(operand: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(operand) ? Number(operand) : undefined;
}

/** What is parsed as a duration or quantity; undefined for what is never one. */
function numericText(value: Scalar, numbers: NumberText): string | undefined {
  if (typeof value === "string") return value;
  if (value === null) return "0";
  return typeof value === "number" || typeof value === "bigint" ? numbers.numeric(value) : undefined;
}

function compileTextTest(operator: Comparator, operand: string, numbers: NumberText): ScalarTest {
  if (operator !== "" && operator !== "!") return () => false;
  const matches = compileWildcard(operand);
  const wanted = operator === "";
  const forTrue = matches("true") === wanted;
  const forFalse = matches("false") === wanted;
  return (value) => {
    if (typeof value === "string") return matches(value) === wanted;
    if (typeof value === "boolean") return value ? forTrue : forFalse;
    if (typeof value === "number" || typeof value === "bigint")
      return matches(numbers.text(value)) === wanted;
    return false;
  };
}
