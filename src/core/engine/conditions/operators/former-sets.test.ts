/** In and NotIn, with what sets them apart from their successors. */
import { expect, test } from "vitest";

import type { TypedJson } from "#json";

import { formerSets } from "./former-sets.ts";

test.each<[key: TypedJson, value: TypedJson, said: string]>([
  ["a", ["a"], "10"],
  ["ab", ["a?"], "10"],
  ["b", ["a"], "01"],
  ["b", "a", "00"],
  ["5", "1-10", "00"],
  [["a", "b"], ["a"], "01"],
  [["ab"], ["a*"], "01"],
  [["a"], "a", "11"],
  [["a"], ["a", 1n], "00"],
])("%o in %o", (key, value, said) => {
  expect(formerSets.map(({ compileValue }) => (compileValue(value)(key) ? "1" : "0")).join("")).toBe(said);
});

test.each<[key: TypedJson]>([[[1n]], [["a", null]], [[["a"]]]])("%o as key is an error", (key) => {
  expect(formerSets.map(({ compileValue }) => compileValue(["1"])(key))).toEqual([
    expect.objectContaining({
      message: expect.stringContaining("operator In takes lists of texts alone") as string,
    }),
    expect.objectContaining({
      message: expect.stringContaining("operator NotIn takes lists of texts alone") as string,
    }),
  ]);
});
