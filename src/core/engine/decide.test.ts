import { describe, expect, test } from "vitest";
import type { FailurePolicy } from "#policy";
import type { PolicyOutcome } from "./decide.ts";
import { decide } from "./decide.ts";
import type { RuleResult } from "./verdict.ts";

const resource = { kind: "Pod", namespace: "ns1", name: "p1" };

function rule(name: string, status: RuleResult["status"], more: Partial<RuleResult> = {}): RuleResult {
  const message = `${name} says ${status}`;
  return { rule: name, type: "Validation", status, message, action: "Enforce", emitWarning: false, ...more };
}

function outcome(
  policy: string,
  failurePolicy: FailurePolicy,
  ...rules: readonly RuleResult[]
): PolicyOutcome {
  return { failurePolicy, result: { kind: "verdict", policy, scored: true, rules } };
}

function fault(policy: string, failurePolicy: FailurePolicy): PolicyOutcome {
  return { failurePolicy, result: { kind: "fault", policy, message: "budget spent" } };
}

const audit = { action: "Audit" } as const;

describe("allowed without a word", () => {
  test.each([
    { name: "no policy", outcomes: [] },
    { name: "all in order", outcomes: [outcome("p", "Fail", rule("a", "pass"), rule("b", "skip"))] },
    { name: "a failure in Audit", outcomes: [outcome("p", "Fail", rule("a", "fail", audit))] },
    { name: "an error in Audit", outcomes: [outcome("p", "Fail", rule("a", "error", audit))] },
  ])("$name", ({ outcomes }) => {
    expect(decide(outcomes, resource)).toEqual({ kind: "allow", warnings: [], faults: [] });
  });
});

test("an Audit policy that emits warnings warns", () => {
  const loud = { ...audit, emitWarning: true };
  const outcomes = [outcome("ns1/p", "Fail", rule("a", "fail", loud), rule("b", "pass", loud))];
  expect(decide(outcomes, resource)).toMatchObject({
    kind: "allow",
    warnings: ["policy ns1/p.a: a says fail"],
  });
});

test("a violated Enforce rule refuses, and lists what else is enforced and not in order", () => {
  const outcomes = [
    outcome(
      "p",
      "Ignore",
      rule("a", "fail"),
      rule("b", "pass"),
      rule("c", "fail", audit),
      rule("d", "error"),
    ),
    outcome("ns1/q", "Ignore", rule("a", "warn")),
  ];
  expect(decide(outcomes, resource)).toMatchObject({
    kind: "deny",
    message:
      "\n\nresource Pod/ns1/p1 was blocked due to the following policies \n\n" +
      "p:\n  a: a says fail\n  d: d says error\nq:\n  a: a says warn\n",
  });
});

test("two policies of one name keep their namespaces apart", () => {
  const action = decide(
    [outcome("p", "Fail", rule("a", "fail")), outcome("ns1/p", "Fail", rule("a", "fail"))],
    resource,
  );
  expect(action).toMatchObject({
    kind: "deny",
    message: expect.stringContaining("\nns1/p:\n  a: a says fail\np:\n"),
  });
});

describe("a fault", () => {
  test("of a Fail policy fails the call, and never reads as a refusal", () => {
    const action = decide([outcome("p", "Fail", rule("a", "error")), fault("q", "Fail")], resource);
    expect(action).toEqual({
      kind: "fault",
      message: "policy p.a: a says error; policy q: budget spent",
      faults: [
        { policy: "p", rule: "a", message: "a says error", failurePolicy: "Fail" },
        { policy: "q", message: "budget spent", failurePolicy: "Fail" },
      ],
    });
  });

  test("of an Ignore policy allows, warns and is counted", () => {
    const action = decide([fault("q", "Ignore"), outcome("p", "Ignore", rule("a", "error"))], resource);
    expect(action).toMatchObject({
      kind: "allow",
      warnings: ["policy q: budget spent", "policy p.a: a says error"],
      faults: [{ policy: "q" }, { policy: "p", rule: "a" }],
    });
  });

  test("beside a violation does not keep it from refusing", () => {
    const action = decide([fault("q", "Fail"), outcome("p", "Ignore", rule("a", "fail"))], resource);
    expect(action).toMatchObject({ kind: "deny", faults: [{ policy: "q" }] });
  });

  test("of one policy is not answered for by another's failure policy", () => {
    const action = decide([fault("q", "Ignore"), outcome("p", "Fail", rule("a", "pass"))], resource);
    expect(action).toMatchObject({ kind: "allow", warnings: ["policy q: budget spent"] });
  });
});
