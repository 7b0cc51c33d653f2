/** All pages that are made from code: where each lies below the root, and its text. */
import { describeCommands } from "#cli";
import { functionTable } from "#jmespath";
import { cliPage } from "./cli-page.ts";
import { jmespathPage } from "./jmespath-page.ts";

export type Page = { readonly path: string; readonly text: string };

export async function renderPages(): Promise<readonly Page[]> {
  return [
    { path: "docs/reference/cli.md", text: cliPage(await describeCommands()) },
    { path: "docs/reference/jmespath.md", text: jmespathPage(functionTable) },
  ];
}
