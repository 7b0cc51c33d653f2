/**
 * Test files below folders, and the tests in them. A file that is named itself is read whatever its name. A folder that
 * cannot be listed is a problem, and the others are searched.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { Fault } from "#diag";
import { loadYaml } from "#json";
import { readFault, readText } from "#platform";

import { faultProblem, wholeFile, type Problem, type SourceText } from "../../load/problem.ts";
import { decodeTestFile, type TestFile } from "./test-file.ts";

const MAX_TEST_FILE = 16 * 1024 * 1024;

type Found = { readonly files: Set<string>; readonly problems: Problem[] };

/** Folders are searched for files of exactly this name, those that begin with a dot included. */
export function findTestFiles(
  paths: readonly string[],
  name: string,
): { readonly files: readonly string[]; readonly problems: readonly Problem[] } {
  const found: Found = { files: new Set(), problems: [] };
  for (const path of paths) {
    const stat = attempt(path, found, () => statSync(path));
    if (stat === undefined) continue;
    if (stat.isDirectory()) walk(path, name, found);
    else found.files.add(path);
  }
  return { files: [...found.files], problems: found.problems };
}

function walk(folder: string, name: string, found: Found): void {
  const entries = attempt(folder, found, () => readdirSync(folder, { withFileTypes: true })) ?? [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) {
      if (entry.name === name) found.files.add(path);
    } else if (entry.name !== "node_modules" && entry.name !== ".git") walk(path, name, found);
  }
}

function attempt<T>(path: string, found: Found, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    found.problems.push(faultProblem(path, readFault(path, error)));
    return undefined;
  }
}

export type FoundTest = { readonly test: TestFile; readonly source: SourceText };

/** The tests of a file, a document each; a document that is no test is a problem. */
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
