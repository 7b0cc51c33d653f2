/**
 * A scalar of a pattern against one value. What the Go type of a literal decides (an int64 never equals `1.0` the text,
 * a float64 does) is decided here, once.
 * SPEC: Kyverno 1.19 pkg/engine/pattern/pattern.go (Validate); kyverno-surface.md section 3.7.
 */
import { isArray, isObject, type TypedJson } from "#json";

import { compileComparison, type Scalar, type ScalarTest } from "./comparison.ts";
import { resourceNumbers, typedNumbers, type NumberText } from "./number-text.ts";
import { parseConditions, type Condition } from "./operator.ts";

/**
 * The test of a value of a resource (null where it is missing) against a pattern. Numbers of the value that are whole
 * count as int64. A map as a pattern takes every map, a list takes nothing.
 */
export function compileScalar(pattern: TypedJson, numbers: NumberText = resourceNumbers): ScalarTest {
  if (pattern === null) return isZero;
  if (typeof pattern === "boolean") return (value) => value === pattern;
  if (typeof pattern === "bigint") return compileInteger(pattern);
  if (typeof pattern === "number") return compileFloat(pattern);
  if (typeof pattern === "string") return compileText(pattern, numbers);
  return isArray(pattern) ? () => false : isObject;
}

/** One comparison of values whose Go types are known: a bigint is an int64, a number a float64. */
export function matchTyped(value: Scalar, pattern: TypedJson): boolean {
  return compileScalar(pattern, typedNumbers)(value);
}

/** What a pattern of null takes: whatever Go's zero value of its type is, maps and lists aside. */
function isZero(value: Scalar): boolean {
  return value === null || value === "" || value === false || value === 0 || value === 0n;
}

function compileInteger(pattern: bigint): ScalarTest {
  const wanted = Number(pattern);
  const exact = Number.isSafeInteger(wanted);
  return (value) => {
    if (typeof value === "number") {
      return exact ? value === wanted : Number.isInteger(value) && BigInt(value) === pattern;
    }
    if (typeof value === "bigint") return value === pattern;
    return typeof value === "string" && /^[+-]?\d+$/.test(value) && integerEquals(value, pattern);
  };
}

/** Leading zeros aside, an int64 has at most 19 digits. */
function integerEquals(text: string, wanted: bigint): boolean {
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > 19) return false;
  const size = BigInt(digits);
  return wanted === (text.startsWith("-") ? -size : size);
}

function compileFloat(pattern: number): ScalarTest {
  const whole = Number.isInteger(pattern) ? BigInt(pattern) : undefined;
  return (value) => {
    if (typeof value === "number") return value === pattern;
    if (typeof value === "bigint") return value === whole;
    return typeof value === "string" && floatEquals(value, pattern);
  };
}

/**
 * What Go reads as a decimal float: underscores may stand between digits. Infinities equal no literal that JSON can
 * hold, and hexadecimal floats are not read.
 */
const FLOAT = /^[+-]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/;

function floatEquals(text: string, wanted: number): boolean {
  return FLOAT.test(text) && Number(text.replaceAll("_", "")) === wanted;
}

function compileText(pattern: string, numbers: NumberText): ScalarTest {
  const test = anyOf(
    parseConditions(pattern).map((all) =>
      allOf(all.map((condition) => compileCondition(condition, numbers))),
    ),
  );
  return (value) => value === pattern || test(value);
}

function compileCondition(condition: Condition, numbers: NumberText): ScalarTest {
  const tests = condition.comparisons.map((comparison) => compileComparison(comparison, numbers));
  return condition.join === "all" ? allOf(tests) : anyOf(tests);
}

function allOf(tests: readonly ScalarTest[]): ScalarTest {
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return only;
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

function anyOf(tests: readonly ScalarTest[]): ScalarTest {
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return only;
  return (value) => {
    for (const test of tests) if (test(value)) return true;
    return false;
  };
}
