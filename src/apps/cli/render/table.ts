/** `--table`: the columns of upstream's table, drawn by cli-table3. Loaded only where a table is asked for. */
import Table from "cli-table3";
import type { RuleStatus } from "#engine";
import { statusColor } from "./findings.ts";
import type { Paint } from "./paint.ts";
import { harmless, harmlessLines } from "./paint.ts";

export type TableRow = {
  readonly policy: string;
  readonly rule: string;
  readonly resource: string;
  readonly status: RuleStatus;
  readonly message: string;
};

const resultWords: Readonly<Record<RuleStatus, string>> = {
  pass: "Pass",
  fail: "Fail",
  warn: "Warn",
  error: "Error",
  skip: "Skip",
};

const reasonWords: Readonly<Record<RuleStatus, string>> = {
  pass: "Ok",
  fail: "Violation",
  warn: "Warning",
  error: "Error",
  skip: "Excluded",
};

export function renderTable(rows: readonly TableRow[], detailed: boolean, paint: Paint): string {
  const head = ["ID", "POLICY", "RULE", "RESOURCE", "RESULT", "REASON", ...(detailed ? ["MESSAGE"] : [])];
  const table = new Table({
    head: head.map((word) => paint.bold(word)),
    style: { head: [], border: [], compact: true },
    ...(detailed ? { wordWrap: true, colWidths: [null, null, null, null, null, null, 60] } : {}),
  });
  for (const [index, row] of rows.entries()) {
    const color = statusColor(row.status, paint);
    const cells = [String(index + 1), row.policy, row.rule, row.resource].map(harmless);
    const message = detailed ? [harmlessLines(row.message)] : [];
    table.push([...cells, color(resultWords[row.status]), reasonWords[row.status], ...message]);
  }
  return `${table.toString()}\n`;
}
