/** Reports: how a result is called, counted, and where it is written. */
import { deepEqual } from "node:assert/strict";
import type { RuleResult, Verdict } from "#engine";
import { mergedReports, reportResults, resourceReport, type ReportResult } from "#reports";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "shop" } };
const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };

function results(
  more: Partial<Verdict>,
  action: RuleResult["action"],
  auditWarn: boolean,
): readonly ReportResult[] {
  const rule = { type: "Validation", message: "m", action, emitWarning: false } as const;
  const rules: readonly RuleResult[] = [
    { ...rule, rule: "a", status: "fail" },
    { ...rule, rule: "b", status: "fail" },
    { ...rule, rule: "c", status: "pass" },
  ];
  const verdict: Verdict = { kind: "verdict", policy: "p", scored: true, rules, ...more };
  const evaluated = { resource: pod, verdict, background: true, admission: true };
  return reportResults(evaluated, { source: "postern", nowMs: 0, auditWarn });
}

const words = (list: readonly ReportResult[]): string => list.map(({ result }) => result).join(" ");
deepEqual(
  [
    words(results({}, "Enforce", true)),
    words(results({}, "Audit", true)),
    words(results({}, "Audit", false)),
    words(results({ scored: false }, "Enforce", false)),
  ],
  ["fail fail pass", "warn warn pass", "fail fail pass", "warn warn pass"],
);
deepEqual(
  ["high", "urgent"].map((severity) => results({ severity }, "Audit", false)[0]?.severity),
  ["high", undefined],
);

const list = results({}, "Audit", false);
const ofPod = resourceReport(pod, list, "postern");
deepEqual([ofPod.kind, ofPod.summary], ["PolicyReport", { pass: 1, fail: 2, warn: 0, error: 0, skip: 0 }]);
deepEqual(resourceReport(node, list, "postern").kind, "ClusterPolicyReport");
deepEqual(
  mergedReports([...list, ...results({ policy: "shop/q" }, "Audit", false)]).map(
    ({ kind, results: part }) => [kind, part.length],
  ),
  [
    ["ClusterReport", 3],
    ["PolicyReport", 3],
  ],
);
