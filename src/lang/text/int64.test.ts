import { expect, test } from "vitest";
import { parseInt64 } from "./int64.ts";

test.each([
  ["0", 0n],
  ["+7", 7n],
  ["-007", -7n],
  ["9223372036854775807", (1n << 63n) - 1n],
  ["-9223372036854775808", -(1n << 63n)],
  ["9223372036854775808", undefined],
  ["-9223372036854775809", undefined],
  ["99999999999999999999", undefined],
  ["", undefined],
  ["+", undefined],
  ["1.0", undefined],
  ["1_0", undefined],
  [" 1", undefined],
])("%j is %s", (text, want) => {
  expect(parseInt64(text)).toBe(want);
});
