/**
 * A problem as people read it and editors parse it: `file:line:column: error: what [code]`, the line itself, and what to
 * do about it.
 */
import type { Severity } from "#diag";
import type { Problem } from "../load/problem.ts";
import { spanOf } from "../load/problem.ts";
import { excerpt } from "./excerpt.ts";
import type { Paint } from "./paint.ts";
import { harmless, harmlessLines } from "./paint.ts";

export function renderProblem(problem: Problem, paint: Paint): string {
  const { diagnostic, source } = problem;
  const span = spanOf(problem);
  const file = harmless(diagnostic.file === "-" ? "<stdin>" : (diagnostic.file ?? ""));
  const place = span === undefined ? file : `${file}:${span.start.line}:${span.start.column}`;
  const lines = [
    `${place === "" ? "" : `${paint.bold(place)}: `}${severityText(diagnostic.severity, paint)} ${harmlessLines(diagnostic.message)} ${paint.dim(`[${diagnostic.code}]`)}`,
  ];
  if (span !== undefined && source !== undefined) {
    lines.push(
      ...excerpt({ source, span, indent: "  ", mark: severityColor(diagnostic.severity, paint) }, paint),
    );
  }
  if (diagnostic.help !== undefined) lines.push(`  ${paint.cyan("help:")} ${harmlessLines(diagnostic.help)}`);
  return `${lines.join("\n")}\n`;
}

function severityText(severity: Severity, paint: Paint): string {
  return severityColor(severity, paint)(`${severity}:`);
}

function severityColor(severity: Severity, paint: Paint): (text: string) => string {
  if (severity === "error") return paint.red;
  return severity === "warning" ? paint.yellow : paint.blue;
}
