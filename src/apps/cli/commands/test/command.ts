/** `postern test`: do policies answer as their authors expect? */
import { exitCodes, UsageError, type Command, type CommandInput } from "../../command.ts";
import type { Problem } from "../../load/problem.ts";
import { renderProblem } from "../../render/diagnostic.ts";
import { colorChoice, paintFor } from "../../render/paint.ts";
import { expectShortWork, type World } from "#platform";
import { findTestFiles } from "./find-tests.ts";
import { testFlags } from "./flags.ts";
import { renderTest, renderTestSummary, type PeopleOptions } from "./render-people.ts";
import { renderJson, renderJunit, renderMarkdown, renderYaml } from "./render-rows.ts";
import { runTestFile } from "./run-file.ts";
import type { TestOutcome } from "./run-test.ts";
import { parseTestSelector, type TestSelector } from "./selector.ts";

export const testCommand: Command = {
  name: "test",
  summary: "Run the tests of policies: every kyverno-test.yaml below the given folders.",
  operands: "<paths...>",
  flags: testFlags,
  examples: [
    { command: "postern test .", says: "every test below this folder" },
    { command: "postern test policies/ --fail-only", says: "only what is not met" },
    { command: "postern test . -t policy=require-*,rule=*,resource=*", says: "some of them" },
    { command: "postern test . -o junit > report.xml", says: "for a CI system" },
    {
      command: "postern test . --upstream-counting",
      says: "rows that no rule answered pass, and are counted",
    },
  ],
  run: runTests,
};

const machineFormats: Readonly<Record<string, (outcomes: readonly TestOutcome[]) => string>> = {
  json: renderJson,
  yaml: renderYaml,
  junit: renderJunit,
  markdown: renderMarkdown,
};

async function runTests(world: World, input: CommandInput): Promise<number> {
  expectShortWork();
  const run = new TestRun(world, input);
  const { files, problems } = findTestFiles(input.operands, input.text("file-name") ?? "kyverno-test.yaml");
  run.say(problems);
  for (const file of files) await run.file(file);
  return run.end();
}

/** What is kept while tests run: their rows, and whether something could not be read. */
class TestRun {
  readonly #world: World;
  readonly #input: CommandInput;
  readonly #select: TestSelector;
  readonly #people: PeopleOptions;
  readonly #render: ((outcomes: readonly TestOutcome[]) => string) | undefined;
  readonly #outcomes: TestOutcome[] = [];
  #unreadable = false;

  constructor(world: World, input: CommandInput) {
    if (input.operands.length === 0) throw new UsageError("no tests: name folders or test files");
    const selector = parseTestSelector(input.text("test-case-selector") ?? "policy=*,rule=*,resource=*");
    if (typeof selector === "string") throw new UsageError(selector);
    this.#world = world;
    this.#input = input;
    this.#select = selector;
    this.#render = machineFormats[input.text("output-format") ?? ""];
    this.#people = {
      paint: paintFor(world.stdout, world.env, colorChoice(input)),
      columns: world.stdout.columns,
      failOnly: input.on("fail-only"),
      detailed: input.on("detailed-results"),
    };
  }

  async file(path: string): Promise<void> {
    const options = { upstreamCounting: this.#upstreamCounting(), select: this.#select };
    const { outcomes, problems } = await runTestFile(path, this.#world, options);
    this.say(problems);
    for (const outcome of outcomes) {
      this.say(outcome.problems);
      if (outcome.rows.length === 0) continue;
      this.#outcomes.push(outcome);
      if (this.#render === undefined) this.#world.stdout.write(renderTest(outcome, this.#people));
    }
    await this.#world.stdout.flush();
  }

  say(problems: readonly Problem[]): void {
    const paint = paintFor(this.#world.stderr, this.#world.env, colorChoice(this.#input));
    for (const problem of problems) {
      if (problem.diagnostic.severity === "error") this.#unreadable = true;
      this.#world.stderr.write(renderProblem(problem, paint));
    }
  }

  end(): number {
    const rows = this.#outcomes.flatMap((outcome) => outcome.rows);
    const none = this.#outcomes.length === 0;
    if (none) this.#world.stderr.write("No test yamls available\n");
    if (this.#render !== undefined) this.#world.stdout.write(this.#render(this.#shown()));
    else if (!none) {
      const options = { ...this.#people, upstreamCounting: this.#upstreamCounting() };
      this.#world.stdout.write(renderTestSummary(rows, options));
    }
    if (this.#unreadable) return exitCodes.wrongInput;
    if (none && this.#input.on("require-tests")) return exitCodes.policyResult;
    return rows.some((row) => row.outcome === "fail") ? exitCodes.policyResult : exitCodes.fine;
  }

  #shown(): readonly TestOutcome[] {
    if (!this.#people.failOnly) return this.#outcomes;
    return this.#outcomes.map((outcome) => ({
      ...outcome,
      rows: outcome.rows.filter((row) => row.outcome === "fail"),
    }));
  }

  #upstreamCounting(): boolean {
    return this.#input.on("upstream-counting");
  }
}
