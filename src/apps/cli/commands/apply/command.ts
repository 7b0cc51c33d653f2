/** `postern apply`: what do these policies say of these resources? The engine is loaded when it runs, not for `--help`. */
import type { Command } from "../../command.ts";
import { applyFlags } from "./flags.ts";

export const applyCommand: Command = {
  name: "apply",
  summary: "Say what policies say of resources: which rule fails, where in the manifest, and why.",
  operands: "<policies...>",
  flags: applyFlags,
  examples: [
    { command: "postern apply policies/ -r manifests/", says: "folders" },
    { command: "postern apply policy.yaml -r 'manifests/**/*.yaml'", says: "patterns, quoted" },
    { command: "helm template . | postern apply policies/ -r -", says: "what a chart renders" },
    { command: "kustomize build . | postern apply policies/ -r - --audit-warn", says: "Audit only warns" },
    {
      command: "postern apply policies/ -r pod.yaml -f values.yaml -u user.yaml",
      says: "with values and a user",
    },
    { command: "postern apply policies/ -r manifests/ --policy-report", says: "as policy reports" },
    { command: "postern apply policies/ -r manifests/ -t --detailed-results", says: "as a table" },
  ],
  run: async (world, input) => (await import("./run-apply.ts")).runApply(world, input),
};
