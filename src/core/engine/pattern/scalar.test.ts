/** One scalar against one value: must-match and must-not-match, for each kind of pattern. */
import { describe, expect, test } from "vitest";

import type { Scalar } from "./comparison.ts";
import { compileScalar, matchTyped } from "./scalar.ts";

type Case = { readonly pattern: Scalar; readonly yes: readonly Scalar[]; readonly no: readonly Scalar[] };

const cases: readonly Case[] = [
  { pattern: null, yes: [null, 0, "", false, 0n, -0], no: [1, "0", true, {}, [], 1n] },
  { pattern: true, yes: [true], no: [false, "true", 1, null] },
  {
    pattern: 10n,
    yes: [10, "10", "+10", "0010", 10n],
    no: [10.5, "10.0", "1_0", "", "x", null, true, 11n, [], {}],
  },
  { pattern: -1n, yes: [-1, "-1", "-01"], no: [1, "1", "--1"] },
  { pattern: 2n ** 62n, yes: [2 ** 62, "4611686018427387904"], no: [2 ** 61, 0.5, "46116860184273879040"] },
  {
    pattern: 10,
    yes: [10, "10", "10.0", "1e1", "1_0", 10n],
    no: [11, "1_", "_10", "0x10", "Inf", null, true, 11n],
  },
  { pattern: 1.5, yes: [1.5, "1.5", "1.50", "15e-1"], no: [1, 1n, "1,5", ".", ""] },
  { pattern: {}, yes: [{}, { a: 1 }], no: [[], null, "x"] },
  { pattern: [], yes: [], no: [[], null, "x"] },
  { pattern: "*", yes: ["", "x", true, 0, 1.5], no: [null, {}, []] },
  { pattern: "?*", yes: ["x", false, 0], no: ["", null] },
  { pattern: "nginx:*", yes: ["nginx:1"], no: ["nginx", "busybox:1"] },
  { pattern: "!*:latest", yes: ["nginx:1", "", true], no: ["nginx:latest", null, {}] },
  { pattern: "a|b", yes: ["a", "b", "a|b"], no: ["c", ""] },
  { pattern: "a* & *z", yes: ["az", "a-z"], no: ["a", "z"] },
  { pattern: "false", yes: [false, "false"], no: [true, null, 0] },
  { pattern: "!true", yes: [false, "x", 0], no: [true, "true", null] },
  { pattern: "10", yes: [10, "10", "10.0", "10000m", 10n], no: [11, "x", "1?"] },
  { pattern: "1?", yes: [10, 19, "1x"], no: [1, 100] },
  { pattern: ">5", yes: [6, 5.5, "6", "5001m"], no: [5, "5", "x", null, true, {}] },
  { pattern: ">= 5", yes: [5, 6, "5"], no: [4.9, null] },
  { pattern: "<5", yes: [4, -1, null, "0"], no: [5, "x", "5k"] },
  { pattern: "<=5", yes: [5, null], no: [5.1, "6"] },
  { pattern: "!0", yes: [1, "x", 0.5, "1h"], no: [0, null, "0", "0Gi", "0s"] },
  { pattern: "1Gi", yes: ["1024Mi", 1073741824], no: ["1G", 1, null] },
  { pattern: "!1Gi", yes: ["1G", null], no: ["1024Mi"] },
  { pattern: "1h", yes: ["60m", "3600s"], no: ["1m", 1, null] },
  { pattern: ">1h", yes: ["61m"], no: ["60m", "59m", null, 7200] },
  { pattern: "<1h", yes: ["59m", null], no: ["1h"] },
  { pattern: "10-20", yes: [10, 15, 20, "15"], no: [9, 21, "x"] },
  { pattern: "10!-20", yes: [9, 21], no: [10, 20, 15, "x"] },
  { pattern: ">a", yes: [], no: ["b", 1] },
  { pattern: "1.5E+00", yes: [1.5, "1.5E+00"], no: [15] },
];

/** As Go would write it, so that an int64 shows. */
function show(value: Scalar): string {
  return typeof value === "bigint" ? `int64 ${value}` : JSON.stringify(value);
}

describe.each(cases.map((one) => ({ ...one, name: show(one.pattern) })))("$name", ({ pattern, yes, no }) => {
  const matches = compileScalar(pattern);

  test.each(yes.map((value) => ({ value, name: show(value) })))("takes $name", ({ value }) => {
    expect(matches(value)).toBe(true);
  });

  test.each(no.map((value) => ({ value, name: show(value) })))("does not take $name", ({ value }) => {
    expect(matches(value)).toBe(false);
  });
});

test("the Go type of a number decides its text", () => {
  expect(matchTyped(10n, "1?")).toBe(true);
  expect(matchTyped(10, "1?")).toBe(false);
  expect(matchTyped(10, "1E+01")).toBe(true);
  expect(matchTyped(10n, "10000m")).toBe(true);
  expect(matchTyped(10, "10000m")).toBe(true);
});

test("whole numbers beyond 2^53 keep their digits, beyond int64 they are floats", () => {
  expect(compileScalar("9007199254740994")(2 ** 53 + 2)).toBe(true);
  expect(compileScalar("4611686018427387904*")(2 ** 62)).toBe(true);
  expect(compileScalar("1000*")(1e19)).toBe(false);
  expect(compileScalar("1E+19")(1e19)).toBe(true);
});
