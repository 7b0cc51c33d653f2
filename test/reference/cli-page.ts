/** The page of the command line, `docs/reference/cli.md`, made of what the parser and `--help` are made of. */
import type { DescribedCommand } from "#cli";
import { markdownTable } from "./markdown-table.ts";

type Flag = DescribedCommand["flags"][number];

const HEAD = `# Command line

This page is written by \`npm run reference\` from the command table that parses the command line and prints \`--help\`; a
test fails when the two differ. Text in \`<…>\` stands for a value.

Every command exits with 0 when all is fine, 1 for the result of a policy (a violation, an expectation that is not met),
2 for wrong usage or input that could not be read, and 3 for a fault of Postern itself. \`postern --version\` is
\`postern version\`; \`--help\` (\`-h\`) explains any command.

A switch may also be written \`--switch=true\` or \`--switch=false\`, as generated scripts do.`;

export function cliPage(commands: readonly DescribedCommand[]): string {
  return `${[HEAD, ...commands.flatMap(renderCommand)].join("\n\n")}\n`;
}

function renderCommand({ title, summary, command, flags }: DescribedCommand): readonly string[] {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}${summary.endsWith(".") ? "" : "."}`;
  if (command === undefined)
    return [`## ${title}`, `${sentence} A group: call one of the commands below it.`];
  const usage = [title, "[options]", command.operands].filter((word) => word !== "").join(" ");
  const offered = flags.filter((flag) => flag.hidden !== true && flag.unavailable === undefined);
  return [
    `## ${title}`,
    sentence,
    fence([usage]),
    markdownTable(["option", "what it does"], offered.map(renderFlag)).join("\n"),
    ...renderSilent(flags),
    ...renderUnavailable(flags),
    ...(command.sections ?? []).flatMap(({ title: heading, rows }) => [
      heading,
      rows.map(({ term, says }) => `- \`${term}\`: ${says}`).join("\n"),
    ]),
    "Examples:",
    fence(command.examples.flatMap(({ command: words, says }) => [`# ${says}`, words])),
  ];
}

function fence(lines: readonly string[]): string {
  return ["```sh", ...lines, "```"].join("\n");
}

function renderFlag(flag: Flag): readonly string[] {
  const isRepeatable = flag.kind === "list" || flag.kind === "texts";
  const also = (flag.aliases ?? []).map((alias) => `\`--${alias}\``).join(", ");
  const notes = [
    ...(flag.choices === undefined ? [] : [`one of ${flag.choices.map((word) => `\`${word}\``).join(", ")}`]),
    ...(isRepeatable && !flag.summary.includes("may be repeated") ? ["may be repeated"] : []),
    ...(flag.kind === "list" ? ["commas divide values"] : []),
    ...(also === "" ? [] : [`also ${also}`]),
  ];
  return [nameOf(flag), [flag.summary, ...notes].join("; ")];
}

function nameOf(flag: Flag): string {
  const short = flag.short === undefined ? "" : `\`-${flag.short}\`, `;
  const value = flag.kind === "switch" ? "" : ` <${flag.value ?? "value"}>`;
  return `${short}\`--${flag.name}${value}\``;
}

/** Spellings and wishes that scripts may hold and nobody needs to write. */
function renderSilent(flags: readonly Flag[]): readonly string[] {
  const silent = flags.filter((flag) => flag.hidden === true && flag.unavailable === undefined);
  const names = silent.map((flag) => `- ${nameOf(flag)} (${flag.summary})`);
  return names.length === 0 ? [] : ["Also taken:", names.join("\n")];
}

function renderUnavailable(flags: readonly Flag[]): readonly string[] {
  const missing = flags.flatMap((flag) =>
    flag.unavailable === undefined ? [] : [[nameOf(flag), flag.unavailable]],
  );
  if (missing.length === 0) return [];
  return [
    "Known, and refused with exit code 2 (never ignored), because it is not served yet:",
    markdownTable(["option", "why, and what to do instead"], missing).join("\n"),
  ];
}
