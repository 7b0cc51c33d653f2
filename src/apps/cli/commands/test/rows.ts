/**
 * Expectations against answers. Strict: an expected pass, fail, warn or error needs a rule response of that very status
 * for that very resource; only an expected skip may also be met by absence. Upstream counts a row that no rule answered
 * as passed, whatever was expected, so that a test of a policy that matches nothing is green; such rows are `vacuous`
 * here, and `--upstream-counting` lets them pass again and says how many they were.
 * SPEC: reference/kyverno-surface.md section 8.2 (matching); conformance/README.md.
 */
import type { RuleResult } from "#engine";

import type { Expectation, ExpectedStatus, TestOperation } from "./expectation.ts";

/** What the engine said of one resource, for one policy. */
export type Answer = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Set where the resource was evaluated for an expectation's own operation. */
  readonly operation?: TestOperation;
  /** `name`, or `namespace/name`. */
  readonly policy: string;
  readonly scored: boolean;
  readonly rules: readonly RuleResult[];
  /** Of all rules of the policy, those that autogen makes included. */
  readonly ruleNames: () => readonly string[];
  readonly isUnsupported: (rule: string) => boolean;
  /** Why the named rule gave no response. */
  readonly whyNot: (rule: string) => string;
};

export type RowOutcome = "pass" | "fail" | "skip";

export type TestRow = {
  readonly policy: string;
  readonly rule: string;
  readonly resource: string;
  readonly want: ExpectedStatus;
  /** The status that came; absent where no rule answered. */
  readonly got?: RuleResult["status"];
  readonly outcome: RowOutcome;
  /** Not met by an answer of that rule for that resource: it can pass by upstream's counting alone. */
  readonly vacuous: boolean;
  readonly reason: string;
  readonly message: string;
  /** The rule is of a type that is not evaluated yet. */
  readonly unsupported: boolean;
  readonly pointer: string;
};

export type RowOptions = {
  readonly upstreamCounting: boolean;
  /** Says what is wrong with a policy that has no answers, or undefined where it is simply absent. */
  readonly policyProblem: (policy: string) => string | undefined;
  /** Whether the policy is among the test's files and has errors. */
  readonly isRefused: (policy: string) => boolean;
  /** Says why no resource has the name of an expectation. */
  readonly resourceProblem: (label: string) => string;
  /** Whether the rule of an expectation is of a type that is not evaluated yet. */
  readonly isUnsupported: (policy: string, rule: string) => boolean;
};

/** All rows of one expectation, in the order of its resources. */
export function rowsOf(
  expectation: Expectation,
  answers: readonly Answer[],
  options: RowOptions,
): readonly TestRow[] {
  const ofPolicy = answers.filter(
    (answer) => samePolicy(answer.policy, expectation.policy) && answer.operation === expectation.operation,
  );
  const targets = targetsOf(expectation);
  if (targets.length === 0) return rowsOfTarget(expectation, "*", ofPolicy, options);
  if (
    options.upstreamCounting &&
    !ofPolicy.some((answer) => targets.some((target) => target.matches(answer)))
  ) {
    return rowsOfEverything(expectation, targets, ofPolicy, options);
  }
  return targets.flatMap((target) =>
    rowsOfTarget(
      expectation,
      target.label,
      ofPolicy.filter((answer) => target.matches(answer)),
      options,
    ),
  );
}

/** Upstream holds an expectation of which no resource is there against every resource of the test. */
function rowsOfEverything(
  expectation: Expectation,
  targets: readonly Target[],
  answers: readonly Answer[],
  options: RowOptions,
): readonly TestRow[] {
  const label = targets[0]?.label ?? "*";
  return rowsOfTarget(expectation, label, answers, options).map((row) => ({ ...row, vacuous: true }));
}

type Target = { readonly label: string; readonly matches: (answer: Answer) => boolean };

