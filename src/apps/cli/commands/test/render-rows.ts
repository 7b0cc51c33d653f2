/**
 * Rows as text for machines: json, yaml, junit and markdown. Keys and columns are upstream's,
 * so that scripts which read them keep working; `Message` carries what the rule said, or why it said nothing.
 */
import { printYaml } from "#json";

import { harmless } from "../../render/paint.ts";
import type { TestOutcome } from "./run-test.ts";

type TableRecord = {
  readonly ID: number;
  readonly TEST: string;
  readonly POLICY: string;
  readonly RULE: string;
  readonly RESOURCE: string;
  readonly RESULT: string;
  readonly REASON: string;
  readonly MESSAGE: string;
};

const resultWords = { pass: "Pass", fail: "Fail", skip: "Skip" } as const;

function records(outcomes: readonly TestOutcome[]): readonly TableRecord[] {
  const rows = outcomes.flatMap((outcome) => outcome.rows.map((row) => ({ outcome, row })));
  return rows.map(({ outcome, row }, index) => ({
    ID: index + 1,
    TEST: outcome.test,
    POLICY: row.policy,
    RULE: row.rule,
    RESOURCE: row.resource,
    RESULT: resultWords[row.outcome],
    REASON: row.reason,
    MESSAGE: row.message,
  }));
}

export function renderJson(outcomes: readonly TestOutcome[]): string {
  return `${JSON.stringify(records(outcomes), null, 2)}\n`;
}

export function renderYaml(outcomes: readonly TestOutcome[]): string {
  return printYaml(records(outcomes).map((record) => ({ ...record })));
}

export function renderMarkdown(outcomes: readonly TestOutcome[]): string {
  const header = ["ID", "POLICY", "RULE", "RESOURCE", "RESULT", "REASON"] as const;
  const lines = records(outcomes).map(
    (record) => `| ${header.map((key) => cell(record[key])).join(" | ")} |`,
  );
  return `${[`| ${header.join(" | ")} |`, `|${header.map(() => ":---").join("|")}|`, ...lines].join("\n")}\n`;
}

/** A name must not be able to end the cell or the row. */
function cell(value: string | number): string {
  return harmless(String(value)).replaceAll(/[\\|]/g, (found) => `\\${found}`);
}

/** One suite a policy, one case a row: the form that CI systems show. */
export function renderJunit(outcomes: readonly TestOutcome[]): string {
  const byPolicy = new Map<string, TableRecord[]>();
  for (const record of records(outcomes)) {
    const suite = byPolicy.get(record.POLICY) ?? [];
    suite.push(record);
    byPolicy.set(record.POLICY, suite);
  }
  const suites = [...byPolicy].map(([policy, cases]) => junitSuite(policy, cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function junitSuite(policy: string, cases: readonly TableRecord[]): string {
  const count = (result: string): number => cases.filter((record) => record.RESULT === result).length;
  const attributes = `name="${escapeXml(policy)}" tests="${cases.length}" failures="${count("Fail")}" skipped="${count("Skip")}"`;
  return `  <testsuite ${attributes}>\n${cases.map(junitCase).join("")}  </testsuite>\n`;
}

function junitCase(record: TableRecord): string {
  const open = `    <testcase classname="${escapeXml(record.RULE)}" name="${escapeXml(record.RESOURCE)}"`;
  if (record.RESULT === "Pass") return `${open}/>\n`;
  if (record.RESULT === "Skip")
    return `${open}><skipped message="${escapeXml(record.REASON)}"/></testcase>\n`;
  const failure = `<failure message="${escapeXml(record.REASON)}">${escapeXml(record.MESSAGE)}</failure>`;
  return `${open}>${failure}</testcase>\n`;
}

const xmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

function escapeXml(text: string): string {
  // Control characters other than tab and newline have no form in XML 1.0.
  return text
    .replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll(/[&<>"\n]/g, (found) => xmlEscapes[found] ?? found);
}
