/**
 * The commands of `postern`. None is loaded before it is called: a command costs the others nothing at start-up.
 */
import type { CommandEntry } from "./command.ts";
import { commonFlags } from "./common-flags.ts";

export const commandTable: readonly CommandEntry[] = [
  {
    name: "apply",
    summary: "say what policies say of resources",
    load: async () => (await import("./commands/apply/command.ts")).applyCommand,
  },
  {
    name: "test",
    summary: "hold policies against what their tests expect",
    load: async () => (await import("./commands/test/command.ts")).testCommand,
  },
  {
    name: "jp",
    summary: "try out JMESPath as policies use it",
    commands: [
      {
        name: "query",
        summary: "evaluate queries on a document",
        load: async () => (await import("./commands/jp/query.ts")).queryCommand,
      },
      {
        name: "parse",
        summary: "show how an expression is understood",
        load: async () => (await import("./commands/jp/parse.ts")).parseCommand,
      },
      {
        name: "function",
        summary: "list the functions, or explain some",
        load: async () => (await import("./commands/jp/function.ts")).functionCommand,
      },
    ],
  },
  {
    name: "serve",
    summary: "serve the policies of a cluster as its admission webhook",
    load: async () => (await import("./commands/serve/command.ts")).serveCommand,
  },
  {
    name: "manifests",
    summary: "print everything that Postern needs in a cluster",
    load: async () => (await import("./commands/manifests/command.ts")).manifestsCommand,
  },
  {
    name: "status",
    summary: "show the gate of a cluster at a glance",
    load: async () => (await import("./commands/status/command.ts")).statusCommand,
  },
  {
    name: "version",
    summary: "print the version",
    load: async () => (await import("./commands/version.ts")).versionCommand,
  },
  {
    name: "completion",
    summary: "print a completion script for a shell",
    load: async () => (await import("./commands/completion/command.ts")).completionCommand,
  },
];

export type FoundCommand = {
  readonly path: readonly CommandEntry[];
  /** The words behind the command's name. */
  readonly rest: readonly string[];
  /** Flags of every command that stood before or between the words of its name. */
  readonly leading: readonly string[];
};

/** The entry that the first words of a command line lead to; common flags may stand in front of each of them. */
export function findCommand(words: readonly string[]): FoundCommand {
  const path: CommandEntry[] = [];
  const leading: string[] = [];
  let rest = words;
  let table: readonly CommandEntry[] | undefined = commandTable;
  while (table !== undefined) {
    const flags = leadingFlags(rest);
    leading.push(...rest.slice(0, flags));
    rest = rest.slice(flags);
    const name = rest[0];
    const entry: CommandEntry | undefined = table.find((candidate) => candidate.name === name);
    if (entry === undefined) break;
    path.push(entry);
    rest = rest.slice(1);
    table = entry.commands;
  }
  return { path, rest, leading };
}

/** How many of the first words are common flags and their values. */
function leadingFlags(words: readonly string[]): number {
  let count = 0;
  for (;;) {
    const word = words[count] ?? "";
    const flag = commonFlags.find(({ name }) => word === `--${name}` || word.startsWith(`--${name}=`));
    if (flag === undefined) return count;
    const apart = flag.kind !== "switch" && !word.includes("=");
    count = Math.min(count + (apart ? 2 : 1), words.length);
  }
}
