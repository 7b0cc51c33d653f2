/**
 * From the words of a command line to an exit code. The command that is called is found first and only then loaded;
 * commander parses its flags, prints its help and suggests what a mistyped word may have meant.
 */
import { Fault } from "#diag";
import type { World } from "#platform";
import { CommandInput, UsageError, exitCodes } from "./command.ts";
import type { CommandEntry } from "./command.ts";
import { commandTable, findCommand } from "./command-table.ts";

/**
 * Runs `postern` with the words behind its name.
 * @returns the exit code: 0 fine, 1 a policy result, 2 wrong usage or unreadable input
 * @throws what is a fault of Postern itself
 */
export async function main(world: World, words: readonly string[]): Promise<number> {
  const { path, rest, leading } = findCommand(isVersionFlag(words) ? ["version"] : words);
  const entry = path.at(-1);
  try {
    if (entry?.load !== undefined) return await runCommand(world, path, [...leading, ...rest]);
    const { runGroup } = await import("./program.ts");
    return await runGroup(world, path, entry?.commands ?? commandTable, rest);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof Fault)) throw error;
    const name = ["postern", ...path.map((step) => step.name)].join(" ");
    world.stderr.write(`${name}: ${error.message}\n`);
    if (error instanceof UsageError) world.stderr.write(`  \`${name} --help\` shows how it is used\n`);
    return exitCodes.wrongInput;
  }
}

function isVersionFlag(words: readonly string[]): boolean {
  return words.length === 1 && (words[0] === "--version" || words[0] === "-V");
}

async function runCommand(
  world: World,
  path: readonly CommandEntry[],
  words: readonly string[],
): Promise<number> {
  const command = await path.at(-1)?.load?.();
  if (command === undefined) return exitCodes.fault;
  // Without words there is nothing to parse, and the parser need not be loaded.
  if (words.length === 0 && !command.operands.includes("<"))
    return command.run(world, new CommandInput([], new Map()));
  const { parseCommandLine } = await import("./program.ts");
  const parsed = await parseCommandLine(world, path, command, words);
  return parsed.kind === "exit" ? parsed.code : command.run(world, parsed.input);
}
