/**
 * A suite's result as text: the misses with what was wanted and what came, what leaves the total and why, and as the
 * last line the figure, which scripts read.
 */
import type { AnsweredRow, ControlResult, Suite, SuiteResult } from "./suite.ts";

export type RenderOptions = {
  /** How many misses to print. */
  readonly maxMisses: number;
  /** Whether to print the raw vector of each miss. */
  readonly inputs: boolean;
};

export function renderResult(suite: Suite, result: SuiteResult, options: RenderOptions): string {
  return [
    ...result.misses.slice(0, options.maxMisses).flatMap((row) => renderMiss(row, options)),
    ...renderHidden(result.misses.length - options.maxMisses),
    ...[...result.uncovered].map(([reason, rows]) => `uncovered: ${rows} rows: ${reason}`),
    ...suite.deviations.map(
      ({ id, reason }) => `deviation ${id}: ${result.deviated.get(id) ?? 0} rows: ${reason}`,
    ),
    ...result.stale.map((text) => `stale deviation ${text}`),
    ...result.controls.map(renderControl),
    ...result.problems.map((text) => `problem: ${text}`),
    renderFigure(result),
  ].join("\n");
}

/** Rounded down, so that only a suite without a miss shows 100. */
export function renderFigure(result: Pick<SuiteResult, "name" | "passed" | "total" | "percent">): string {
  return `${result.name}: ${result.passed} of ${result.total} (${floored(result.percent)} %)`;
}

function renderControl(control: ControlResult): string {
  return `control ${renderFigure(control)}, at most ${floored(control.most)} %`;
}

function floored(percent: number): string {
  return (Math.floor(percent * 100) / 100).toFixed(2);
}

function renderMiss(row: AnsweredRow, options: RenderOptions): string[] {
  const lines = [`miss ${row.id}`, `  want ${renderValue(row.want)}`, `  got  ${renderValue(row.got)}`];
  return options.inputs ? [...lines, `  for  ${renderValue(row.input)}`] : lines;
}

function renderHidden(hidden: number): string[] {
  return hidden > 0 ? [`… and ${hidden} more misses (--all prints them)`] : [];
}

const LONGEST = 2000;

function renderValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, withBigints) ?? "undefined");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function withBigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
