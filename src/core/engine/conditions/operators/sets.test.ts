/** The four set operators, counted over one key at a time. */
import { describe, expect, test } from "vitest";

import type { TypedJson } from "#json";

import { sets } from "./sets.ts";

/** What AnyIn, AllIn, AnyNotIn and AllNotIn say, as `1` and `0`. */
function answers(key: TypedJson, value: TypedJson): string {
  return sets.map(({ compileValue }) => (compileValue(value)(key) ? "1" : "0")).join("");
}

describe("a scalar key", () => {
  test.each<[key: TypedJson, value: TypedJson, said: string]>([
    ["a", ["a", "b"], "1100"],
    ["ab", ["a*"], "1100"],
    ["a*", ["ab"], "1100"],
    ["c", ["a", "b"], "0011"],
    ["5", "1-10", "1100"],
    ["50", "1-10", "0011"],
    ["a", '["a"]', "1100"],
    ["b", "null", "0011"],
    ["b", "[1]", "0000"],
    ["b", 1, "0000"],
    [1_000_000, ["1e+06"], "1100"],
    [1_000_000n, ["1000000"], "1100"],
    [true, ["true"], "1100"],
  ])("%o in %o", (key, value, said) => {
    expect(answers(key, value)).toBe(said);
  });
});

describe("a list as a key", () => {
  test.each<[key: TypedJson, value: TypedJson, said: string]>([
    [["a", "b"], ["a"], "1010"],
    [[], ["a"], "0101"],
    [["1"], "1", "1100"],
    [["2"], "1", "0000"],
    [["5", "50"], "1-10", "1010"],
    [[5n], 5, "1000"],
    [[5n], 6, "0010"],
    [["a", "b"], "a*", "1010"],
  ])("%o in %o", (key, value, said) => {
    expect(answers(key, value)).toBe(said);
  });
});

test("nothing is in or out for null and maps", () => {
  expect(answers(null, ["a"])).toBe("0000");
  expect(answers({ a: "a" }, ["a"])).toBe("0000");
});
