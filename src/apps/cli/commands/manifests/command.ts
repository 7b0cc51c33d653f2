/** `postern manifests`: what `kubectl apply` needs, and nothing that has to be looked up elsewhere. */
import type { Command } from "../../command.ts";
import { manifestsFlags } from "./flags.ts";

export const manifestsCommand: Command = {
  name: "manifests",
  summary: "Print everything that Postern needs in a cluster, for kubectl apply.",
  operands: "",
  flags: manifestsFlags,
  examples: [
    { command: "postern manifests | kubectl apply --server-side -f -", says: "install, or upgrade" },
    {
      command: "postern manifests --crds none",
      says: "beside or in place of Kyverno: its CRDs stay as they are",
    },
    {
      command: "postern manifests --infrastructure-namespaces cilium,cert-manager",
      says: "namespaces that no policy may hold up",
    },
    {
      command: "postern manifests --host-network --port 10260",
      says: "where a managed control plane reaches no pod",
    },
    {
      command: "postern manifests --names kyverno -n kyverno --crds none",
      says: "take the place of Kyverno",
    },
    {
      command: "postern manifests --crds none | kubectl delete -f -",
      says: "take it out again; policies stay",
    },
  ],
  run: async (world, input) => (await import("./run-manifests.ts")).runManifests(world, input),
};
