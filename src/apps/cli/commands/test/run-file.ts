/** All tests of one file, in order. A test of which nothing is selected is not run, and its files are not read. */
import type { World } from "#platform";

import type { Problem } from "../../load/problem.ts";
import { readTests } from "./find-tests.ts";
import type { Answer } from "./rows.ts";
import { answersOf, runTest, type TestOptions, type TestOutcome } from "./run-test.ts";
import { createTestPlan } from "./test-plan.ts";

export type FileOutcome = {
  /** Of the tests with something to run. */
  readonly outcomes: readonly TestOutcome[];
  /** What is wrong with the test file itself. */
  readonly problems: readonly Problem[];
  /** How many tests the file holds. */
  readonly found: number;
};

export async function runTestFile(file: string, world: World, options: TestOptions): Promise<FileOutcome> {
  const { tests, problems } = await readTests(file);
  const outcomes: TestOutcome[] = [];
  for (const { test, source } of tests) {
    const results = test.results.flatMap((expectation) => options.select(expectation) ?? []);
    if (results.length === 0) continue;
    const plan = await createTestPlan({ ...test, results }, source, world, "given");
    outcomes.push(await runTest(plan, options));
  }
  return { outcomes, problems, found: tests.length };
}

export type AnsweredTest = {
  readonly answers: readonly Answer[];
  /** Names of the policies of kinds that are not evaluated yet: they have no answers. */
  readonly unsupported: readonly string[];
};

/** What `apply` says of the policies and resources of each test of a file, whatever is expected. */
export async function answerTestFile(file: string, world: World): Promise<readonly AnsweredTest[]> {
  const { tests } = await readTests(file);
  const all: AnsweredTest[] = [];
  for (const { test, source } of tests) {
    const plan = await createTestPlan(test, source, world, "resources");
    const answers: Answer[] = [];
    for (const resource of plan.resources) answers.push(...(await answersOf(plan, resource, undefined)));
    all.push({ answers, unsupported: plan.unsupported.map(({ name }) => name) });
  }
  return all;
}
