/** All tests of one file, in order. */
import type { World } from "#platform";

import type { Problem } from "../../load/problem.ts";
import { readTests } from "./find-tests.ts";
import type { Answer } from "./rows.ts";
import { answersOf, runTest, type TestOptions, type TestOutcome } from "./run-test.ts";
import { createTestPlan } from "./test-plan.ts";

export type FileOutcome = {
  readonly outcomes: readonly TestOutcome[];
  /** What is wrong with the test file itself. */
  readonly problems: readonly Problem[];
};

export async function runTestFile(file: string, world: World, options: TestOptions): Promise<FileOutcome> {
  const { tests, problems } = await readTests(file);
  const outcomes: TestOutcome[] = [];
  for (const { test, source } of tests) {
    outcomes.push(await runTest(await createTestPlan(test, source, world, "given"), options));
  }
  return { outcomes, problems };
}

/** What `apply` says of a test's policies and resources, whatever is expected: a list of answers a test. */
export async function answerTestFile(file: string, world: World): Promise<readonly (readonly Answer[])[]> {
  const { tests } = await readTests(file);
  const all: (readonly Answer[])[] = [];
  for (const { test, source } of tests) {
    const plan = await createTestPlan(test, source, world, "resources");
    const answers: Answer[] = [];
    for (const resource of plan.resources) answers.push(...(await answersOf(plan, resource, undefined)));
    all.push(answers);
  }
  return all;
}
