/** What follows from verdicts: a refusal only for a violation, a fault for the failure policy, all of it counted. */
import { deepEqual, equal } from "node:assert/strict";
import { decide, type PolicyOutcome, type RuleResult } from "#engine";

const resource = { kind: "Pod", namespace: "ns1", name: "p1" };

function rule(name: string, status: RuleResult["status"], more: Partial<RuleResult> = {}): RuleResult {
  return {
    rule: name,
    type: "Validation",
    status,
    message: `${name} says ${status}`,
    action: "Enforce",
    emitWarning: false,
    ...more,
  };
}

function outcome(
  policy: string,
  failurePolicy: "Fail" | "Ignore",
  ...rules: readonly RuleResult[]
): PolicyOutcome {
  return { failurePolicy, result: { kind: "verdict", policy, scored: true, rules } };
}

const audit = { action: "Audit" } as const;
const broken = (failurePolicy: "Fail" | "Ignore"): PolicyOutcome => ({
  failurePolicy,
  result: { kind: "fault", policy: "q", message: "budget spent" },
});
const denied = (text: string): string =>
  `\n\nresource Pod/ns1/p1 was blocked due to the following policies \n\n${text}`;

const quiet = { kind: "allow", warnings: [], faults: [] };
deepEqual(decide([outcome("p", "Fail", rule("a", "pass"), rule("b", "skip"))], resource), quiet);
deepEqual(decide([outcome("p", "Fail", rule("a", "fail", audit))], resource), quiet);
deepEqual(decide([outcome("p", "Fail", rule("a", "error", audit))], resource), quiet);

deepEqual(decide([outcome("p", "Fail", rule("a", "fail", { ...audit, emitWarning: true }))], resource), {
  kind: "allow",
  warnings: ["policy p.a: a says fail"],
  faults: [],
});

const fault = { policy: "p", rule: "a", message: "a says error", failurePolicy: "Fail" };
deepEqual(decide([outcome("p", "Fail", rule("a", "error"))], resource), {
  kind: "fault",
  message: "policy p.a: a says error",
  faults: [fault],
});
deepEqual(decide([outcome("p", "Ignore", rule("a", "error"))], resource), {
  kind: "allow",
  warnings: ["policy p.a: a says error"],
  faults: [{ ...fault, failurePolicy: "Ignore" }],
});
deepEqual(decide([broken("Ignore")], resource), {
  kind: "allow",
  warnings: ["policy q: budget spent"],
  faults: [{ policy: "q", message: "budget spent", failurePolicy: "Ignore" }],
});
equal(decide([broken("Fail")], resource).kind, "fault");

deepEqual(
  decide(
    [
      outcome("p", "Ignore", rule("a", "fail"), rule("c", "fail", audit), rule("d", "error")),
      outcome("ns2/p", "Fail", rule("a", "fail")),
    ],
    resource,
  ),
  {
    kind: "deny",
    message: denied("ns2/p:\n  a: a says fail\np:\n  a: a says fail\n  d: d says error\n"),
    faults: [{ policy: "p", rule: "d", message: "d says error", failurePolicy: "Ignore" }],
  },
);

const message = (text: string, ...names: readonly string[]): string => {
  const action = decide(
    [outcome("p", "Fail", ...names.map((name) => rule(name, "fail", { message: text })))],
    resource,
  );
  return action.kind === "deny" ? action.message : action.kind;
};
equal(message("m", "r10", "r9", "r002"), denied("p:\n  r002: m\n  r9: m\n  r10: m\n"));
equal(message("1.5", "r"), denied("p:\n  r: '1.5'\n".replaceAll("'", '"')));
const word = "x".repeat(75);
equal(message(`${word} y`, "r"), denied(`p:\n  r: ${word} y\n`));
equal(message(`${word}x y`, "r"), denied(`p:\n  r: ${word}x\n    y\n`));
