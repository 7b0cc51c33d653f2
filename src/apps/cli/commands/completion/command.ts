/** `postern completion`: a script for a shell, made from the table of commands. */
import type { World } from "#platform";
import type { Command, CommandEntry, CommandInput } from "../../command.ts";
import { UsageError, exitCodes } from "../../command.ts";
import { commandTable } from "../../command-table.ts";
import { commonFlags } from "../../common-flags.ts";
import type { CompletionNode } from "./scripts.ts";
import { completionScripts } from "./scripts.ts";

export const completionCommand: Command = {
  name: "completion",
  summary: "Print a completion script for a shell.",
  operands: "<shell>",
  flags: [],
  examples: [
    { command: "source <(postern completion bash)", says: "bash, for this session" },
    { command: "postern completion zsh > ~/.zfunc/_postern", says: "zsh; ~/.zfunc must be in fpath" },
    { command: "postern completion fish > ~/.config/fish/completions/postern.fish", says: "fish" },
    { command: "postern completion powershell | Out-String | Invoke-Expression", says: "PowerShell" },
  ],
  run: runCompletion,
};

async function runCompletion(world: World, input: CommandInput): Promise<number> {
  const shell = input.operands[0] ?? "";
  const script = completionScripts.get(shell);
  if (script === undefined) {
    throw new UsageError(`\`${shell}\` is not one of ${[...completionScripts.keys()].join(", ")}`);
  }
  const nodes = await Promise.all(commandTable.map((entry) => nodesOf(entry, [])));
  world.stdout.write(script(nodes.flat()));
  return exitCodes.fine;
}

async function nodesOf(entry: CommandEntry, above: readonly string[]): Promise<readonly CompletionNode[]> {
  const path = [...above, entry.name];
  const below = await Promise.all((entry.commands ?? []).map((sub) => nodesOf(sub, path)));
  const command = await entry.load?.();
  const flags = [...(command?.flags ?? []), ...commonFlags]
    .filter((flag) => flag.hidden !== true && flag.unavailable === undefined)
    .map((flag) => ({
      name: `--${flag.name}`,
      summary: flag.summary,
      choices: flag.choices ?? [],
      takesValue: flag.kind !== "switch",
    }));
  const words = [
    ...(entry.commands ?? []).map(({ name, summary }) => ({ name, summary })),
    ...(entry.name === "completion"
      ? [...completionScripts.keys()].map((name) => ({ name, summary: "" }))
      : []),
  ];
  return [
    { path, summary: entry.summary, flags, words, takesFiles: command?.operands.includes("<pol") ?? false },
    ...below.flat(),
  ];
}
