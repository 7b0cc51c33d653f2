import { describe, expect, test } from "vitest";
import type { RuleResult, Verdict } from "#engine";
import { mergedReports, resourceReport } from "./report.ts";
import type { Evaluated, ReportOptions } from "./result.ts";
import { reportResults } from "./result.ts";
import { summarize } from "./summary.ts";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p1", namespace: "ns1", uid: "u-1", resourceVersion: "7" },
};
const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };
const reference = {
  apiVersion: "v1",
  kind: "Pod",
  name: "p1",
  namespace: "ns1",
  resourceVersion: "7",
  uid: "u-1",
};

const options: ReportOptions = { source: "postern", nowMs: 1_700_000_000_900, auditWarn: false };

function rule(name: string, more: Partial<RuleResult> = {}): RuleResult {
  return {
    rule: name,
    type: "Validation",
    status: "fail",
    message: "bad",
    action: "Audit",
    emitWarning: false,
    ...more,
  };
}

function evaluated(rules: readonly RuleResult[], more: Partial<Verdict> = {}, resource = pod): Evaluated {
  const verdict: Verdict = { kind: "verdict", policy: "pol", scored: true, rules, ...more };
  return { resource, verdict, background: true, admission: true };
}

test("a whole result", () => {
  const given = evaluated([rule("r", { properties: { team: "a" }, exceptions: ["apps/e1", "apps/e2"] })], {
    severity: "high",
    category: "Pod Security",
  });
  expect(reportResults(given, options)).toEqual([
    {
      source: "postern",
      policy: "pol",
      rule: "r",
      result: "fail",
      message: "bad",
      severity: "high",
      category: "Pod Security",
      scored: true,
      properties: { team: "a", process: "background scan", exceptions: "e1,e2" },
      timestamp: { seconds: 1_700_000_000, nanos: 0 },
      resources: [reference],
    },
  ]);
});

describe("the result word", () => {
  test.each([
    { name: "as it is", scored: true, auditWarn: false, more: {}, want: "fail" },
    { name: "not scored", scored: false, auditWarn: false, more: {}, want: "warn" },
    { name: "Audit with audit-warn", scored: true, auditWarn: true, more: {}, want: "warn" },
    {
      name: "Enforce with audit-warn",
      scored: true,
      auditWarn: true,
      more: { action: "Enforce" } as const,
      want: "fail",
    },
    {
      name: "only failures are softened",
      scored: false,
      auditWarn: true,
      more: { status: "error" } as const,
      want: "error",
    },
  ])("$name", ({ scored, auditWarn, more, want }) => {
    const [result] = reportResults(evaluated([rule("r", more)], { scored }), { ...options, auditWarn });
    expect(result?.result).toBe(want);
    expect(result?.scored).toBe(scored ? true : undefined);
  });
});

describe("the message", () => {
  test.each([
    { name: "of the rule", properties: {}, want: "bad" },
    { name: "of the status", properties: { failMessage: "failed", passMessage: "passed" }, want: "failed" },
    { name: "of all statuses", properties: { failMessage: "failed", message: "whatever" }, want: "whatever" },
    { name: "never an empty one", properties: { failMessage: "", message: "" }, want: "bad" },
  ])("$name", ({ properties, want }) => {
    expect(reportResults(evaluated([rule("r", { properties })]), options)[0]?.message).toBe(want);
  });

  test("is left out when there is none", () => {
    expect(reportResults(evaluated([rule("r", { message: "" })]), options)[0]).not.toHaveProperty("message");
  });
});

test("severities that the report kinds do not know, and empty categories, are left out", () => {
  const [result] = reportResults(evaluated([rule("r")], { severity: "urgent", category: "" }), options);
  expect(result).not.toHaveProperty("severity");
  expect(result).not.toHaveProperty("category");
});

test.each([
  [true, true, "background scan"],
  [false, true, "admission review"],
  [false, false, ""],
])("background %s and admission %s is the process `%s`", (background, admission, process) => {
  const given = { ...evaluated([rule("r")]), background, admission };
  expect(reportResults(given, options)[0]?.properties).toEqual({ process });
});

test("summaries count every status", () => {
  const results = (["pass", "pass", "fail", "warn", "error", "skip"] as const).map((result) => ({ result }));
  expect(summarize(results)).toEqual({ pass: 2, fail: 1, warn: 1, error: 1, skip: 1 });
  expect(summarize([])).toEqual({ pass: 0, fail: 0, warn: 0, error: 0, skip: 0 });
});

describe("the report of one object", () => {
  test("is named by its uid, owned by it, sorted, and says the object once", () => {
    const results = reportResults(evaluated([rule("b"), rule("a", { status: "pass" })]), options);
    const report = resourceReport(pod, results, "postern");
    expect(report).toMatchObject({
      apiVersion: "wgpolicyk8s.io/v1alpha2",
      kind: "PolicyReport",
      metadata: {
        name: "u-1",
        namespace: "ns1",
        labels: { "app.kubernetes.io/managed-by": "postern" },
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p1", uid: "u-1" }],
      },
      scope: reference,
      summary: { pass: 1, fail: 1, warn: 0, error: 0, skip: 0 },
    });
    expect(report.results.map(({ rule: name }) => name)).toEqual(["a", "b"]);
    expect(report.results.every((result) => result.resources === undefined)).toBe(true);
  });

  test("is a ClusterPolicyReport without owner for a Node from a file", () => {
    const report = resourceReport(node, [], "postern");
    expect(report.kind).toBe("ClusterPolicyReport");
    expect(report.metadata).toEqual({
      name: "node-n1",
      labels: { "app.kubernetes.io/managed-by": "postern" },
    });
  });
});

describe("the reports of a run", () => {
  const cluster = reportResults(evaluated([rule("a")]), options);
  const other = reportResults(evaluated([rule("b", { status: "pass" })], { policy: "second" }), options);
  const local = reportResults(evaluated([rule("c")], { policy: "ns1/local" }), options);

  test("merge all cluster policies and keep namespaced ones apart", () => {
    const reports = mergedReports([...local, ...cluster, ...other, ...cluster]);
    expect(reports.map(({ kind, metadata, summary }) => ({ kind, metadata, fail: summary.fail }))).toEqual([
      { kind: "ClusterReport", metadata: { name: "merged" }, fail: 2 },
      { kind: "PolicyReport", metadata: { name: "local", namespace: "ns1" }, fail: 1 },
    ]);
    expect(reports[0]?.results.map(({ policy }) => policy)).toEqual(["pol", "pol", "second"]);
    expect(reports.every(({ apiVersion }) => apiVersion === "openreports.io/v1alpha1")).toBe(true);
  });

  test("are none without results", () => {
    expect(mergedReports([])).toEqual([]);
  });
});
