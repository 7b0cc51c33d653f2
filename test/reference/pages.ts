/** All pages that are made from code: where each lies below the root, and its text. */
import { describeCommands } from "#cli";
import { functionTable } from "#jmespath";
import { exclusions } from "#controllers";
import { metricTable } from "#telemetry";
import { cliPage } from "./cli-page.ts";
import { crdsPage } from "./crds-page.ts";
import { jmespathPage } from "./jmespath-page.ts";
import { metricsPage } from "./metrics-page.ts";
import { webhooksPage } from "./webhooks-page.ts";

export type Page = { readonly path: string; readonly text: string };

export async function renderPages(): Promise<readonly Page[]> {
  return [
    { path: "deploy/chart/crds/kyverno.io.yaml", text: await crdsPage() },
    { path: "docs/reference/cli.md", text: cliPage(await describeCommands()) },
    { path: "docs/reference/jmespath.md", text: jmespathPage(functionTable) },
    { path: "docs/reference/metrics.md", text: metricsPage(metricTable) },
    { path: "docs/reference/webhooks.md", text: webhooksPage(exclusions) },
  ];
}
