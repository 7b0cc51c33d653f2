/** Expectations held against answers: what is met, what is not, and what upstream would let pass. */
import { describe, expect, test } from "vitest";

import type { RuleResult } from "#engine";

import type { Expectation } from "./expectation.ts";
import { meetsRule, rowsOf, samePolicy, type Answer, type RowOptions } from "./rows.ts";

type Status = RuleResult["status"];

function result(rule: string, status: Status): RuleResult {
  return {
    rule,
    type: "Validation",
    status,
    message: `${rule}: ${status}`,
    action: "Audit",
    emitWarning: false,
  };
}

function answer(name: string, rules: Readonly<Record<string, Status>>, more: Partial<Answer> = {}): Answer {
  return {
    apiVersion: "v1",
    kind: "Pod",
    namespace: "default",
    name,
    policy: "p",
    scored: true,
    rules: Object.entries(rules).map(([rule, status]) => result(rule, status)),
    ruleNames: () => ["r"],
    isUnsupported: () => false,
    whyNot: (rule) => `${rule} does not match ${name}`,
    ...more,
  };
}

function expectation(more: Partial<Expectation>): Expectation {
  return {
    policy: "p",
    rule: "r",
    result: "pass",
    kind: "Pod",
    resources: ["a"],
    resourceSpecs: [],
    generatedResources: [],
    failOnMissingResources: false,
    pointer: "/results/0",
    ...more,
  };
}

const strict: RowOptions = {
  upstreamCounting: false,
  policyProblem: (policy) => (policy === "p" ? undefined : `no policy ${policy}`),
  isRefused: (policy) => policy === "refused",
  resourceProblem: (label) => `no resource ${label}`,
  isUnsupported: () => false,
};

const upstream: RowOptions = { ...strict, upstreamCounting: true };

/** `outcome reason` of each row. */
function outcomes(wanted: Partial<Expectation>, answers: readonly Answer[], options = strict): string[] {
  return rowsOf(expectation(wanted), answers, options).map((row) => `${row.outcome}: ${row.reason}`);
}

const unscored = { scored: false };

describe("a row is met", () => {
  test.each<{ name: string; wanted: Partial<Expectation>; answers: readonly Answer[]; is: string[] }>([
    {
      name: "by that status",
      wanted: { result: "pass" },
      answers: [answer("a", { r: "pass" })],
      is: ["pass: Ok"],
    },
    {
      name: "by a failure",
      wanted: { result: "fail" },
      answers: [answer("a", { r: "fail" })],
      is: ["pass: Ok"],
    },
    {
      name: "by an error",
      wanted: { result: "error" },
      answers: [answer("a", { r: "error" })],
      is: ["pass: Ok"],
    },
    {
      name: "by a given skip",
      wanted: { result: "skip" },
      answers: [answer("a", { r: "skip" })],
      is: ["pass: Ok"],
    },
    {
      name: "by absence of a skip",
      wanted: { result: "skip" },
      answers: [answer("a", {})],
      is: ["skip: Excluded"],
    },
    {
      name: "by an unscored failure as warn",
      wanted: { result: "warn" },
      answers: [answer("a", { r: "fail" }, unscored)],
      is: ["pass: Ok"],
    },
    {
      name: "by the rules that autogen makes",
      wanted: {},
      answers: [answer("a", { "autogen-r": "pass", "autogen-cronjob-r": "pass" })],
      is: ["pass: Ok", "pass: Ok"],
    },
    {
      name: "by any rule where none is named",
      wanted: { rule: "" },
      answers: [answer("a", { q: "pass" })],
      is: ["pass: Ok"],
    },
    {
      name: "by a resource of the named namespace",
      wanted: { resources: ["n/a"] },
      answers: [answer("a", { r: "fail" }), answer("a", { r: "pass" }, { namespace: "n" })],
      is: ["pass: Ok"],
    },
    {
      name: "by a resource that a spec describes",
      wanted: { resources: [], resourceSpecs: [{ kind: "Service", name: "a" }] },
      answers: [answer("a", { r: "fail" }), answer("a", { r: "pass" }, { kind: "Service" })],
      is: ["pass: Ok"],
    },
    {
      name: "by the answer for its own operation",
      wanted: { operation: "DELETE" },
      answers: [answer("a", { r: "fail" }), answer("a", { r: "pass" }, { operation: "DELETE" })],
      is: ["pass: Ok"],
    },
    {
      name: "by every resource where none is named",
      wanted: { resources: [] },
      answers: [answer("a", { r: "pass" }), answer("b", { r: "fail" })],
      is: ["pass: Ok", "fail: Want pass, got fail"],
    },
  ])("$name", ({ wanted, answers, is }) => {
    expect(outcomes(wanted, answers)).toEqual(is);
  });
});

