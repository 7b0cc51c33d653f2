/** `postern jp parse`: how an expression is understood, as a tree. */
import type { Command } from "../../command.ts";

export const parseCommand: Command = {
  name: "parse",
  summary: "Show how JMESPath expressions are understood.",
  operands: "[expressions...]",
  flags: [
    {
      name: "file",
      short: "f",
      kind: "texts",
      value: "file",
      summary: "read expressions from a file, one a line",
    },
  ],
  examples: [
    { command: "postern jp parse 'request.object.metadata.name | truncate(@, `9`)'", says: "the tree" },
  ],
  run: async (world, input) => (await import("./run-parse.ts")).runParse(world, input),
};
