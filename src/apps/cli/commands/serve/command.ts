/** `postern serve`: the gate of a cluster, until it is told to stop. */
import type { Command } from "../../command.ts";
import { safetyLosses, serveFlags } from "./flags.ts";

export const serveCommand: Command = {
  name: "serve",
  summary:
    "Serve the policies of a cluster as its admission webhook, and keep the registrations that call it.",
  operands: "",
  flags: serveFlags,
  sections: [
    {
      title: "Safeties, all on by default, and what is lost without each:",
      rows: Object.entries(safetyLosses).map(([term, says]) => ({ term, says })),
    },
  ],
  examples: [
    { command: "postern manifests | kubectl apply -f -", says: "how it usually gets into a cluster" },
    { command: "postern serve", says: "in a pod: cluster, namespace and name come from the pod" },
    {
      command: "postern serve --kubeconfig dev.yaml --webhook-url https://192.0.2.10:9443",
      says: "outside of the cluster",
    },
    {
      command:
        "postern serve --tls-cert-file tls/tls.crt --tls-key-file tls/tls.key --tls-ca-file tls/ca.crt",
      says: "with a certificate of cert-manager",
    },
    { command: "postern serve --names kyverno", says: "in place of Kyverno, under its names" },
    { command: "postern serve --without hand-patches,watchdog", says: "with two safeties off" },
  ],
  run: async (world, input) => (await import("./run-serve.ts")).runServe(world, input),
};
