/** Whole patterns: every outcome, its path and its text. */
import { describe, expect, test } from "vitest";

import { Budget, Interruption } from "#diag";
import { withInt64, type Json } from "#json";

import { compilePattern, type PatternOutcome } from "./compile-pattern.ts";

function match(pattern: Json, resource: Json): PatternOutcome {
  return compilePattern(withInt64(pattern)).match(resource, new Budget(10_000));
}

type Case = {
  readonly name: string;
  readonly pattern: Json;
  readonly resource: Json;
  /** `pass`, `skip`, `error`, or the path of the failure. */
  readonly want: string;
  readonly says?: string;
};

function expectOutcomes(cases: readonly Case[]): void {
  test.each(cases)("$name", ({ pattern, resource, want, says }) => {
    const got = match(pattern, resource);
    expect(got.kind === "fail" ? got.path : got.kind).toBe(want);
    if (says !== undefined) expect(got).toMatchObject({ message: says });
  });
}

const containers = (...list: Json[]): Json => ({ spec: { containers: list } });

describe("a pod's containers", () => {
  const unprivileged = {
    spec: { "=(containers)": [{ "=(securityContext)": { "=(privileged)": "false" } }] },
  };
  const noLatest = containers({ image: "!*:latest" });
  expectOutcomes([
    { name: "no security context", pattern: unprivileged, resource: containers({ name: "a" }), want: "pass" },
    {
      name: "unprivileged",
      pattern: unprivileged,
      resource: containers({ securityContext: { privileged: false } }),
      want: "pass",
    },
    { name: "no containers at all", pattern: unprivileged, resource: { spec: {} }, want: "pass" },
    {
      name: "the second is privileged",
      pattern: unprivileged,
      resource: containers({}, { securityContext: { privileged: true } }),
      want: "/spec/containers/1/securityContext/privileged/",
      says: "resource value 'true' does not match 'false' at path /spec/containers/1/securityContext/privileged/",
    },
    {
      name: "no spec",
      pattern: unprivileged,
      resource: {},
      want: "/spec/",
      says: "pattern and resource have different structures. Path: /spec/. Expected map[string]interface {}, found <nil>",
    },
    {
      name: "an element that is no map",
      pattern: noLatest,
      resource: containers("x"),
      want: "/spec/containers/0/",
      says: "pattern and resource have different structures. Path: /spec/containers/0/. Expected map[string]interface {}, found string",
    },
    {
      name: "containers that are no list",
      pattern: noLatest,
      resource: { spec: { containers: {} } },
      want: "/spec/containers/",
      says: "validation rule failed at path /spec/containers/, resource does not satisfy the expected overlay pattern",
    },
    { name: "an empty list", pattern: noLatest, resource: containers(), want: "pass" },
  ]);
});

describe("scalars and lists", () => {
  expectOutcomes([
    { name: "each element of a list", pattern: { a: ">0" }, resource: { a: [1, 2] }, want: "pass" },
    {
      name: "one element does not match",
      pattern: { a: ">1" },
      resource: { a: [{ y: 1, x: [true, null] }, 1.5] },
      want: "/a/",
      says: "resource value '[map[x:[true <nil>] y:1] 1.5]' does not match '>1' at path /a/",
    },
    { name: "an empty list matches any scalar", pattern: { a: "x" }, resource: { a: [] }, want: "pass" },
    {
      name: "only the first scalar counts",
      pattern: { a: ["x", "y"] },
      resource: { a: ["x", "x"] },
      want: "pass",
    },
    {
      name: "an empty pattern list",
      pattern: { a: [] },
      resource: { a: [] },
      want: "/a/",
      says: "pattern Array empty",
    },
    {
      name: "lists one by one",
      pattern: { a: [["x"], ["y"]] },
      resource: { a: [["x"], ["z"], ["z"]] },
      want: "/a/1/",
    },
    {
      name: "what is beyond is not looked at",
      pattern: { a: [["x"]] },
      resource: { a: [["x"], ["z"]] },
      want: "pass",
    },
    {
      name: "too few lists",
      pattern: { a: [["x"], ["y"]] },
      resource: { a: [["x"]] },
      want: "error",
      says: "validate Array failed, array length mismatch, resource Array len is 1 and pattern Array len is 2",
    },
    { name: "a star takes what is there", pattern: { a: "*" }, resource: { a: {} }, want: "pass" },
    {
      name: "a star does not take null",
      pattern: { a: "*" },
      resource: { a: null },
      want: "/",
      says: "//a not found",
    },
    { name: "a float's text", pattern: { a: 0.5 }, resource: { a: 1e6 }, want: "/a/" },
    { name: "the whole document is a scalar", pattern: "x", resource: "y", want: "/" },
    {
      name: "a key that objects inherit is missing",
      pattern: { a: { toString: "*" } },
      resource: { a: {} },
      want: "/a/",
    },
    {
      name: "a key that objects inherit is there",
      pattern: { constructor: "x" },
      resource: { constructor: "x" },
      want: "pass",
    },
  ]);
});

