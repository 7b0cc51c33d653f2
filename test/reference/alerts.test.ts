/** Alerts ask only for metrics and labels that there are, and every metric that means trouble has one. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { metricTable } from "#telemetry";

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
};
type RuleFile = { readonly spec: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } };

const root = resolve(import.meta.dirname, "../..");
const file = parse(readFileSync(resolve(root, "deploy/prometheus-rule.yaml"), "utf8")) as RuleFile;
const rules = file.spec.groups.flatMap((group) => group.rules);
const metricIn = (name: string): (typeof metricTable)[number] | undefined =>
  metricTable.find(
    (metric) => metric.name === name || (metric.type === "histogram" && `${metric.name}_bucket` === name),
  );

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  "%s asks for what there is",
  (_, { expr, annotations }) => {
    const names = expr.match(/postern_[a-z_]+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const [, name = "", selector = ""] of expr.matchAll(/(postern_[a-z_]+)(?:\{([^}]*)\})?/g)) {
      const metric = metricIn(name);
      expect(metric, name).toBeDefined();
      const labels = [...selector.matchAll(/([a-z]+)(?:=~|=|!=)"/g)].map(([, label = ""]) => label);
      for (const label of labels) expect(["le", ...(metric?.labels ?? [])]).toContain(label);
    }
    for (const [, list = ""] of expr.matchAll(/by \(([^)]*)\)/g)) {
      const known = ["le", ...names.flatMap((name) => metricIn(name)?.labels ?? [])];
      for (const label of list.split(", ")) expect(known).toContain(label);
    }
    expect(annotations["summary"]).toMatch(/^[A-Z]/);
    expect(annotations["description"]?.length).toBeGreaterThan(30);
  },
);

test("what means trouble has an alert; what does not is known by name", () => {
  const quiet = [
    "postern_policy_evaluation_duration_seconds",
    "postern_policy_results_total",
    "postern_last_answer_timestamp_seconds",
    "postern_last_canary_timestamp_seconds",
    "postern_api_calls_total",
    "postern_events_dropped_total",
  ];
  const text = rules.map(({ expr }) => expr).join("\n");
  const without = metricTable
    .map(({ name }) => name)
    .filter((name) => !new RegExp(`${name}(?:_bucket)?\\b`).test(text));
  expect(without).toEqual(quiet);
});
