/**
 * Runs one suite and judges it. The command (`main.ts`) and the tests (`conformance.test.ts`) both call this, so a
 * figure that somebody prints and the one that the build checks are the same.
 *
 * INVARIANT: a deviation takes rows out of the total only by its rule; all rules together cover at most 3 % of the
 * answered rows; a covered row that passes makes its rule stale, and a stale rule fails the suite.
 */
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { controlProblems, runControls } from "./control.ts";
import type { AnsweredRow, ControlResult, Deviation, Row, Suite, SuiteResult } from "./suite.ts";
import { suites } from "./suites/index.ts";

/** Percent of the answered rows that the deviations of one suite may cover. */
export const maxDeviatedPercent = 3;

/** Suites are loaded when asked for, so that one broken suite does not take the others with it. */
export async function loadSuite(name: string): Promise<Suite> {
  const load = suites[name];
  if (load === undefined) throw new Error(`unknown suite ${name}`);
  return (await load()).suite;
}

/** The folder with everybody's data, unless another one is named. */
export function conformanceFolder(): string {
  return resolve(process.env["POSTERN_CONFORMANCE_DIR"] ?? "../shared/conformance");
}

/**
 * Where the suite's data lies below `folder`: laid out as the conformance folder, as a part of it that still ends in
 * the suite's path, or as the suite's own folder or file. `undefined` where there is nothing.
 */
export function dataPath(suite: Suite, folder: string): string | undefined {
  const steps = suite.data.split("/");
  for (let from = 0; from < steps.length; from++) {
    const path = join(folder, ...steps.slice(from));
    if (existsSync(path)) return path;
  }
  const wantsFile = /\.[a-z]+$/.test(suite.data);
  if (!existsSync(folder) || statSync(folder).isFile() !== wantsFile) return undefined;
  return folder;
}

/** @param path the suite's data, as `dataPath` finds it */
export async function runSuite(suite: Suite, path: string): Promise<SuiteResult> {
  const tally = new Tally(suite);
  for await (const row of suite.run(path)) tally.add(row);
  return tally.result(await runControls(suite, path));
}

class Tally {
  readonly #suite: Suite;
  readonly #misses: AnsweredRow[] = [];
  readonly #uncovered = new Map<string, number>();
  readonly #deviated: Map<string, number>;
  readonly #stale: string[] = [];
  #passed = 0;
  #total = 0;

  constructor(suite: Suite) {
    this.#suite = suite;
    this.#deviated = new Map(suite.deviations.map((deviation) => [deviation.id, 0]));
  }

  add(row: Row): void {
    if ("uncovered" in row) {
      count(this.#uncovered, row.uncovered);
      return;
    }
    const deviation = this.#suite.deviations.find((rule) =>
      rule.covers({ want: row.want, input: row.input }),
    );
    if (deviation !== undefined) {
      this.#deviate(row, deviation);
      return;
    }
    this.#total++;
    if (row.passed) this.#passed++;
    else this.#misses.push(row);
  }

  #deviate(row: AnsweredRow, deviation: Deviation): void {
    count(this.#deviated, deviation.id);
    if (row.passed) this.#stale.push(`${deviation.id}: ${row.id} passes although it is covered`);
  }

  result(controls: readonly ControlResult[]): SuiteResult {
    const deviatedRows = [...this.#deviated.values()].reduce((sum, rows) => sum + rows, 0);
    const answered = this.#total + deviatedRows;
    const percent = this.#total === 0 ? 0 : (this.#passed / this.#total) * 100;
    const result = {
      name: this.#suite.name,
      passed: this.#passed,
      total: this.#total,
      percent,
      reachesBar: percent >= this.#suite.bar && this.#total > 0,
      misses: this.#misses,
      uncovered: this.#uncovered,
      deviated: this.#deviated,
      stale: this.#stale,
      deviatedPercent: answered === 0 ? 0 : (deviatedRows / answered) * 100,
      controls,
    };
    return { ...result, problems: problemsOf(result, this.#suite) };
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function problemsOf(result: Omit<SuiteResult, "problems">, suite: Suite): string[] {
  const problems: string[] = [];
  if (result.total === 0) problems.push("no rows were run");
  else if (!result.reachesBar) problems.push(`below the bar of ${suite.bar} %`);
  if (result.stale.length > 0) problems.push(`${result.stale.length} stale deviations`);
  if (result.deviatedPercent > maxDeviatedPercent) {
    const share = result.deviatedPercent.toFixed(2);
    problems.push(`deviations cover ${share} % of the answered rows, more than ${maxDeviatedPercent} %`);
  }
  return [...problems, ...controlProblems(result.controls)];
}
