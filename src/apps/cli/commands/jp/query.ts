/** `postern jp query`: what an expression gives for a document, with the functions and the rules that policies have. */
import type { Command } from "../../command.ts";

export const queryCommand: Command = {
  name: "query",
  summary: "Evaluate JMESPath expressions on a document, with the functions that policies have.",
  operands: "[expressions...]",
  flags: [
    {
      name: "input",
      short: "i",
      kind: "text",
      value: "file",
      summary: "the document, YAML or JSON (default: standard input)",
    },
    {
      name: "query",
      short: "q",
      kind: "texts",
      value: "file",
      summary: "read expressions from a file, one a line",
    },
    { name: "compact", short: "c", kind: "switch", summary: "print JSON on one line" },
    { name: "unquoted", short: "u", kind: "switch", summary: "print texts without quotes" },
  ],
  examples: [
    { command: "postern jp query -i pod.yaml 'spec.containers[].image'", says: "every image of a pod" },
    {
      command: "kubectl get pod x -o json | postern jp query 'metadata.labels'",
      says: "from standard input",
    },
    { command: `postern jp query -u -i pod.yaml "to_upper(metadata.name)"`, says: "a text without quotes" },
  ],
  run: async (world, input) => (await import("./run-query.ts")).runQuery(world, input),
};
