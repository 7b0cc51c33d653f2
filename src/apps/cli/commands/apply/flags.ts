/** The flags of `apply`: upstream's, by the same names. What cannot be served yet says so and is never ignored. */
import type { Flag } from "../../command.ts";

const NEEDS_CLUSTER =
  "it needs a cluster, which a later version reads; give the resources as files with `-r`";
const NEEDS_MUTATION = "mutate and generate rules are evaluated by a later version";
const NEEDS_CEL = "it belongs to the CEL policy kinds, which a later version evaluates";
const NEEDS_GIT = "clone the repository and name its folder";

function later(name: string, kind: Flag["kind"], unavailable: string, short?: string): Flag {
  return { name, kind, summary: unavailable, unavailable, ...(short === undefined ? {} : { short }) };
}

/** Wishes that are always granted: taken, so that scripts go on, and without effect. */
function granted(name: string, kind: Flag["kind"]): Flag {
  return { name, kind, summary: "always so", hidden: true };
}

export const applyFlags: readonly Flag[] = [
  {
    name: "resource",
    short: "r",
    aliases: ["resources"],
    kind: "list",
    value: "path",
    summary: "resources: a file, a folder, a 'pattern' or - for standard input; may be repeated",
  },
  {
    name: "stdin",
    short: "i",
    kind: "switch",
    summary: "read resources from standard input, as `-r -` does",
  },
  {
    name: "values-file",
    short: "f",
    kind: "text",
    value: "file",
    summary: "values of variables (kind Values)",
  },
  {
    name: "set",
    short: "s",
    kind: "list",
    value: "name=value",
    summary: "set a variable; may be repeated",
  },
  {
    name: "userinfo",
    short: "u",
    kind: "text",
    value: "file",
    summary: "who makes the request (kind UserInfo)",
  },
  {
    name: "exception",
    short: "e",
    aliases: ["exceptions"],
    kind: "list",
    value: "path",
    summary: "policy exceptions; may be repeated",
  },
  {
    name: "exceptions-within-policies",
    kind: "switch",
    summary: "exceptions that stand among the policies count",
  },
  {
    name: "exceptions-within-resources",
    aliases: ["exceptions-with-resources"],
    kind: "switch",
    summary: "exceptions that stand among the resources count",
  },
  {
    name: "context-file",
    kind: "text",
    value: "file",
    summary: "objects and image data that policies look up (kind Context)",
  },
  { name: "namespace", short: "n", kind: "text", value: "name", summary: "only resources of this namespace" },
  { name: "policy-report", short: "p", kind: "switch", summary: "print policy reports instead" },
  {
    name: "output-format",
    kind: "text",
    value: "format",
    summary: "print policy reports in this format, or a table",
    choices: ["yaml", "json", "table"],
  },
  { name: "table", short: "t", kind: "switch", summary: "print a table instead" },
  {
    name: "detailed-results",
    kind: "switch",
    summary: "show passes and skips as well, and messages in tables",
  },
  { name: "audit-warn", kind: "switch", summary: "failures of policies in Audit are warnings" },
  {
    name: "warn-exit-code",
    kind: "text",
    value: "code",
    summary: "the exit code where there are warnings and no failures (default 0)",
  },
  {
    name: "warn-no-pass",
    kind: "switch",
    summary: "use that code also where nothing passed",
  },
  granted("continue-on-fail", "switch"),
  granted("continue-on-error", "switch"),
  granted("concurrent", "text"),
  granted("batch-size", "text"),
  granted("show-performance", "switch"),
  later("cluster", "switch", NEEDS_CLUSTER, "c"),
  later("kubeconfig", "text", NEEDS_CLUSTER),
  later("context", "text", NEEDS_CLUSTER),
  later("cluster-wide-resources", "switch", NEEDS_CLUSTER),
  later(
    "registry",
    "switch",
    "registries are asked by a later version; give image data with `--context-file`",
  ),
  later("output", "text", NEEDS_MUTATION, "o"),
  later("target-resource", "list", NEEDS_MUTATION),
  later("target-resources", "list", NEEDS_MUTATION),
  later("parameter-resource", "list", NEEDS_CEL),
  later("json", "list", NEEDS_CEL),
  later("http-payload", "list", NEEDS_CEL),
  later("envoy-payload", "list", NEEDS_CEL),
  later(
    "crd-paths",
    "list",
    "a later version reads the scope of custom kinds; until then they count as namespaced",
  ),
  later(
    "crd-path",
    "list",
    "a later version reads the scope of custom kinds; until then they count as namespaced",
  ),
  later("generate-exceptions", "switch", "a later version writes exceptions"),
  later("generated-exception-ttl", "text", "a later version writes exceptions"),
  later("git-branch", "text", NEEDS_GIT, "b"),
  later("username", "text", NEEDS_GIT),
  later("password", "text", NEEDS_GIT),
];
