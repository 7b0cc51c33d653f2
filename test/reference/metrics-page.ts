/** The page of metrics, `docs/reference/metrics.md`, made of the table that registers them. */
import type { MetricDefinition } from "#telemetry";
import { markdownTable } from "./markdown-table.ts";

export function metricsPage(definitions: readonly MetricDefinition[]): string {
  const rows = definitions.map(({ name, type, help, labels }) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(", ") || "-",
    help,
  ]);
  return `${[head, markdownTable(["metric", "type", "labels", "what it says"], rows).join("\n")].join("\n\n")}\n`;
}

const head = `# Metrics

\`postern serve\` answers \`/metrics\` in the text format of Prometheus on a port of its own (\`--metrics-port\`, default 8000).
Alerts for what is worth waking up for are in [deploy/prometheus-rule.yaml](../../deploy/prometheus-rule.yaml). This page is
written by \`npm run reference\` from the table that registers the metrics; a test fails when the two differ.`;
