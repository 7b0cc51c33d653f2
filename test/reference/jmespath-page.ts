/** The page of JMESPath functions, `docs/reference/jmespath.md`, made of the definitions that evaluate them. */
import type { DescribedFunction } from "#jmespath";
import { markdownTable } from "./markdown-table.ts";

export function jmespathPage(functions: readonly DescribedFunction[]): string {
  const rows = functions.map(({ signature, note }) => [`\`${signature}\``, note]);
  return `${[head(functions.length), markdownTable(["function", "what it gives"], rows).join("\n")].join("\n\n")}\n`;
}

function head(count: number): string {
  return `# JMESPath functions

Expressions in policies (\`{{ }}\`, \`jmesPath\`, the list of a \`foreach\`) are JMESPath in Kyverno's dialect: a key that is not
there is an error, which \`||\` and defaults meet, and not null. \`postern jp query\` evaluates an expression on a document,
\`postern jp parse\` shows how one is understood, and \`postern jp function\` prints this list. How answers differ from
Kyverno's: [compatibility](compatibility.md#jmespath).

This page is written by \`npm run reference\` from the definitions that evaluate the functions; a test fails when the two
differ. Where a parameter has several types, a bar stands between them; three dots say that the last one may be repeated;
\`expref\` is an expression behind \`&\`, as in \`sort_by(items, &name)\`.

All ${count} functions:`;
}
