/** Choosing an operator, and the ones that compare by an order. */
import { describe, expect, test } from "vitest";

import type { TypedJson } from "#json";

import { compileOperator, operators } from "./operator-table.ts";

function holds(key: TypedJson, operator: string, value: TypedJson): boolean | string {
  const program = compileOperator(operator);
  if ("error" in program) return program.error;
  const answer = program.compare(key, value);
  return typeof answer === "boolean" ? answer : answer.message;
}

test("every operator has a name of its own", () => {
  expect(new Set(operators.map(({ name }) => name.toLowerCase())).size).toBe(18);
});

test("an unknown operator is what upstream calls it", () => {
  expect(holds("a", "Is", "a")).toBe("failed to create handler for condition operator: %!w(<nil>)");
});

describe("case of letters", () => {
  test.each([
    ["a", "EQUALS", "a", true],
    ["a", "anyin", "a", true],
    [2, "GreaterThan", 1, true],
    [2, "greaterthan", 1, false],
    ["2h", "durationGreaterThan", "1h", false],
  ])("%o %s %o", (key, operator, value, held) => {
    expect(holds(key, operator, value)).toBe(held);
  });
});

describe("orders", () => {
  test.each<[key: TypedJson, operator: string, value: TypedJson, held: boolean]>([
    ["1h", "GreaterThan", "59m", true],
    ["1h", "LessThanOrEquals", 3600.9, true],
    [3600, "GreaterThanOrEquals", "1h", true],
    ["5", "LessThan", "1h", true],
    ["1Gi", "GreaterThan", "1000Mi", true],
    ["1.10", "GreaterThan", "1.9", false],
    ["1.10.0", "GreaterThan", "1.9.0", true],
    ["1.2.3-rc.1", "LessThan", "1.2.3", true],
    ["v1.2.3", "LessThan", "1.2.4", false],
    ["0x10p0", "GreaterThan", 15, true],
    ["NaN", "LessThanOrEquals", 1, false],
    [true, "GreaterThan", 0, false],
    [null, "LessThan", 1, false],
    ["30s", "DurationGreaterThan", 1.9, true],
    ["10", "DurationGreaterThan", 1, false],
    [60n, "DurationGreaterThanOrEquals", "1m", true],
  ])("%o %s %o: %s", (key, operator, value, held) => {
    expect(holds(key, operator, value)).toBe(held);
  });
});
