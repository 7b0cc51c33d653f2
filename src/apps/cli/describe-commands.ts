/**
 * The command table as people read it: every command with its place below `postern`, loaded, and with all the flags
 * that it takes. For the reference page; loads each command, which none of them does for another.
 */
import type { Command, CommandEntry, Flag } from "./command.ts";

/** A command, or a group of commands, which has no command of its own. */
export type DescribedCommand = {
  /** The words that call it: `postern jp query`. */
  readonly title: string;
  readonly summary: string;
  readonly command?: Command;
  /** The command's own flags first, then those that every command takes. */
  readonly flags: readonly Flag[];
};

/** Every group and command in the order of the table, a group before what is below it. */
export async function describeCommands(): Promise<readonly DescribedCommand[]> {
  const { commandTable } = await import("./command-table.ts");
  const { commonFlags } = await import("./common-flags.ts");
  return describeEntries(commandTable, "postern", commonFlags);
}

async function describeEntries(
  entries: readonly CommandEntry[],
  above: string,
  common: readonly Flag[],
): Promise<readonly DescribedCommand[]> {
  const described: DescribedCommand[] = [];
  for (const { name, summary, load, commands } of entries) {
    const title = `${above} ${name}`;
    const command = await load?.();
    described.push(
      command === undefined
        ? { title, summary, flags: [] }
        : { title, summary: command.summary, command, flags: [...command.flags, ...common] },
    );
    described.push(...(await describeEntries(commands ?? [], title, common)));
  }
  return described;
}
