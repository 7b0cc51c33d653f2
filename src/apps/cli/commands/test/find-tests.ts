/**
 * Test files below folders, and the tests in them. A file that is named itself is read whatever its name.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { Fault } from "#diag";
import { loadYaml } from "#json";
import { readText } from "#platform";

import { faultProblem, wholeFile, type Problem, type SourceText } from "../../load/problem.ts";
import { decodeTestFile, type TestFile } from "./test-file.ts";

const MAX_TEST_FILE = 16 * 1024 * 1024;

/** Folders are searched for files of exactly this name, those that begin with a dot included. */
export function findTestFiles(
  paths: readonly string[],
  name: string,
): { readonly files: readonly string[]; readonly problems: readonly Problem[] } {
  const files: string[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      problems.push(faultProblem(path, new Fault("file/unreadable", `\`${path}\` does not exist`)));
    } else if (stat.isDirectory()) files.push(...walk(path, name));
    else files.push(path);
  }
  return { files: [...new Set(files)], problems };
}

function* walk(folder: string, name: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && entry.name !== ".git") yield* walk(join(folder, entry.name), name);
    } else if (entry.name === name) yield join(folder, entry.name);
  }
}

export type FoundTest = { readonly test: TestFile; readonly source: SourceText };

export async function readTests(
  file: string,
): Promise<{ readonly tests: readonly FoundTest[]; readonly problems: readonly Problem[] }> {
  try {
    const source = wholeFile(file, await readText(file, MAX_TEST_FILE));
    const loaded = loadYaml(source.text, file);
    const problems: Problem[] = loaded.diagnostics.map((diagnostic) => ({ diagnostic, source }));
    const tests: FoundTest[] = [];
    for (const { value, index } of loaded.documents) {
      if (value === null) continue;
      const { test, diagnostics } = decodeTestFile(value, { file, document: index });
      problems.push(...diagnostics.map((diagnostic) => ({ diagnostic, source })));
      if (test !== undefined) tests.push({ test, source });
    }
    return { tests, problems };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { tests: [], problems: [faultProblem(file, error)] };
  }
}
