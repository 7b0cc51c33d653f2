/** The small promises: budgets end, bugs are loud, suggestions are near. */
import { describe, expect, test } from "vitest";
import { Budget, Interruption } from "./budget.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { hasErrors } from "./diagnostic.ts";
import { Fault } from "./fault.ts";
import { Bug, invariant, unreachable } from "./invariant.ts";
import { editCost, nearestName } from "./suggestion.ts";

describe("a budget", () => {
  test("may be spent to the last step and not beyond, and stays spent", () => {
    const budget = new Budget(3);
    budget.charge(2);
    budget.charge(1);
    expect(budget.spent).toBe(3);
    expect(() => budget.charge(1)).toThrow(Interruption);
    expect(() => budget.charge(0)).toThrow(Interruption);
  });

  test("says why evaluation was left", () => {
    try {
      new Budget(0).charge(1);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ reason: "budget" });
    }
  });
});

test("bugs are thrown with what was broken", () => {
  expect(() => invariant(false, "a is b")).toThrow(new Bug("invariant broken: a is b"));
  expect(() => invariant(true, "fine")).not.toThrow();
  expect(() => unreachable("x" as never)).toThrow("unreachable value: x");
});

test("a fault keeps its code, its cause, and whether to try again", () => {
  const cause = new Error("ECONNREFUSED");
  expect(new Fault("kube/refused", "no answer", { retryable: true, cause })).toMatchObject({
    name: "Fault",
    code: "kube/refused",
    retryable: true,
    cause,
  });
  expect(new Fault("a/b", "c")).toMatchObject({ retryable: false });
});

test("only errors are errors", () => {
  const warning: Diagnostic = { code: "yaml/syntax", severity: "warning", message: "m" };
  expect(hasErrors([])).toBe(false);
  expect(hasErrors([warning])).toBe(false);
  expect(hasErrors([warning, { ...warning, severity: "error" }])).toBe(true);
});

describe("the nearest name", () => {
  const known = ["match", "exclude", "mutate", "preconditions", "validate", "validationFailureAction"];

  test.each([
    ["mach", "match"],
    ["Match", "match"],
    ["excludes", "exclude"],
    ["precondition", "preconditions"],
    ["validationfailureaction", "validationFailureAction"],
    ["vaildate", "validate"],
    ["image", undefined],
    ["", undefined],
    ["x".repeat(200), undefined],
  ])("of %s is %s", (name, want) => {
    expect(nearestName(name, known)).toBe(want);
  });

  test("is measured in edits, letters' case counting half", () => {
    expect([
      editCost("abc", "abc"),
      editCost("abc", "abd"),
      editCost("abc", "aBc"),
      editCost("", "ab"),
    ]).toEqual([0, 1, 0.5, 2]);
  });
});
