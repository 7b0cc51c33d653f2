/** The language of text patterns, as it is read. */
import { expect, test } from "vitest";

import { operatorOf, parseConditions } from "./operator.ts";

test.each([
  [">=1", ">="],
  ["<=1", "<="],
  [">1", ">"],
  ["<1", "<"],
  ["!1", "!"],
  ["!1-5", "!"],
  ["1-5", "-"],
  ["-5--1", "-"],
  ["1Gi-2.5Gi", "-"],
  ["1!-5", "!-"],
  ["a-b", ""],
  ["1 - 5", ""],
  ["1-", ""],
  ["==1", ""],
  [">", ""],
  ["", ""],
])("`%s` begins with `%s`", (condition, operator) => {
  expect(operatorOf(condition)).toBe(operator);
});

test("alternatives are apart before conditions are", () => {
  expect(parseConditions(" a | !b & >= 2 ")).toEqual([
    [{ join: "all", comparisons: [{ operator: "", operand: "a" }] }],
    [
      { join: "all", comparisons: [{ operator: "!", operand: "b" }] },
      { join: "all", comparisons: [{ operator: ">=", operand: "2" }] },
    ],
  ]);
});

test("a range is a pair of comparisons, inside or outside", () => {
  expect(parseConditions("1-2|3!-4")).toEqual([
    [
      {
        join: "all",
        comparisons: [
          { operator: ">=", operand: "1" },
          { operator: "<=", operand: "2" },
        ],
      },
    ],
    [
      {
        join: "any",
        comparisons: [
          { operator: "<", operand: "3" },
          { operator: ">", operand: "4" },
        ],
      },
    ],
  ]);
});
