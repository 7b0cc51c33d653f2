/**
 * The bridge to commander: flags from the table to its options and back. Commander's own exits become exit codes here;
 * nothing in a command knows that it exists.
 */
import type { World } from "#platform";
import { Command as Parser, CommanderError, Option } from "commander";
import type { Command, CommandEntry, Flag, HelpSection } from "./command.ts";
import { CommandInput, UsageError, exitCodes } from "./command.ts";
import { commonFlags } from "./common-flags.ts";
import { paintFor } from "./render/paint.ts";
import { wrapText } from "./render/wrap-text.ts";

export type ParsedCommandLine =
  | { readonly kind: "input"; readonly input: CommandInput }
  | { readonly kind: "exit"; readonly code: number };

/** Parses the words behind a command's name; help and mistakes are written and end with an exit code. */
export async function parseCommandLine(
  world: World,
  path: readonly CommandEntry[],
  command: Command,
  words: readonly string[],
): Promise<ParsedCommandLine> {
  const flags = [...command.flags, ...commonFlags];
  const values = new Map<string, string[]>();
  const parser = createParser(world, titleOf(path))
    .description(command.summary)
    .allowExcessArguments(command.operands.includes("..."));
  if (command.operands !== "") parser.arguments(command.operands);
  for (const flag of flags) addFlag(parser, flag, values);
  for (const section of command.sections ?? []) {
    parser.addHelpText("after", () => renderSection(world, section));
  }
  if (command.examples.length > 0) parser.addHelpText("after", () => renderExamples(world, command));
  let operands: readonly string[] = [];
  parser.action(() => {
    operands = parser.args;
  });
  const code = await parse(parser, normalizeSwitches(words, flags));
  if (code !== undefined) return { kind: "exit", code };
  refuseUnavailable(flags, values);
  return { kind: "input", input: new CommandInput(operands, values) };
}

/** A group without a command: its help, or what a mistyped command may have meant. */
export async function runGroup(
  world: World,
  path: readonly CommandEntry[],
  commands: readonly CommandEntry[],
  words: readonly string[],
): Promise<number> {
  const parser = createParser(world, titleOf(path));
  const last = path.at(-1);
  parser.description(
    last?.summary ?? "runs the Kubernetes policies that you already have, without a cluster",
  );
  if (last === undefined) parser.version("", "-V, --version", "print the version");
  for (const entry of commands) parser.command(entry.name).description(entry.summary);
  if (last === undefined) parser.addHelpText("after", () => overview(world));
  if (words.length === 0) {
    parser.outputHelp();
    return exitCodes.fine;
  }
  return (await parse(parser, words)) ?? exitCodes.fine;
}

function titleOf(path: readonly CommandEntry[]): string {
  return ["postern", ...path.map((entry) => entry.name)].join(" ");
}

function createParser(world: World, title: string): Parser {
  const { bold, cyan } = paintFor(world.stdout, world.env);
  return new Parser(title)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      getOutHelpWidth: () => Math.min(world.stdout.columns, 100),
      getErrHelpWidth: () => Math.min(world.stderr.columns, 100),
      getOutHasColors: () => true,
      outputError: (text, write) => write(text.replace(/^error: /, `${title}: `)),
    })
    .configureHelp({ styleTitle: bold, styleOptionTerm: cyan, styleSubcommandTerm: cyan })
    .showHelpAfterError(`  \`${title} --help\` shows how it is used`)
    .helpOption("-h, --help", "show this help")
    .helpCommand(false);
}