function targetsOf(expectation: Expectation): readonly Target[] {
  const named = expectation.resources.map((resource): Target => {
    const slash = resource.indexOf("/");
    const name = resource.slice(slash + 1);
    const namespace = slash < 0 ? undefined : resource.slice(0, slash);
    return {
      label: resource,
      matches: (answer) =>
        answer.name === name && (namespace === undefined || answer.namespace === namespace),
    };
  });
  const specified = expectation.resourceSpecs.map((spec): Target => ({
    label: [spec.namespace, spec.name].filter(Boolean).join("/"),
    matches: (answer) =>
      (spec.name === undefined || spec.name === answer.name) &&
      (spec.namespace === undefined || spec.namespace === answer.namespace) &&
      (spec.kind === undefined || spec.kind === answer.kind),
  }));
  return [...named, ...specified];
}

function rowsOfTarget(
  expectation: Expectation,
  label: string,
  answers: readonly Answer[],
  options: RowOptions,
): readonly TestRow[] {
  if (options.upstreamCounting && answers.length > 1) {
    // Upstream has a row for each resource of that name, answered or not.
    return answers.flatMap((answer) => rowsOfTarget(expectation, label, [answer], options));
  }
  const rows = answers.flatMap((answer) =>
    answer.rules
      .filter((result) => meetsRule(result.rule, expectation.rule))
      .map((result) => answeredRow(expectation, answer, result)),
  );
  return rows.length > 0 ? rows : [absentRow(expectation, label, answers, options)];
}

function answeredRow(expectation: Expectation, answer: Answer, result: RuleResult): TestRow {
  const got = result.status === "fail" && !answer.scored ? "warn" : result.status;
  const met = got === expectation.result;
  return {
    policy: expectation.policy,
    rule: result.rule,
    resource: resourceLabel(answer),
    want: expectation.result,
    got,
    outcome: met ? "pass" : "fail",
    vacuous: false,
    reason: met ? "Ok" : `Want ${expectation.result}, got ${got}`,
    message: result.message,
    unsupported: answer.isUnsupported(result.rule),
    pointer: expectation.pointer,
  };
}

function absentRow(
  expectation: Expectation,
  label: string,
  answers: readonly Answer[],
  options: RowOptions,
): TestRow {
  const met = expectation.result === "skip" && answers.length > 0;
  const reason = met ? "Excluded" : upstreamReason(expectation, answers, options);
  return {
    policy: expectation.policy,
    rule: expectation.rule,
    resource: answers[0] === undefined ? label : resourceLabel(answers[0]),
    want: expectation.result,
    outcome: reason === undefined ? "fail" : "skip",
    vacuous: !met,
    reason: reason ?? `Want ${expectation.result}, got no answer`,
    message: met ? "" : whyAbsent(expectation, label, answers, options),
    unsupported: options.isUnsupported(expectation.policy, expectation.rule),
    pointer: expectation.pointer,
  };
}

/** Why upstream counts a row without an answer as passed; undefined where it does not, or is not asked. */
function upstreamReason(
  expectation: Expectation,
  answers: readonly Answer[],
  options: RowOptions,
): string | undefined {
  if (!options.upstreamCounting) return undefined;
  if (answers.length > 0) return "Excluded";
  return options.isRefused(expectation.policy) ? "Invalid policy" : undefined;
}

function whyAbsent(
  expectation: Expectation,
  label: string,
  answers: readonly Answer[],
  options: RowOptions,
): string {
  const first = answers[0];
  if (first !== undefined) return first.whyNot(expectation.rule);
  return options.policyProblem(expectation.policy) ?? options.resourceProblem(label);
}

function resourceLabel(answer: Answer): string {
  return [answer.apiVersion, answer.kind, answer.namespace, answer.name].join("/");
}

/** Policies are told apart by their last segment; a namespace is compared where the test gives one. */
export function samePolicy(actual: string, expected: string): boolean {
  return (
    actual === expected || actual.slice(actual.indexOf("/") + 1) === expected.slice(expected.indexOf("/") + 1)
  );
}

/** A rule `X` is also met by `autogen-X` and `autogen-cronjob-X`; no rule is met by every rule. */
export function meetsRule(actual: string, expected: string): boolean {
  if (expected === "" || actual === expected) return true;
  return (
    actual === `autogen-${expected}`.slice(0, 63) || actual === `autogen-cronjob-${expected}`.slice(0, 63)
  );
}
