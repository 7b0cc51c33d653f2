/**
 * Runs a suite's controls. Rows that the suite does not count (uncovered, or taken out by a deviation) count for no control
 * either.
 *
 * INVARIANT: a control that ran no row is a problem: it has shown nothing.
 */
import type { Control, ControlResult, Row, Suite } from "./suite.ts";

/** All controls of a suite, one after the other. */
export async function runControls(suite: Suite, path: string): Promise<readonly ControlResult[]> {
  const results: ControlResult[] = [];
  for (const control of suite.controls ?? []) results.push(await runControl(control, suite, path));
  return results;
}

async function runControl(control: Control, suite: Suite, path: string): Promise<ControlResult> {
  let passed = 0;
  let total = 0;
  let byChance = 0;
  for await (const row of control.run(path)) {
    if (!counts(row, suite)) continue;
    total++;
    if (row.passed) passed++;
    if (control.chance(row.want)) byChance++;
  }
  return {
    name: control.name,
    passed,
    total,
    percent: percentOf(passed, total),
    most: Math.min(control.most ?? 100, percentOf(byChance, total)),
  };
}

function counts(row: Row, suite: Suite): row is Exclude<Row, { readonly uncovered: string }> {
  if ("uncovered" in row) return false;
  return !suite.deviations.some((rule) => rule.covers({ want: row.want, input: row.input }));
}

function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : (part / total) * 100;
}

/** What the controls say against the suite. */
export function controlProblems(controls: readonly ControlResult[]): string[] {
  return controls.flatMap(({ name, total, percent, most }) => {
    if (total === 0) return [`control ${name} ran no rows`];
    return percent > most ? [`control ${name} passes more than ${most.toFixed(2)} %`] : [];
  });
}