describe("a row is not met", () => {
  test.each<{ name: string; wanted: Partial<Expectation>; answers: readonly Answer[]; is: string[] }>([
    {
      name: "by another status",
      wanted: {},
      answers: [answer("a", { r: "fail" })],
      is: ["fail: Want pass, got fail"],
    },
    {
      name: "by an unscored failure as fail",
      wanted: { result: "fail" },
      answers: [answer("a", { r: "fail" }, unscored)],
      is: ["fail: Want fail, got warn"],
    },
    {
      name: "by a pass where a skip is wanted",
      wanted: { result: "skip" },
      answers: [answer("a", { r: "pass" })],
      is: ["fail: Want skip, got pass"],
    },
    {
      name: "by another rule",
      wanted: {},
      answers: [answer("a", { q: "pass", "autogen-rr": "pass" })],
      is: ["fail: Want pass, got no answer"],
    },
    {
      name: "by another policy",
      wanted: {},
      answers: [answer("a", { r: "pass" }, { policy: "q" })],
      is: ["fail: Want pass, got no answer"],
    },
    {
      name: "by another operation",
      wanted: { operation: "UPDATE" },
      answers: [answer("a", { r: "pass" })],
      is: ["fail: Want pass, got no answer"],
    },
    {
      name: "by absence of the resource, also where a skip is wanted",
      wanted: { result: "skip", resources: ["b"] },
      answers: [answer("a", {})],
      is: ["fail: Want skip, got no answer"],
    },
    ...(["pass", "fail", "warn", "error"] as const).map((status) => ({
      name: `by absence of ${status}`,
      wanted: { result: status },
      answers: [answer("a", {})],
      is: [`fail: Want ${status}, got no answer`],
    })),
  ])("$name", ({ wanted, answers, is }) => {
    expect(outcomes(wanted, answers)).toEqual(is);
  });
});

describe("a failing row says", () => {
  test.each<{ name: string; wanted: Partial<Expectation>; answers: readonly Answer[]; says: string }>([
    { name: "what the rule answered", wanted: {}, answers: [answer("a", { r: "fail" })], says: "r: fail" },
    {
      name: "why the rule did not match",
      wanted: {},
      answers: [answer("a", {})],
      says: "r does not match a",
    },
    { name: "that the policy is missing", wanted: { policy: "q" }, answers: [], says: "no policy q" },
    { name: "that the resource is missing", wanted: {}, answers: [answer("b", {})], says: "no resource a" },
  ])("$name", ({ wanted, answers, says }) => {
    expect(rowsOf(expectation(wanted), answers, strict).map((row) => row.message)).toEqual([says]);
  });
});

describe("upstream's counting", () => {
  test.each<{ name: string; wanted: Partial<Expectation>; answers: readonly Answer[]; is: string[] }>([
    {
      name: "passes what no rule answered",
      wanted: {},
      answers: [answer("a", {})],
      is: ["skip: Excluded true"],
    },
    {
      name: "passes what a refused policy should answer",
      wanted: { policy: "refused" },
      answers: [],
      is: ["skip: Invalid policy true"],
    },
    {
      name: "fails a policy that is not there",
      wanted: { policy: "q" },
      answers: [],
      is: ["fail: Want pass, got no answer true"],
    },
    {
      name: "fails an answer that differs",
      wanted: {},
      answers: [answer("a", { r: "fail" })],
      is: ["fail: Want pass, got fail false"],
    },
    {
      name: "takes any resource where the named one is not there",
      wanted: { resources: ["typo"] },
      answers: [answer("a", { r: "pass" }), answer("b", { r: "fail" })],
      is: ["pass: Ok true", "fail: Want pass, got fail true"],
    },
    {
      name: "has a row for each resource of that name",
      wanted: {},
      answers: [answer("a", { r: "pass" }), answer("a", {}, { kind: "Namespace" })],
      is: ["pass: Ok false", "skip: Excluded true"],
    },
  ])("$name", ({ wanted, answers, is }) => {
    const rows = rowsOf(expectation(wanted), answers, upstream);
    expect(rows.map((row) => `${row.outcome}: ${row.reason} ${String(row.vacuous)}`)).toEqual(is);
  });
});

test.each([
  ["r", "r", true],
  ["autogen-r", "r", true],
  ["autogen-cronjob-r", "r", true],
  ["r", "autogen-r", false],
  ["autogen-autogen-r", "r", false],
  ["r2", "r", false],
  [`autogen-${"x".repeat(55)}`, "x".repeat(60), true],
])("rule %s meets %s: %s", (actual, wanted, is) => {
  expect(meetsRule(actual, wanted)).toBe(is);
});

test.each([
  ["p", "p", true],
  ["n/p", "p", true],
  ["p", "n/p", true],
  ["n/p", "n/q", false],
])("policy %s is %s: %s", (actual, wanted, is) => {
  expect(samePolicy(actual, wanted)).toBe(is);
});
