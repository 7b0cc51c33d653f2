/**
 * The end of `apply`: a line a policy, what no resource met, and the counts in the words that upstream prints, because
 * scripts read them.
 */
import type { RuleStatus } from "#engine";
import type { Counts } from "../drive/tally.ts";
import { statusColor } from "./findings.ts";
import type { Paint } from "./paint.ts";
import { harmless } from "./paint.ts";

export type Summary = {
  readonly rules: number;
  readonly resources: number;
  /** Resources with a failure, a warning or an error. */
  readonly flaggedResources: number;
  readonly exceptions: number;
  /** Exceptions that were found among the policies and not asked for. */
  readonly exceptionsLeftOut: number;
  /** By policy, in the order in which they are applied. */
  readonly policies: ReadonlyMap<string, Counts>;
  readonly counts: Counts;
};

const statuses: readonly RuleStatus[] = ["pass", "fail", "warn", "error", "skip"];
const MAX_LINES = 40;

export function renderSummary(summary: Summary, paint: Paint): string {
  const lines = [paint.bold(appliedText(summary)), ...policyLines(summary, paint)];
  const silent = [...summary.policies].filter(([, counts]) => total(counts) === 0).map(([policy]) => policy);
  if (silent.length > 0 && summary.resources > 0) {
    const some = silent.slice(0, 6).join(", ");
    const more = silent.length > 6 ? ` and ${silent.length - 6} more` : "";
    lines.push(`  ${paint.yellow("no resource matched:")} ${harmless(some)}${more}`);
  }
  if (summary.exceptionsLeftOut > 0) {
    const some = plural(summary.exceptionsLeftOut, "exception");
    lines.push(`  ${paint.yellow("not used:")} ${some} among the policies, see --exceptions-within-policies`);
  }
  return `${lines.join("\n")}\n`;
}

/** `pass: 1, fail: 0, warn: 0, error: 0, skip: 0`, the last line of a run; the trailing space is upstream's. */
export function renderCounts(counts: Counts, paint: Paint): string {
  const texts = statuses.map((status) => {
    const text = `${status}: ${counts[status]}`;
    return counts[status] === 0 ? text : statusColor(status, paint)(text);
  });
  return `\n${texts.join(", ")} \n`;
}

function appliedText({ rules, policies, resources, flaggedResources, exceptions }: Summary): string {
  const excepting = exceptions === 0 ? "" : ` with ${plural(exceptions, "exception")}`;
  const flagged = flaggedResources === 0 ? "" : `, ${flaggedResources} of them with findings`;
  return `Applied ${plural(rules, "rule")} of ${plural(policies.size, "policy")} to ${plural(resources, "resource")}${excepting}${flagged}`;
}

function plural(count: number, word: string): string {
  if (count === 1) return `1 ${word}`;
  return `${count} ${word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`}`;
}

function policyLines(summary: Summary, paint: Paint): readonly string[] {
  const rows = [...summary.policies].filter(([, counts]) => total(counts) > 0);
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MAX_LINES);
  const columns = statuses.filter((status) => summary.counts[status] > 0);
  const width = Math.max(...shown.map(([policy]) => policy.length), "POLICY".length);
  const head = `  ${"POLICY".padEnd(width)}${columns.map((status) => status.toUpperCase().padStart(8)).join("")}`;
  const lines = shown.map(([policy, counts]) => {
    const cells = columns.map((status) => cell(counts[status], status, paint));
    return `  ${harmless(policy).padEnd(width)}${cells.join("")}`;
  });
  const more = rows.length > shown.length ? [paint.dim(`  … and ${rows.length - shown.length} more`)] : [];
  return ["", paint.dim(head), ...lines, ...more];
}

function cell(count: number, status: RuleStatus, paint: Paint): string {
  const text = (count === 0 ? "·" : String(count)).padStart(8);
  return count === 0 ? paint.dim(text) : statusColor(status, paint)(text);
}

function total(counts: Counts): number {
  return counts.pass + counts.fail + counts.warn + counts.error + counts.skip;
}
