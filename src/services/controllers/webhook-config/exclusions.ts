/**
 * What no webhook of Postern ever stands in front of, and why: the one table behind every rule, selector and match
 * condition that is registered, behind what a policy's status says it does not cover, and behind the reference page.
 * Strength: `always` whatever a policy says; `named` means that a wildcard never reaches it, and a policy that names it
 * gets a webhook of its own (`Ignore`, two seconds) unless the policy and the operator both ask for `Fail`.
 * SPEC: design.md section 2, invariant 1; reasons from boots that were measured on a real API server.
 */
import type { Safety } from "../ports.ts";

type Common = {
  readonly id: string;
  /** One sentence for people. */
  readonly reason: string;
  /** The switch that takes it away. */
  readonly safety: Safety;
};

/** Who calls; by a match condition. */
export type IdentityExclusion = Common & {
  readonly by: "identity";
  readonly what: string;
  /** CEL that is true for them; total. */
  readonly expression: string;
  /** Only in webhooks that have one of these resources; in all where absent. */
  readonly resources?: readonly string[];
};

/** What is written; by leaving it out of the rules. `group` "" is core; `resource` may be `*` with a subresource. */
export type KindExclusion = Common & {
  readonly by: "kind";
  readonly strength: "always" | "named";
  readonly group: string;
  /** Plural; `*` for all of the group. */
  readonly resource: string;
  /** Empty for the object itself and all that belongs to it. */
  readonly subresource: string;
};

/** Where it is written; by a selector on the label that the API server itself sets. */
export type NamespaceExclusion = Common & {
  readonly by: "namespace";
  /** A name; `own` is Postern's, `infrastructure` stands for those that the operator lists. */
  readonly namespace: "kube-system" | "kube-node-lease" | "own" | "infrastructure";
};

export type Exclusion = IdentityExclusion | KindExclusion | NamespaceExclusion;

/** Total: a review without a user or groups makes it false. */
const inGroup = (group: string): string =>
  `has(request.userInfo.groups) && request.userInfo.groups.exists(g, g == "${group}")`;
const user = (test: string): string => `has(request.userInfo.username) && request.userInfo.username${test}`;

const ADMISSION = "admissionregistration.k8s.io";
const RBAC = "rbac.authorization.k8s.io";
const REVIEWS = "authorization.k8s.io";

function never(group: string, resource: string, reason: string): KindExclusion {
  const id = `never-${[resource, group].filter((part) => part !== "*" && part !== "").join(".")}`;
  return {
    id,
    by: "kind",
    strength: "always",
    safety: "boot-kinds",
    group,
    resource,
    subresource: "",
    reason,
  };
}

function named(group: string, resource: string, reason: string): KindExclusion {
  const [name = "", subresource = ""] = resource.split("/");
  const id = `named-${name === "*" ? subresource : resource.replace("/", "-")}`;
  return {
    id,
    by: "kind",
    strength: "named",
    safety: "boot-kinds",
    group,
    resource: name,
    subresource,
    reason,
  };
}

