/**
 * The outcome of tests for people: a line a test, the rows that were not met with what the rule said, and a summary in
 * upstream's words, because scripts read them.
 */
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
  const { paint } = options;
  const failed = outcome.rows.filter((row) => row.outcome === "fail");
  if (failed.length === 0 && options.failOnly) return "";
  const sign = failed.length === 0 ? paint.green("✓") : paint.red("✗");
  const count = `${outcome.rows.length - failed.length}/${outcome.rows.length}`;
  const title = `${sign} ${harmless(outcome.test || "(no name)")}  ${paint.dim(`${count}  ${harmless(outcome.file)}`)}`;
  const shown = options.detailed ? outcome.rows : failed;
  return `${[title, ...shown.flatMap((row) => rowLines(row, options))].join("\n")}\n`;
}

function rowLines(row: TestRow, { paint, columns }: PeopleOptions): readonly string[] {
  const word = { pass: paint.green("pass"), skip: paint.dim("skip"), fail: paint.red("FAIL") }[row.outcome];
  const what = [row.policy, row.rule, row.resource].filter((part) => part !== "").map(harmless);
  const head = `  ${word} ${what.join(paint.dim(" › "))}`;
  if (row.outcome !== "fail") return [head];
  const said = row.got === undefined ? "" : `the rule answered ${row.got}: `;
  const width = Math.max(40, Math.min(columns, 110) - INDENT.length);
  const message = wrapText(harmlessLines(`${said}${row.message}`), width);
  return [head, `${INDENT}${paint.yellow(row.reason)}`, ...message.map((line) => `${INDENT}${line}`)];
}

/** Counts, and how many rows stand on no answer. */
export function renderTestSummary(
  rows: readonly TestRow[],
  options: PeopleOptions & { readonly upstreamCounting: boolean },
): string {
  const { paint } = options;
  const failed = rows.filter((row) => row.outcome === "fail").length;
  const vacuous = rows.filter((row) => row.vacuous && row.outcome !== "fail").length;
  const counts = `${rows.length - failed} tests passed and ${failed} tests failed`;
  const lines = ["", `Test Summary: ${failed === 0 ? paint.green(counts) : paint.red(counts)}`];
  if (options.upstreamCounting) {
    lines.push(
      `${vacuous} of the passed rows are vacuous: no rule answered, so whatever was expected counts as met`,
    );
  }
  return `${lines.join("\n")}\n`;
}