describe("anchors", () => {
  const absent = "conditional anchor mismatch: conditional anchor key doesn't exist in the resource";
  expectOutcomes([
    { name: "a condition holds", pattern: { "(a)": 1, b: 2 }, resource: { a: 1, b: 2 }, want: "pass" },
    {
      name: "a condition holds, the rest does not",
      pattern: { "(a)": 1, b: 2 },
      resource: { a: 1, b: 3 },
      want: "/b/",
    },
    {
      name: "a condition does not hold",
      pattern: { "(a)": 1, b: 2 },
      resource: { a: 2, b: 3 },
      want: "skip",
      says: "conditional anchor mismatch: resource value '2' does not match '1' at path /a/",
    },
    { name: "a condition's key is missing", pattern: { "(a)": 1 }, resource: {}, want: "skip", says: absent },
    {
      name: "two conditions do not hold",
      pattern: { "(a)": 1, "(b)": 1 },
      resource: {},
      want: "skip",
      says: `${absent}; ${absent}`,
    },
    {
      name: "a condition skips elements",
      pattern: [{ "(a)": 1, b: 2 }],
      resource: [{ a: 2 }, { a: 1, b: 2 }],
      want: "pass",
    },
    {
      name: "a condition skips all elements",
      pattern: [{ "(a)": 1, b: 2 }],
      resource: [{ a: 2 }],
      want: "skip",
    },
    {
      name: "a skip below is forgiven where a sibling applied",
      pattern: { "=(a)": 1, "=(b)": [{ "(c)": 1 }], d: 1 },
      resource: { a: 1, b: [{ c: 2 }], d: 2 },
      want: "/d/",
    },
    {
      name: "a skip of its own is not",
      pattern: { "=(a)": 1, "(b)": 1, d: 1 },
      resource: { a: 1, b: 2, d: 2 },
      want: "skip",
    },
    {
      name: "a skip wins over a later failure",
      pattern: { "(a)": 1, "=(b)": 1 },
      resource: { a: 2, b: 2 },
      want: "skip",
    },
    {
      name: "an earlier failure wins",
      pattern: { "=(b)": 1, "^(a)": 1 },
      resource: { a: 2, b: 2 },
      want: "/b/",
    },
    { name: "a global holds", pattern: { "<(a)": 1, b: 2 }, resource: { a: 1, b: 2 }, want: "pass" },
    { name: "a global's key is missing", pattern: { "<(a)": 1, b: 2 }, resource: { b: 3 }, want: "/b/" },
    {
      name: "a global does not hold",
      pattern: { b: 2, c: { "<(a)": 1 } },
      resource: { b: 3, c: { a: 2 } },
      want: "skip",
      says: "global anchor mismatch: resource value '2' does not match '1' at path /c/a/",
    },
    { name: "a forbidden key is absent", pattern: { "X(a)": "null" }, resource: {}, want: "pass" },
    {
      name: "a forbidden key is there",
      pattern: { s: [{ "X(a)": "null" }] },
      resource: { s: [{}, { a: null }] },
      want: "/s/1/a/",
      says: "negation anchor matched in resource: /s/1/a/ is not allowed",
    },
    { name: "an addition is an ordinary key", pattern: { "+(a)": 1 }, resource: { a: 1 }, want: "/+(a)/" },
  ]);
});

