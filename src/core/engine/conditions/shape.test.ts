/** Which values are conditions at all. */
import { expect, test } from "vitest";

import type { Json } from "#json";

import { areConditions } from "./shape.ts";

const condition: Json = { key: "a", operator: "Equals", value: "a" };

test.each<[value: Json, taken: boolean]>([
  [null, true],
  [[], true],
  [{}, true],
  [[condition], true],
  [{ any: null, all: [condition] }, true],
  [[{ any: [condition] }], true],
  [1, false],
  [[[condition]], false],
  [{ any: condition }, false],
  [{ all: ["a"] }, false],
  [[{ ...condition, operator: 1 }], false],
])("%o", (value, taken) => {
  expect(areConditions(value)).toBe(taken);
});
