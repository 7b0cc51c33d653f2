/** The page of what no webhook stands in front of, `docs/reference/webhooks.md`, made of the table that registers. */
import { conditionOf } from "#controllers";
import type { Exclusion, IdentityExclusion, KindExclusion, NamespaceExclusion } from "#controllers";
import { markdownTable } from "./markdown-table.ts";

export function webhooksPage(rows: readonly Exclusion[]): string {
  const identities = rows.filter((row): row is IdentityExclusion => row.by === "identity");
  const kinds = rows.filter((row): row is KindExclusion => row.by === "kind");
  const namespaces = rows.filter((row): row is NamespaceExclusion => row.by === "namespace");
  const strength = (wanted: KindExclusion["strength"]): readonly KindExclusion[] =>
    kinds.filter((row) => row.strength === wanted);
  return `${[
    head,
    "## Who is never asked about",
    "By a match condition of every webhook, so that it holds when no replica is alive. Each condition is total: it is true or false for every review, and never an error.",
    markdownTable(
      ["who", "why", "match condition"],
      identities.map((row) => [
        row.what,
        row.reason,
        `\`${conditionOf(row).expression.replaceAll("|", "\\|")}\``,
      ]),
    ).join("\n"),
    "## What no webhook is ever called for",
    "Also where a policy names it; the policy's status then says `PartiallyEnforced`.",
    kindTable(strength("always")),
    "## What a wildcard does not reach",
    'A policy that names such a kind gets a webhook of its own for it: `Ignore`, two seconds. `Fail` needs both the annotation `postern.dev/fail-for-boot-kinds: "true"` on the policy and `--allow-fail-for-boot-kinds` on `postern serve`.',
    kindTable(strength("named")),
    "## Where nothing is held up",
    "By a selector on `kubernetes.io/metadata.name`, a label that the API server sets and nobody can change.",
    markdownTable(
      ["namespace", "why"],
      namespaces.map((row) => [titles[row.namespace], row.reason]),
    ).join("\n"),
    tail,
  ].join("\n\n")}\n`;
}

const titles: Readonly<Record<NamespaceExclusion["namespace"], string>> = {
  "kube-system": "`kube-system`",
  "kube-node-lease": "`kube-node-lease`",
  own: "the one that Postern runs in",
  infrastructure: "those of `--infrastructure-namespaces`",
};

function kindTable(rows: readonly KindExclusion[]): string {
  return markdownTable(
    ["resource", "why"],
    rows.map((row) => [`\`${nameOf(row)}\``, row.reason]),
  ).join("\n");
}

function nameOf({ group, resource, subresource }: KindExclusion): string {
  const path = subresource === "" ? resource : `${resource}/${subresource}`;
  return group === "" || group === "*" ? path : `${path}.${group}`;
}

const registered = markdownTable(
  ["configuration", "webhooks", "called for"],
  [
    [
      "`postern-resource-validating-webhook-cfg`",
      "`validate.postern.svc-fail`, `validate.postern.svc-ignore`",
      "what policies match, by their failurePolicy",
    ],
    [
      "",
      "`validate.postern.svc-<fail or ignore>-finegrained-<policy>`",
      "a policy with match conditions, or one that may be opened when the gate is dead",
    ],
    [
      "",
      "`validate.postern.svc-<fail or ignore>-boot-<policy>`",
      "kinds that a control plane writes at boot, where a policy names them",
    ],
    [
      "`postern-policy-validating-webhook-cfg`",
      "`validate-policy.postern.svc`",
      "policies themselves; `Ignore`",
    ],
    [
      "`postern-exception-validating-webhook-cfg`",
      "`validate-exception.postern.svc`",
      "policy exceptions; `Ignore`",
    ],
    [
      "`postern-canary-validating-webhook-cfg`",
      "`canary.postern.svc`",
      "a ConfigMap with the label `postern.dev/canary` in Postern's namespace; `Ignore`",
    ],
  ],
).join("\n");

const head = `# Webhooks

What Postern registers with API servers, and what it never stands in front of. This page is written by
\`npm run reference\` from the table that the registrations are made of; a test fails when the two differ.

${registered}

With \`--names kyverno\` they have Kyverno's names. Rules are expanded to the kinds that the server serves and follow CRDs as
they come and go; none of them says \`*\`. \`Fail\` is registered once a canary has come through the API server to a replica and
back, and only on a server that keeps match conditions (it is read back).

**Hands are respected.** A \`failurePolicy\` that somebody set to \`Ignore\`, a timeout that somebody changed and a match
condition that somebody added stay, and are shown by \`postern status\` and \`postern_hand_patched_webhooks\`. The annotation
\`postern.dev/hand-patches: revert\` on the configuration gives them back to Postern.`;

const tail = `Each group can be switched off by itself, with \`postern serve --without\`; [its help](cli.md#postern-serve) says what is then
lost.`;
