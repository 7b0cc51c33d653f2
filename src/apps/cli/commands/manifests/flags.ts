/** The flags of `postern manifests`. What concerns the process in the pod has the name that `postern serve` gives it. */
import type { Flag } from "../../command.ts";

export const manifestsFlags: readonly Flag[] = [
  {
    name: "namespace",
    short: "n",
    kind: "text",
    value: "name",
    summary: "where Postern is installed (default postern)",
  },
  {
    name: "image",
    kind: "text",
    value: "image",
    summary: "the image, built from deploy/Dockerfile (default postern:<version>)",
  },
  { name: "replicas", kind: "text", value: "n", summary: "replicas of the gate (default 3)" },
  {
    name: "names",
    kind: "text",
    value: "style",
    choices: ["postern", "kyverno"],
    summary: "names of webhooks: postern's own, or Kyverno's, to take its place (default postern)",
  },
  {
    name: "infrastructure-namespaces",
    kind: "list",
    value: "names",
    summary: "namespaces beside kube-system, kube-node-lease and Postern's own that no policy may hold up",
  },
  {
    name: "host-network",
    kind: "switch",
    summary:
      "use the nodes' network: for managed control planes that reach no pod, and for networks that must come up without the gate",
  },
  {
    name: "port",
    kind: "text",
    value: "port",
    summary:
      "port of the webhook in the pod; a managed control plane's firewall may want another (default 9443)",
  },
  {
    name: "priority-class",
    kind: "text",
    value: "name",
    summary: "priority class of the pods (default system-cluster-critical)",
  },
  {
    name: "cert-manager",
    kind: "switch",
    summary: "let cert-manager issue the certificate, in place of Postern itself",
  },
  {
    name: "crds",
    kind: "text",
    value: "which",
    choices: ["all", "none", "only"],
    summary:
      "the CRDs of the policy kinds, for a cluster without Kyverno's; none leaves those of an installation as they are (default all)",
  },
  {
    name: "serve-flag",
    kind: "texts",
    value: "flag",
    summary: "another flag for `postern serve`, as --serve-flag=--log-level=debug; may be repeated",
  },
  {
    name: "output",
    short: "o",
    kind: "text",
    value: "format",
    choices: ["yaml", "json"],
    summary: "(default yaml)",
  },
];
