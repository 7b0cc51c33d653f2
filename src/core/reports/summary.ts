/** Counts of a report. All five are always written, zeros included: dashboards add them up. */
import type { RuleStatus } from "#engine";

export type ReportSummary = Readonly<Record<RuleStatus, number>>;

/** How many of the results have each status. */
export function summarize(results: readonly { readonly result: RuleStatus }[]): ReportSummary {
  const counts = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
  for (const { result } of results) counts[result] += 1;
  return counts;
}
