/**
 * One test: its resources evaluated (once by default, and once more for each operation that an expectation names), and
 * the answers held against the expectations.
 */
import type { PolicyProgram, Verdict } from "#engine";
import { unsupportedPart } from "#engine";
import type { JsonObject } from "#json";
import type { Operation } from "#policy";
import { nearestName } from "#diag";

import { metadataText, textMember } from "../../load/object-text.ts";
import type { Problem } from "../../load/problem.ts";
import { meetsRule, rowsOf, samePolicy, type Answer, type RowOptions, type TestRow } from "./rows.ts";
import type { TestPlan } from "./test-plan.ts";
import type { TestSelector } from "./selector.ts";

export type TestOutcome = {
  readonly test: string;
  readonly file: string;
  readonly rows: readonly TestRow[];
  readonly problems: readonly Problem[];
};

export type TestOptions = { readonly upstreamCounting: boolean; readonly select: TestSelector };

export async function runTest(plan: TestPlan, options: TestOptions): Promise<TestOutcome> {
  const { test } = plan;
  const expectations = test.results.flatMap((expectation) => options.select(expectation) ?? []);
  const operations = new Set(expectations.map(({ operation }) => operation));
  const answers: Answer[] = [];
  for (const resource of plan.resources) {
    for (const operation of operations) answers.push(...(await answersOf(plan, resource, operation)));
  }
  const rowOptions: RowOptions = {
    upstreamCounting: options.upstreamCounting,
    policyProblem: (policy) => policyProblem(plan, policy),
    isUnsupported: (policy, rule) =>
      plan.programs.some((program) => samePolicy(program.key, policy) && isUnsupported(program, rule)),
  };
  return {
    test: test.name,
    file: test.file,
    rows: expectations.flatMap((expectation) => rowsOf(expectation, answers, rowOptions)),
    problems: plan.problems,
  };
}

/** One answer a policy, also where no rule of it responded. */
export async function answersOf(
  plan: TestPlan,
  resource: JsonObject,
  operation: string | undefined,
): Promise<readonly Answer[]> {
  const verdicts = await plan.driver.evaluate(resource, decodeOperation(operation));
  const byPolicy = new Map(verdicts.map((verdict) => [verdict.policy, verdict]));
  return plan.programs.map((program) =>
    answerOf(plan, { program, resource, operation }, byPolicy.get(program.key)),
  );
}

type Asked = {
  readonly program: PolicyProgram;
  readonly resource: JsonObject;
  readonly operation: string | undefined;
};

function answerOf(
  plan: TestPlan,
  { program, resource, operation }: Asked,
  verdict: Verdict | undefined,
): Answer {
  return {
    apiVersion: textMember(resource, "apiVersion"),
    kind: textMember(resource, "kind"),
    namespace: metadataText(resource, "namespace"),
    name: metadataText(resource, "name") || metadataText(resource, "generateName"),
    ...(operation === undefined ? {} : { operation }),
    policy: program.key,
    scored: program.scored,
    rules: verdict?.rules ?? [],
    isUnsupported: (rule) => isUnsupported(program, rule),
    whyNot: (rule) => whyNot(plan, { program, resource, operation }, rule),
  };
}

/** Why the rule of an expectation did not respond: it does not exist, or it does not match, and then what did not. */
function whyNot(plan: TestPlan, { program, resource, operation }: Asked, rule: string): string {
  const rules = program.rules.filter((candidate) => meetsRule(candidate.rule.name, rule));
  if (rules.length === 0) {
    const names = program.rules.map((candidate) => candidate.rule.name);
    const nearest = nearestName(rule, names);
    const help = nearest === undefined ? `its rules are ${names.join(", ")}` : `did you mean \`${nearest}\`?`;
    return `policy \`${program.key}\` has no rule \`${rule}\`; ${help}`;
  }
  const reasons = rules.flatMap(
    (candidate) => plan.driver.explain(program, candidate, resource, decodeOperation(operation)) ?? [],
  );
  return reasons[0] ?? `rule \`${rule}\` matched and found nothing to check`;
}

function policyProblem(plan: TestPlan, policy: string): string | undefined {
  const name = policy.slice(policy.indexOf("/") + 1);
  if (plan.programs.some((program) => program.policy.name === name)) return undefined;
  const unsupported = plan.unsupported.find((candidate) => candidate.name === name);
  if (unsupported !== undefined) {
    return `policy \`${policy}\` is a ${unsupported.kind} (${unsupported.apiVersion}), which is not supported yet`;
  }
  const names = plan.programs.map((program) => program.key);
  const nearest = nearestName(policy, names);
  const help =
    nearest === undefined ? `loaded: ${names.join(", ") || "none"}` : `did you mean \`${nearest}\`?`;
  return `no policy \`${policy}\` was loaded; ${help}`;
}

function isUnsupported(program: PolicyProgram, rule: string): boolean {
  return program.rules.some(
    (candidate) => meetsRule(candidate.rule.name, rule) && unsupportedPart(candidate.rule) !== undefined,
  );
}

/** The test file's decoder has checked the word. */
function decodeOperation(operation: string | undefined): Operation | undefined {
  return operation as Operation | undefined;
}
