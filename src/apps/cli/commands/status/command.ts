/** `postern status`: how is the gate? For people on call, with nothing but a kubeconfig. */
import type { Command } from "../../command.ts";

export const statusCommand: Command = {
  name: "status",
  summary:
    "Show the gate of a cluster at a glance: webhooks, replicas, policies that do not do all they say, last faults.",
  operands: "",
  flags: [
    {
      name: "kubeconfig",
      kind: "text",
      value: "file",
      summary: "how to reach the cluster (default: KUBECONFIG, then ~/.kube/config, then in-cluster)",
    },
    { name: "context", kind: "text", value: "name", summary: "the kubeconfig context" },
    {
      name: "namespace",
      short: "n",
      kind: "text",
      value: "name",
      summary: "the namespace that Postern runs in (default postern)",
    },
    {
      name: "output",
      short: "o",
      kind: "text",
      value: "format",
      choices: ["text", "json"],
      summary: "for people or for programs (default text)",
    },
  ],
  examples: [
    { command: "postern status", says: "exit code 0: all is well, 1: something needs attention" },
    { command: "postern status --context prod -n policies", says: "another cluster, another namespace" },
    { command: "postern status -o json | jq .attention", says: "for a script" },
  ],
  run: async (world, input) => (await import("./run-status.ts")).runStatus(world, input),
};
