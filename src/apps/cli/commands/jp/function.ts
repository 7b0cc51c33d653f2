/** `postern jp function`: the functions that expressions may call, from the definitions that evaluate them. */
import type { Command } from "../../command.ts";

export const functionCommand: Command = {
  name: "function",
  summary: "List the functions that expressions may call, or explain some of them.",
  operands: "[names...]",
  flags: [],
  examples: [
    { command: "postern jp function", says: "all of them" },
    { command: "postern jp function semver_compare truncate", says: "some" },
  ],
  run: async (world, input) => (await import("./run-function.ts")).runFunction(world, input),
};
