/** Equals and NotEquals over pairs of Go types. */
import { expect, test } from "vitest";

import type { TypedJson } from "#json";

import { equals, notEquals } from "./equality.ts";

test.each<[key: TypedJson, value: TypedJson, held: boolean]>([
  ["1h", "60m", true],
  ["1h", 3600, true],
  [3600, "1h", false],
  ["0", "0s", false],
  ["0", 0, false],
  ["1Gi", "1024Mi", true],
  ["1Gi", "*", false],
  ["nginx:1.25", "nginx:*", true],
  ["nginx:*", "nginx:1.25", false],
  [5, "5.0", true],
  [5n, "5.0", false],
  [5n, 5, true],
  [1.5, 1n, false],
  [9_007_199_254_740_993n, 9_007_199_254_740_992, false],
  [true, "true", false],
  [[1n], [1n], true],
  [[1n], [1], false],
  [{ a: "x" }, { a: "x", b: null }, false],
])("%o equals %o: %s", (key, value, held) => {
  expect(equals.compileValue(value)(key)).toBe(held);
  expect(notEquals.compileValue(value)(key)).toBe(!held);
});

test("null equals nothing and differs from nothing", () => {
  expect(equals.compileValue(null)(null)).toBe(false);
  expect(notEquals.compileValue("a")(null)).toBe(false);
});
