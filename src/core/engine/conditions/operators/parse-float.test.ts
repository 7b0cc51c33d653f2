/** Floats as strconv reads them. */
import { expect, test } from "vitest";

import { parseFloatText } from "./parse-float.ts";

test.each<[text: string, value: number | undefined]>([
  ["1.5", 1.5],
  [".5", 0.5],
  ["5.", 5],
  ["+1e3", 1000],
  ["1_000", 1000],
  ["1__0", undefined],
  ["_1", undefined],
  ["0x1p-2", 0.25],
  ["-0x1.8p1", -3],
  ["0x1", undefined],
  ["0x.p1", undefined],
  ["-Inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["nan", Number.NaN],
  ["+nan", undefined],
  ["1e400", undefined],
  ["", undefined],
  [" 1", undefined],
])("%o", (text, value) => {
  expect(parseFloatText(text)).toBe(value);
});
