/**
 * The commands of `postern`. None is loaded before it is called: a command costs the others nothing at start-up.
 */
import type { CommandEntry } from "./command.ts";

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

/** The entry that the first words of a command line lead to, and how many words that took. */
export function findCommand(
  words: readonly string[],
  table: readonly CommandEntry[] = commandTable,
): { readonly path: readonly CommandEntry[] } {
  const entry = table.find((candidate) => candidate.name === words[0]);
  if (entry === undefined) return { path: [] };
  const below = entry.commands === undefined ? { path: [] } : findCommand(words.slice(1), entry.commands);
  return { path: [entry, ...below.path] };
}
