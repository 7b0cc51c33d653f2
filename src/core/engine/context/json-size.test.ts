/** Sizes of values, beside their text. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { Budget } from "#diag";
import { printJson, type Json } from "#json";

import { jsonSize } from "./json-size.ts";

test("the size is that of the text in UTF-8", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", '"', "\\", "\n", "\u2028", "é", "€", "😀", "\ud800"),
  });
  const values = fc.oneof(fc.jsonValue(), fc.jsonValue({ noUnicodeString: false }), texts, fc.array(texts));
  fc.assert(
    fc.property(values, (value) => {
      const json = value as Json;
      expect(jsonSize(json, new Budget(100_000))).toBe(Buffer.byteLength(printJson(json)));
    }),
    { numRuns: 1000 },
  );
});

test.each<[Json, number]>([
  [[], 2],
  [{}, 2],
  [[1, 2], 5],
  [{ a: null, b: [] }, 17],
  [1e21, 5],
  ["é", 4],
])("%j takes %i bytes", (value, size) => {
  expect(jsonSize(value, new Budget(100))).toBe(size);
});

test("long texts cost steps", () => {
  const budget = new Budget(1000);
  jsonSize("x".repeat(1600), budget);
  expect(budget.spent).toBe(101);
});