function addFlag(parser: Parser, flag: Flag, values: Map<string, string[]>): void {
  const take = (given: string): string => {
    const list = values.get(flag.name) ?? [];
    values.set(flag.name, [...list, ...(flag.kind === "list" ? given.split(",") : [given])]);
    return given;
  };
  for (const name of [flag.name, ...(flag.aliases ?? [])]) {
    const short = name === flag.name && flag.short !== undefined ? `-${flag.short}, ` : "";
    const value = flag.kind === "switch" ? "" : ` <${flag.value ?? "value"}>`;
    const option = new Option(`${short}--${name}${value}`, summaryOf(flag));
    if (flag.kind === "switch") parser.on(`option:${name}`, () => take("true"));
    else option.argParser(checked(flag, take));
    if (flag.hidden === true || flag.unavailable !== undefined || name !== flag.name) option.hideHelp();
    parser.addOption(option);
  }
}

function summaryOf(flag: Flag): string {
  return flag.choices === undefined ? flag.summary : `${flag.summary}: ${flag.choices.join(", ")}`;
}

function checked(flag: Flag, take: (given: string) => string): (given: string) => string {
  return (given) => {
    for (const part of flag.kind === "list" ? given.split(",") : [given]) {
      if (flag.choices === undefined || flag.choices.includes(part)) continue;
      throw new UsageError(`\`--${flag.name} ${part}\`: it must be one of ${flag.choices.join(", ")}`);
    }
    return take(given);
  };
}

/** Upstream's parser also takes `--switch=true` and `--switch=false`, in scripts that are generated. */
function normalizeSwitches(words: readonly string[], flags: readonly Flag[]): readonly string[] {
  const switches = new Set(
    flags
      .filter((flag) => flag.kind === "switch")
      .flatMap((flag) => [flag.name, ...(flag.aliases ?? [])].map((name) => `--${name}`)),
  );
  return words.flatMap((word) => {
    const equals = word.indexOf("=");
    if (equals < 0 || !switches.has(word.slice(0, equals))) return [word];
    return /^(false|f|0)$/i.test(word.slice(equals + 1)) ? [] : [word.slice(0, equals)];
  });
}

function refuseUnavailable(flags: readonly Flag[], values: ReadonlyMap<string, readonly string[]>): void {
  for (const flag of flags) {
    if (flag.unavailable === undefined || !values.has(flag.name)) continue;
    throw new UsageError(`\`--${flag.name}\` is not available: ${flag.unavailable}`);
  }
}

async function parse(parser: Parser, words: readonly string[]): Promise<number | undefined> {
  try {
    await parser.parseAsync(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.wrongInput;
  }
}

function renderSection(world: World, { title, rows }: HelpSection): string {
  const { bold, cyan } = paintFor(world.stdout, world.env);
  const width = Math.max(...rows.map(({ term }) => term.length));
  const indent = " ".repeat(width + 4);
  const room = Math.min(world.stdout.columns, 100) - indent.length;
  const lines = rows.map(
    ({ term, says }) => `  ${cyan(term.padEnd(width))}  ${wrapText(says, room).join(`\n${indent}`)}`,
  );
  return `\n${bold(title)}\n${lines.join("\n")}`;
}

function renderExamples(world: World, command: Command): string {
  const { bold, dim } = paintFor(world.stdout, world.env);
  const width = Math.max(...command.examples.map((example) => example.command.length));
  const lines = command.examples.map((example) =>
    width > 60
      ? `  ${dim(`# ${example.says}`)}\n  ${example.command}`
      : `  ${example.command.padEnd(width)}  ${dim(`# ${example.says}`)}`,
  );
  return `\n${bold("Examples:")}\n${lines.join("\n")}`;
}

function overview(world: World): string {
  const { bold, dim } = paintFor(world.stdout, world.env);
  return [
    "",
    bold("Examples:"),
    `  postern apply policies/ -r manifests/        ${dim("# what do these policies say of these manifests?")}`,
    `  helm template . | postern apply policies/ -r -`,
    `  postern jp query -i pod.yaml 'spec.containers[].image'`,
    "",
    `Exit codes: 0 fine, 1 a policy is violated, 2 wrong usage or unreadable input, 3 a fault of Postern.`,
    `Every command takes --help.`,
  ].join("\n");
}
