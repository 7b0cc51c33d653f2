/**
 * Tests of policies for other programs (the conformance suites), by the code that `postern test` runs. Loaded when
 * called, so that this layer's door costs other commands nothing.
 */
import type { World } from "#platform";

import type { AnsweredTest, FileOutcome } from "./commands/test/run-file.ts";
import type { TestOptions } from "./commands/test/run-test.ts";

/** Runs every test of a file against its expectations. */
export async function runTestFile(file: string, world: World, options: TestOptions): Promise<FileOutcome> {
  return (await import("./commands/test/run-file.ts")).runTestFile(file, world, options);
}

/** What every policy of a test file says of every resource, a list a test. */
export async function answerTestFile(file: string, world: World): Promise<readonly AnsweredTest[]> {
  return (await import("./commands/test/run-file.ts")).answerTestFile(file, world);
}

/** Test files with this very name below folders. */
export async function findTestFiles(paths: readonly string[], name: string): Promise<readonly string[]> {
  return (await import("./commands/test/find-tests.ts")).findTestFiles(paths, name).files;
}