export const exclusions: readonly Exclusion[] = [
  {
    id: "identity-api-server",
    by: "identity",
    safety: "identities",
    what: "the API server itself: user `system:apiserver` in group `system:masters`",
    expression: `${user(' == "system:apiserver"')} && ${inGroup("system:masters")}`,
    reason:
      "at boot it creates objects through its own webhooks and dies after a minute if one of them refuses or fails; the name without the group does not count, because it can be impersonated",
  },
  {
    id: "identity-kubelets",
    by: "identity",
    safety: "identities",
    what: "kubelets: user `system:node:…` in group `system:nodes`",
    expression: `${user('.startsWith("system:node:")')} && ${inGroup("system:nodes")}`,
    reason: "nodes that cannot report or start static pods cannot bring back the pods that the gate runs in",
  },
  {
    id: "identity-bootstrappers",
    by: "identity",
    safety: "identities",
    what: "joining nodes: group `system:bootstrappers`, for certificate signing requests and nodes",
    expression: inGroup("system:bootstrappers"),
    resources: ["certificatesigningrequests", "nodes"],
    reason: "a node that joins to replace a lost one must not need the gate that was on the lost one",
  },
  never(
    "coordination.k8s.io",
    "leases",
    "leader election and heartbeats: a late Lease takes controllers and nodes down",
  ),
  never("", "events", "they tell what is wrong, also when what is wrong is the gate"),
  never("events.k8s.io", "events", "they tell what is wrong, also when what is wrong is the gate"),
  never(
    "authentication.k8s.io",
    "*",
    "token and subject reviews: without them nobody is let in, the gate included",
  ),
  never(REVIEWS, "*", "access reviews: without them nothing is authorized, the gate included"),
  never(ADMISSION, "*", "the way out: whoever opens a gate by hand must not have to pass it"),
  named(
    "networking.k8s.io",
    "servicecidrs",
    "the first write of a booting API server since 1.33; refused, it dies after 60 s",
  ),
  named("networking.k8s.io", "ipaddresses", "one for each Service, repaired by the API server at boot"),
  named("apiregistration.k8s.io", "apiservices", "registered by the API server for its own groups at boot"),
  named(
    "flowcontrol.apiserver.k8s.io",
    "flowschemas",
    "written at boot; without them requests are not scheduled",
  ),
  named(
    "flowcontrol.apiserver.k8s.io",
    "prioritylevelconfigurations",
    "written at boot, as the flow schemas",
  ),
  named(
    "scheduling.k8s.io",
    "priorityclasses",
    "the system's own are written at boot; pods of the control plane need them",
  ),
  named(
    "certificates.k8s.io",
    "certificatesigningrequests",
    "kubelets and joining nodes get their credentials by them",
  ),
  named("", "nodes", "a node that cannot register runs no pods, the gate's included"),
  named(RBAC, "clusterroles", "the defaults are reconciled at every boot"),
  named(RBAC, "clusterrolebindings", "the defaults are reconciled at every boot"),
  named(RBAC, "roles", "the defaults are reconciled at every boot"),
  named(RBAC, "rolebindings", "the defaults are reconciled at every boot"),
  named("", "serviceaccounts/token", "every pod starts with one, the gate's included"),
  named("", "pods/binding", "the scheduler's decision: held up, nothing starts anywhere"),
  named("", "bindings", "the scheduler's decision in its old form"),
  named("", "pods/eviction", "nodes are drained by them, to be repaired"),
  named("", "endpoints", "where Services lead, the gate's included"),
  named("discovery.k8s.io", "endpointslices", "where Services lead, the gate's included"),
  named("", "namespaces/finalize", "the end of a namespace: a gate in the way leaves it hanging"),
  named("*", "*/status", "what controllers observe: thousands of writes that change nothing anybody decided"),
  {
    id: "namespace-kube-system",
    by: "namespace",
    namespace: "kube-system",
    safety: "namespaces",
    reason:
      "DNS, networking and the control plane itself live there: they must come back before the gate can",
  },
  {
    id: "namespace-kube-node-lease",
    by: "namespace",
    namespace: "kube-node-lease",
    safety: "namespaces",
    reason: "heartbeats of nodes",
  },
  {
    id: "namespace-own",
    by: "namespace",
    namespace: "own",
    safety: "namespaces",
    reason: "a gate whose pods have to pass itself cannot be repaired",
  },
  {
    id: "namespace-infrastructure",
    by: "namespace",
    namespace: "infrastructure",
    safety: "namespaces",
    reason: "what the gate needs to run, as the operator lists it: networking, storage, certificates",
  },
];

/** The rows that hold where some safeties are switched off. */
export function exclusionsWithout(without: readonly Safety[]): readonly Exclusion[] {
  return exclusions.filter(({ safety }) => !without.includes(safety));
}
