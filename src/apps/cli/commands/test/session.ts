/**
 * The run of `postern test`: files in order, each test shown as it is done, problems said once on standard error. A test
 * that cannot be read, or lacks a file, never stops the others; it decides the exit code at the end.
 */
import { expectShortWork, type World } from "#platform";

import { exitCodes, type CommandInput } from "../../command.ts";
import type { Problem } from "../../load/problem.ts";
import { renderProblem } from "../../render/diagnostic.ts";
import { colorChoice, paintFor, type Paint } from "../../render/paint.ts";
import { createProgress, type Progress } from "../../render/progress.ts";
import { findTestFiles } from "./find-tests.ts";
import { decodeSessionOptions, type SessionOptions } from "./options.ts";
import { renderTest, renderTestSummary, vacuousText, type PeopleOptions } from "./render-people.ts";
import { renderJson, renderJunit, renderMarkdown, renderYaml } from "./render-rows.ts";
import { runTestFile } from "./run-file.ts";
import type { TestOutcome } from "./run-test.ts";

const machineFormats: Readonly<Record<string, (outcomes: readonly TestOutcome[]) => string>> = {
  json: renderJson,
  yaml: renderYaml,
  junit: renderJunit,
  markdown: renderMarkdown,
};

export async function runTests(world: World, input: CommandInput): Promise<number> {
  expectShortWork(4);
  const options = decodeSessionOptions(input);
  const { files, problems } = findTestFiles(options.paths, options.fileName);
  const session = new TestSession({ world, options, color: colorChoice(input), files: files.length });
  session.say(problems);
  for (const file of files) {
    if (world.stdout.closed()) break;
    await session.run(file);
  }
  return session.end();
}

type SessionParts = {
  readonly world: World;
  readonly options: SessionOptions;
  readonly color: string;
  /** How many files there are. */
  readonly files: number;
};

/** What is kept while tests run: their outcomes, and what was said. */
class TestSession {
  readonly #world: World;
  readonly #options: SessionOptions;
  readonly #people: PeopleOptions;
  readonly #paint: Paint;
  readonly #progress: Progress;
  readonly #render: ((outcomes: readonly TestOutcome[]) => string) | undefined;
  readonly #outcomes: TestOutcome[] = [];
  /** Many tests use the same policies: what is wrong with one is said once. */
  readonly #said = new Set<string>();
  #errors = 0;
  #files = 0;
  #tests = 0;
  #rows = 0;

  constructor({ world, options, color, files }: SessionParts) {
    this.#world = world;
    this.#options = options;
    this.#render = machineFormats[options.format ?? ""];
    this.#people = {
      paint: paintFor(world.stdout, world.env, color),
      columns: world.stdout.columns,
      failOnly: options.failOnly,
      detailed: options.detailed,
    };
    this.#paint = paintFor(world.stderr, world.env, color);
    this.#progress = createProgress(world, files, this.#paint, "rows");
  }

  async run(file: string): Promise<void> {
    const { outcomes, problems, found } = await runTestFile(file, this.#world, this.#options);
    this.#tests += found;
    this.say(problems);
    for (const outcome of outcomes) this.#record(outcome);
    await this.#world.stdout.flush();
    this.#progress.update(++this.#files, this.#rows);
  }

  say(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const text = renderProblem(problem, this.#paint);
      if (this.#said.has(text)) continue;
      this.#said.add(text);
      if (problem.diagnostic.severity === "error") this.#errors++;
      this.#talk(text);
    }
  }

  end(): number {
    this.#progress.clear();
    const rows = this.#outcomes.flatMap((outcome) => outcome.rows);
    if (rows.length === 0) this.#talk(this.#nothingRun());
    this.#write(this.#summary());
    if (this.#errors > 0) {
      this.#talk(`postern test: ${counted(this.#errors, "error")} in the input, the rest was run\n`);
      return exitCodes.wrongInput;
    }
    if (rows.length === 0) return this.#options.requireTests ? exitCodes.policyResult : exitCodes.fine;
    return rows.some((row) => row.outcome === "fail") ? exitCodes.policyResult : exitCodes.fine;
  }

  #record(outcome: TestOutcome): void {
    this.say(outcome.problems);
    this.#outcomes.push(outcome);
    this.#rows += outcome.rows.length;
    if (this.#render === undefined) this.#write(renderTest(outcome, this.#people));
  }

  #summary(): string {
    const rows = this.#outcomes.flatMap((outcome) => outcome.rows);
    const { upstreamCounting, failOnly } = this.#options;
    if (this.#render === undefined) {
      return rows.length === 0 ? "" : renderTestSummary(rows, { ...this.#people, upstreamCounting });
    }
    // Standard output belongs to the machine.
    if (upstreamCounting) this.#talk(`${vacuousText(rows)}\n`);
    return this.#render(failOnly ? this.#outcomes.map(failedOnly) : this.#outcomes);
  }

  #nothingRun(): string {
    const { selector } = this.#options;
    if (this.#tests === 0 || selector === undefined) return "No test yamls available\n";
    return `no expectation of ${counted(this.#tests, "test")} is selected by \`${selector}\`\n`;
  }

  #talk(text: string): void {
    this.#progress.clear();
    void this.#world.stdout.flush();
    this.#world.stderr.write(text);
    void this.#world.stderr.flush();
  }

  #write(text: string): void {
    if (text === "") return;
    this.#progress.clear();
    this.#world.stdout.write(text);
  }
}

function failedOnly(outcome: TestOutcome): TestOutcome {
  return { ...outcome, rows: outcome.rows.filter((row) => row.outcome === "fail") };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
