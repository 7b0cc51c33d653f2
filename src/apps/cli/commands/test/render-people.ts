/**
 * The outcome of tests for people: a line a test, the rows that were not met with what the rule said, and a summary in
 * upstream's words, because scripts read them.
 */
import { locatePlace } from "../../load/problem.ts";
import { harmless, harmlessLines, type Paint } from "../../render/paint.ts";
import { wrapText } from "../../render/wrap-text.ts";
import type { TestRow } from "./rows.ts";
import type { TestOutcome } from "./run-test.ts";

export type PeopleOptions = {
  readonly paint: Paint;
  readonly columns: number;
  readonly failOnly: boolean;
  readonly detailed: boolean;
};

const INDENT = "      ";

/** One test as it is done. Empty where only failures are wanted and there is none. */
export function renderTest(outcome: TestOutcome, options: PeopleOptions): string {
  const failed = outcome.rows.filter((row) => row.outcome === "fail");
  if (failed.length === 0 && options.failOnly) return "";
  const shown = options.detailed && !options.failOnly ? outcome.rows : failed;
  const lines = [titleLine(outcome, failed.length, options.paint)];
  for (const row of shown) lines.push(...rowLines(row, outcome, options));
  return `${lines.join("\n")}\n`;
}

function titleLine(outcome: TestOutcome, failed: number, paint: Paint): string {
  const { test, file, rows, problems } = outcome;
  const incomplete = problems.some(({ diagnostic }) => diagnostic.severity === "error");
  const fine = incomplete ? paint.yellow("!") : paint.green("✓");
  const count = `${rows.length - failed}/${rows.length}`;
  const note = incomplete ? `  ${paint.yellow("not everything could be read")}` : "";
  const where = paint.dim(`${count}  ${harmless(file)}`);
  return `${failed === 0 ? fine : paint.red("✗")} ${harmless(test || "(no name)")}  ${where}${note}`;
}

function rowLines(row: TestRow, outcome: TestOutcome, options: PeopleOptions): readonly string[] {
  const { paint, columns } = options;
  const word = { pass: paint.green("pass"), skip: paint.dim("skip"), fail: paint.red("FAIL") }[row.outcome];
  const what = [row.policy, row.rule, row.resource].filter((part) => part !== "").map(harmless);
  const head = `  ${word} ${what.join(paint.dim(" › "))}`;
  const width = Math.max(40, Math.min(columns, 110) - INDENT.length);
  const message = row.message === "" ? [] : wrapText(harmlessLines(row.message), width);
  const said = message.map((line) => `${INDENT}${row.outcome === "fail" ? line : paint.dim(line)}`);
  if (row.outcome !== "fail") return [head, ...said];
  const reason = `${paint.yellow(row.reason)}  ${paint.dim(expectationPlace(row, outcome))}`;
  return [head, `${INDENT}${reason}`, ...said];
}

/** `file:line:column` of the expectation. */
function expectationPlace(row: TestRow, outcome: TestOutcome): string {
  const start = locatePlace(outcome.source, outcome.document, row.pointer)?.start;
  const file = harmless(outcome.file);
  return start === undefined ? file : `${file}:${start.line}:${start.column}`;
}

export type SummaryOptions = Pick<PeopleOptions, "paint" | "failOnly"> & {
  readonly upstreamCounting: boolean;
};

/** Counts, and how many rows stand on no answer. */
export function renderTestSummary(rows: readonly TestRow[], options: SummaryOptions): string {
  const { paint } = options;
  const failed = rows.filter((row) => row.outcome === "fail").length;
  const counts = options.failOnly
    ? `${failed} out of ${rows.length} tests failed`
    : `${rows.length - failed} tests passed and ${failed} tests failed`;
  const lines = ["", `Test Summary: ${failed === 0 ? paint.green(counts) : paint.red(counts)}`];
  if (options.upstreamCounting) lines.push(vacuousText(rows));
  return `${lines.join("\n")}\n`;
}

/** How many rows pass by upstream's counting alone. */
export function vacuousText(rows: readonly TestRow[]): string {
  const vacuous = rows.filter((row) => row.vacuous && row.outcome !== "fail").length;
  return `${vacuous} of the passed rows are vacuous: no rule answered for that resource, and they count all the same`;
}
