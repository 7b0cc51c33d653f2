/**
 * The flags of `postern serve`. Manifests, the chart and the guides are written from the same names; a default that is
 * given here is the one that is meant for production.
 */
import type { Flag } from "../../command.ts";

/** Each safety can be switched off by itself; the text says what is then lost. */
export const safetyLosses = {
  identities:
    "writes of the API server itself and of kubelets can be refused: a control plane may not boot again",
  "boot-kinds":
    "wildcards reach what a control plane writes at boot, and named boot kinds get Fail: the same risk",
  namespaces:
    "kube-system, kube-node-lease, Postern's own and the infrastructure namespaces are guarded like any other",
  "read-back":
    "Fail is registered even where the server dropped the conditions that keep the control plane out",
  canary: "Fail is registered before a call has come through the API server to a replica and back",
  "hand-patches": "a failurePolicy or timeout that somebody changed by hand is changed back at once",
  watchdog: "nobody observes through the API server whether the gate answers: no alarm when it does not",
} as const;

export const serveFlags: readonly Flag[] = [
  {
    name: "kubeconfig",
    kind: "text",
    value: "file",
    summary: "how to reach the cluster (default: in-cluster, then KUBECONFIG, then ~/.kube/config)",
  },
  { name: "context", kind: "text", value: "name", summary: "the kubeconfig context" },
  {
    name: "namespace",
    short: "n",
    kind: "text",
    value: "name",
    summary: "the namespace that Postern runs in (default: POD_NAMESPACE, then postern)",
  },
  {
    name: "names",
    kind: "text",
    value: "style",
    choices: ["postern", "kyverno"],
    summary: "object names: postern's own, or Kyverno's, to take its place (default postern)",
  },
  { name: "host", kind: "text", value: "address", summary: "address to listen on (default: all)" },
  { name: "port", kind: "text", value: "port", summary: "port of the webhook (default 9443)" },
  {
    name: "metrics-port",
    kind: "text",
    value: "port",
    summary: "port of /metrics and the health endpoints, plain HTTP; 0 for none (default 8000)",
  },
  {
    name: "webhook-url",
    kind: "text",
    value: "url",
    summary:
      "register this address, `https://host:port`, in place of the Service: for a gate outside of the cluster",
  },
  {
    name: "service-name",
    kind: "text",
    value: "name",
    summary: "Service in front of the replicas (default postern-svc)",
  },
  { name: "service-port", kind: "text", value: "port", summary: "port of the Service (default 443)" },
  {
    name: "tls-cert-file",
    kind: "text",
    value: "file",
    summary:
      "serve with this certificate (cert-manager); without it Postern issues and renews its own in a Secret",
  },
  { name: "tls-key-file", kind: "text", value: "file", summary: "its key" },
  {
    name: "tls-ca-file",
    kind: "text",
    value: "file",
    summary: "the authority that API servers check it by (default: the last certificate of the chain)",
  },
  {
    name: "config-map",
    kind: "text",
    value: "name",
    summary:
      "ConfigMap with upstream's configuration keys, read again when it changes (default postern; kyverno with --names kyverno)",
  },
  {
    name: "infrastructure-namespaces",
    kind: "list",
    value: "names",
    summary: "namespaces beside kube-system, kube-node-lease and Postern's own that no policy may hold up",
  },
  {
    name: "webhook-timeout",
    kind: "text",
    value: "seconds",
    summary: "timeout of the registered webhooks, 1 to 30 (default 5; 10 with --names kyverno)",
  },
  {
    name: "allow-fail-for-boot-kinds",
    kind: "switch",
    summary:
      "let policies with the annotation postern.dev/fail-for-boot-kinds guard kinds that a control plane writes at boot with Fail",
  },
  {
    name: "open-when-dead",
    kind: "switch",
    summary:
      "let the watchdog open the gate once for policies with the annotation postern.dev/open-when-dead when no call is answered (default: raise the alarm only)",
  },
  {
    name: "without",
    kind: "list",
    value: "safety",
    choices: Object.keys(safetyLosses),
    summary: "switch a safety off; see below what is then lost",
  },
  {
    name: "max-concurrent",
    kind: "text",
    value: "n",
    summary: "requests that wait for lookups at one time; more are queued (default 256)",
  },
  {
    name: "max-queued",
    kind: "text",
    value: "n",
    summary: "requests in the queue before new ones are shed (default 512)",
  },
  {
    name: "lookup-timeout",
    kind: "text",
    value: "duration",
    summary: "deadline of one context lookup (default 1s)",
  },
  {
    name: "remove-on-exit",
    kind: "switch",
    summary:
      "take the registrations away when this process stops; without it that is done only when Postern's Deployment is going away",
  },
  {
    name: "log-level",
    kind: "text",
    value: "level",
    choices: ["debug", "info", "warn", "error"],
    summary: "(default info)",
  },
];
