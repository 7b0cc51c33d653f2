/**
 * The files that a test names, relative to the test file. What is wrong with such a file as a whole (it is not there, it
 * is empty, it holds something else) is said where the test names it: there is where its author can mend it.
 */
import { dirname, join } from "node:path";

import { placeProblem, type Problem, type SourceText } from "../../load/problem.ts";
import type { TestFile } from "./test-file.ts";

export class NamedFiles {
  readonly #test: TestFile;
  readonly #source: SourceText;
  /** Pointer into the test's document, by path. */
  readonly #pointers = new Map<string, string>();

  constructor(test: TestFile, source: SourceText) {
    this.#test = test;
    this.#source = source;
  }

  /** The path of one file, and where it is named. */
  path(file: string, pointer: string): string {
    const path = join(dirname(this.#test.file), file);
    if (!this.#pointers.has(path)) this.#pointers.set(path, pointer);
    return path;
  }

  /** Of a list of the test. */
  paths(files: readonly string[], pointer: string): readonly string[] {
    return files.map((file, index) => this.path(file, `${pointer}/${index}`));
  }

  /** Problems that have no place of their own get one. */
  place(problems: readonly Problem[]): readonly Problem[] {
    return problems.map((problem) => this.#placed(problem));
  }

  #placed(problem: Problem): Problem {
    const { file, document, code, severity, message } = problem.diagnostic;
    const pointer = file === undefined ? undefined : this.#pointers.get(file);
    if (file === undefined || pointer === undefined || document !== undefined) return problem;
    if (problem.diagnostic.span !== undefined) return problem;
    const named = message.includes(`\`${file}\``) ? message : `\`${file}\`: ${message}`;
    return placeProblem(this.#source, this.#test.document, pointer, { code, severity, message: named });
  }
}