describe("existence", () => {
  expectOutcomes([
    {
      name: "one element matches",
      pattern: { "^(l)": [{ a: 1 }] },
      resource: { l: [{ a: 2 }, { a: 1 }] },
      want: "pass",
    },
    { name: "no list, nothing asked", pattern: { "^(l)": [{ a: 1 }] }, resource: {}, want: "pass" },
    {
      name: "no element matches",
      pattern: { "^(l)": [{ a: 1 }] },
      resource: { l: [{ a: 2 }] },
      want: "/l/",
      says: "existence anchor validation failed at path /l/",
    },
    {
      name: "each map needs its element",
      pattern: { "^(l)": [{ a: 1 }, { a: 3 }] },
      resource: { l: [{ a: 1 }] },
      want: "/l/",
    },
    {
      name: "on what is no list",
      pattern: { "^(l)": [{ a: 1 }] },
      resource: { l: "x" },
      want: "/l/",
      says: "invalid resource type string: Existence ^ () anchor can be used only on list/array type resource",
    },
    {
      name: "with a pattern that is no list",
      pattern: { "^(l)": 1 },
      resource: { l: [] },
      want: "/l/",
      says: "invalid pattern type int64: Pattern has to be of list to compare against resource",
    },
    {
      name: "with elements that are no maps",
      pattern: { "^(l)": ["x"] },
      resource: { l: [] },
      want: "/l/",
      says: "invalid pattern type []interface {}: Pattern has to be of type map to compare against items in resource",
    },
  ]);
});

describe("a failure becomes an error where an expected key was nowhere", () => {
  expectOutcomes([
    { name: "never seen", pattern: { a: 1, "^(l)": [{ x: 1 }] }, resource: { a: 2 }, want: "error" },
    {
      name: "seen in another element",
      pattern: { m: [{ "^(l)": [{ x: 1 }], a: 1 }] },
      resource: { m: [{ l: [{ x: 1 }], a: 1 }, { a: 2 }] },
      want: "/m/1/a/",
    },
    {
      name: "not reached",
      pattern: { a: 1, b: { c: [{ "(d)": 1 }] } },
      resource: { b: { c: [] } },
      want: "/a/",
    },
    {
      name: "in a list of lists",
      pattern: { a: [["x"], [{ "^(l)": [] }]] },
      resource: { a: [["y"], [{}]] },
      want: "/a/0/",
    },
    {
      name: "forbidden keys are not expected",
      pattern: { a: 1, "X(l)": "" },
      resource: { a: 2 },
      want: "/a/",
    },
  ]);
});

describe("failures are told by their words", () => {
  const condition = "conditional anchor mismatch";
  const negation = "negation anchor matched in resource";
  expectOutcomes([
    { name: "a value says skip", pattern: { a: "x" }, resource: { a: condition }, want: "skip" },
    {
      name: "a value inside says skip",
      pattern: { a: "x" },
      resource: { a: { b: condition } },
      want: "skip",
    },
    {
      name: "a pattern says skip",
      pattern: { a: "global anchor mismatch" },
      resource: { a: "x" },
      want: "skip",
    },
    { name: "a key says skip", pattern: { [condition]: ["x"] }, resource: {}, want: "skip" },
    {
      name: "an element that says so is skipped",
      pattern: [{ a: "x" }],
      resource: [{ a: condition }, { a: "x" }],
      want: "pass",
    },
    {
      name: "a value says that it is forbidden",
      pattern: { a: "x", "^(b)": [] },
      resource: { a: negation },
      want: "/a/",
    },
    { name: "a pattern says so", pattern: { a: negation, "^(b)": [] }, resource: { a: 1 }, want: "/a/" },
    {
      name: "a condition is a condition, whatever it says",
      pattern: { "(a)": "x" },
      resource: { a: negation },
      want: "skip",
    },
  ]);
});

test("keys that hold anchors come first, the last of them before the others", () => {
  const pattern = { a: 1, b: { "=(x)": 1 }, c: { "=(x)": 1 } };
  expect(match(pattern, { a: 2, b: { x: 2 }, c: { x: 2 } })).toMatchObject({ path: "/c/x/" });
  expect(match(pattern, { a: 2, b: { x: 2 }, c: {} })).toMatchObject({ path: "/b/x/" });
  expect(match(pattern, { a: 2, b: {}, c: {} })).toMatchObject({ path: "/a/" });
});

test("passing is one and the same answer", () => {
  expect(match({ a: 1 }, { a: 1 })).toBe(match({ b: 1 }, { b: 1 }));
});

test("the budget is charged by what is looked at", () => {
  const spent = (count: number, text: string, pattern = "x*"): number => {
    const program = compilePattern([{ a: pattern }]);
    const budget = new Budget(1_000_000);
    program.match(
      Array.from({ length: count }, () => ({ a: text })),
      budget,
    );
    return budget.spent;
  };
  expect(spent(100, "x") - spent(10, "x")).toBe(90 * 2);
  expect(spent(1, "x".repeat(3200)) - spent(1, "x")).toBe(100);
  expect(spent(1, "x".repeat(3200), "?*x") - spent(1, "", "?*x")).toBe(300);
  expect(() => compilePattern(["x"]).match(["x", "x", "x"], new Budget(2))).toThrow(Interruption);
});
