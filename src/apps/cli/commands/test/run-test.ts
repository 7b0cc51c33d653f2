/**
 * One test: its resources evaluated (once by default, and once more for each operation that an expectation names), and
 * the answers held against the expectations.
 */
import { unsupportedPart, type PolicyProgram, type Verdict } from "#engine";
import type { JsonObject } from "#json";

import { metadataText, textMember } from "../../load/object-text.ts";
import type { Problem, SourceText } from "../../load/problem.ts";
import type { TestOperation } from "./expectation.ts";
import { meetsRule, rowsOf, samePolicy, type Answer, type RowOptions, type TestRow } from "./rows.ts";
import type { TestSelector } from "./selector.ts";
import type { TestPlan } from "./test-plan.ts";
import { isRefused, whyNoPolicy, whyNoResource, whyNoResponse, type Asked } from "./why-absent.ts";

export type TestOutcome = {
  readonly test: string;
  readonly file: string;
  readonly document: number;
  /** Of the test file: rows point into it. */
  readonly source: SourceText;
  readonly rows: readonly TestRow[];
  readonly problems: readonly Problem[];
};

export type TestOptions = {
  readonly upstreamCounting: boolean;
  readonly select: TestSelector;
  /** Puts other answers in place of the engine's: a control of the tests themselves. */
  readonly replace?: (answer: Answer) => Answer;
};

/** @param plan of a test whose expectations are those to run */
export async function runTest(plan: TestPlan, options: TestOptions): Promise<TestOutcome> {
  const { test, source } = plan;
  const operations = new Set(test.results.map(({ operation }) => operation));
  const answers: Answer[] = [];
  for (const resource of plan.resources) {
    for (const operation of operations) answers.push(...(await answersOf(plan, resource, operation)));
  }
  const { replace } = options;
  const judged = replace === undefined ? answers : answers.map(replace);
  const rowOptions = rowOptionsOf(plan, options.upstreamCounting);
  return {
    test: test.name,
    file: test.file,
    document: test.document,
    source,
    rows: test.results.flatMap((expectation) => rowsOf(expectation, judged, rowOptions)),
    problems: plan.problems,
  };
}

function rowOptionsOf(plan: TestPlan, upstreamCounting: boolean): RowOptions {
  return {
    upstreamCounting,
    policyProblem: (policy) => whyNoPolicy(plan, policy),
    isRefused: (policy) => isRefused(plan, policy),
    resourceProblem: (label) => whyNoResource(plan, label),
    isUnsupported: (policy, rule) =>
      plan.unsupported.some(({ name }) => samePolicy(name, policy)) ||
      plan.programs.some((program) => samePolicy(program.key, policy) && isUnsupported(program, rule)),
  };
}

/** One answer a policy, also where no rule of it responded. */
export async function answersOf(
  plan: TestPlan,
  resource: JsonObject,
  operation: TestOperation | undefined,
): Promise<readonly Answer[]> {
  const verdicts = await plan.driver.evaluate(resource, operation);
  const byPolicy = new Map(verdicts.map((verdict) => [verdict.policy, verdict]));
  return plan.programs.map((program) =>
    answerOf(plan, { program, resource, operation }, byPolicy.get(program.key)),
  );
}

function answerOf(plan: TestPlan, asked: Asked, verdict: Verdict | undefined): Answer {
  const { program, resource, operation } = asked;
  return {
    apiVersion: textMember(resource, "apiVersion"),
    kind: textMember(resource, "kind"),
    namespace: metadataText(resource, "namespace"),
    name: metadataText(resource, "name") || metadataText(resource, "generateName"),
    ...(operation === undefined ? {} : { operation }),
    policy: program.key,
    scored: program.scored,
    rules: verdict?.rules ?? [],
    ruleNames: () => program.rules.map(({ rule }) => rule.name),
    isUnsupported: (rule) => isUnsupported(program, rule),
    whyNot: (rule) => whyNoResponse(plan, asked, rule),
  };
}

function isUnsupported(program: PolicyProgram, rule: string): boolean {
  return program.rules.some(
    (candidate) => meetsRule(candidate.rule.name, rule) && unsupportedPart(candidate.rule) !== undefined,
  );
}
