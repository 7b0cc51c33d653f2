/**
 * Equals and NotEquals. The type of the key decides: texts are durations, quantities or wildcards, in this order, and
 * numbers take texts that are numbers. NotEquals is the opposite for every key but null, for which neither holds.
 * SPEC: Kyverno 1.19 pkg/engine/variables/operator/equal.go, notequal.go; kyverno-surface.md section 4.4.
 */
import type { TypedJson } from "#json";
import { compareQuantity, compileWildcard, parseInt64, parseQuantity } from "#text";

import type { KeyTest, OperatorDefinition } from "../operator.ts";
import { parseFloatText } from "./parse-float.ts";
import { pairSeconds, parseOwnDuration, toInt64 } from "./seconds.ts";
import { equalTyped } from "./typed-equality.ts";

export const equals: OperatorDefinition = {
  name: "Equals",
  exactSpelling: false,
  compileValue: compileEquals,
};

export const notEquals: OperatorDefinition = {
  name: "NotEquals",
  exactSpelling: false,
  compileValue(value) {
    const test = compileEquals(value);
    return (key) => key !== null && !test(key);
  },
};

/** The former names; they mean the same. */
export const equal: OperatorDefinition = { ...equals, name: "Equal" };
export const notEqual: OperatorDefinition = { ...notEquals, name: "NotEqual" };

function compileEquals(value: TypedJson): KeyTest {
  if (typeof value === "string") return compileText(value);
  if (typeof value === "number" || typeof value === "bigint") return compileNumber(value);
  if (value === null) return () => false;
  return typeof value === "boolean" ? (key) => key === value : (key) => equalTyped(key, value);
}

function compileText(value: string): KeyTest {
  const duration = parseOwnDuration(value);
  const quantity = parseQuantity(value);
  const float = parseFloatText(value);
  const integer = parseInt64(value);
  const matches = compileWildcard(value);
  return (key) => {
    if (typeof key === "number") return key === float;
    if (typeof key === "bigint") return key === integer;
    if (typeof key !== "string") return false;
    const seconds = pairSeconds(key, value, duration);
    if (seconds !== undefined) return seconds.key === seconds.value;
    const given = parseQuantity(key);
    if (given === undefined) return matches(key);
    return quantity !== undefined && compareQuantity(given, quantity) === 0;
  };
}

function compileNumber(value: number | bigint): KeyTest {
  return (key) => {
    if (typeof key === "number" || typeof key === "bigint") return equalNumbers(key, value);
    if (typeof key !== "string") return false;
    const seconds = pairSeconds(key, value, undefined);
    return seconds !== undefined && seconds.key === seconds.value;
  };
}

/** A float64 equals an int64 where it has no fraction and is the same as one. */
function equalNumbers(left: number | bigint, right: number | bigint): boolean {
  if (typeof left === "number") {
    return typeof right === "number" ? left === right : Number.isInteger(left) && toInt64(left) === right;
  }
  return typeof right === "bigint" ? left === right : Number.isInteger(right) && toInt64(right) === left;
}
