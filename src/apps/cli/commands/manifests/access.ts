/**
 * What Postern may do in a cluster, and nothing else: each row says what it is needed for, and a test asks a real API
 * server for every row and for what is not there. Who wants policies to look up more (`apiCall`) adds a ClusterRole with
 * the label of the aggregation.
 */
import type { JsonObject } from "#json";
import type { InstallOptions } from "./options.ts";

const AGGREGATE = "rbac.postern.dev/aggregate-to-gate";

type Row = {
  readonly for: string;
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly names?: readonly string[];
};

const reading = ["get", "list", "watch"];

export function clusterRows(names: InstallOptions["names"]): readonly Row[] {
  const configurations = ["resource", "policy", "exception"].map(
    (part) => `${names}-${part}-validating-webhook-cfg`,
  );
  return [
    {
      for: "policies",
      group: "kyverno.io",
      resources: ["clusterpolicies", "policies", "policyexceptions"],
      verbs: reading,
    },
    {
      for: "their statuses",
      group: "kyverno.io",
      resources: ["clusterpolicies/status", "policies/status"],
      verbs: ["patch"],
    },
    { for: "labels that policies select by", group: "", resources: ["namespaces"], verbs: reading },
    { for: "ConfigMaps that policies look up", group: "", resources: ["configmaps"], verbs: reading },
    {
      for: "policies that ask who has which role",
      group: "rbac.authorization.k8s.io",
      resources: ["rolebindings", "clusterrolebindings"],
      verbs: ["list", "watch"],
    },
    {
      for: "registrations; RBAC cannot name what is yet to be created",
      group: "admissionregistration.k8s.io",
      resources: ["validatingwebhookconfigurations"],
      verbs: ["create"],
    },
    {
      for: "registrations, Postern's own and no others",
      group: "admissionregistration.k8s.io",
      resources: ["validatingwebhookconfigurations"],
      verbs: ["get", "update", "delete"],
      names: [...configurations, "postern-canary-validating-webhook-cfg"],
    },
    ...(names === "kyverno"
      ? [
          {
            for: "whether a Kyverno is alive",
            group: "coordination.k8s.io",
            resources: ["leases"],
            verbs: ["get"],
            names: ["kyverno-health"],
          },
        ]
      : []),
  ];
}

export const namespaceRows: readonly Row[] = [
  { for: "the certificate's first Secret", group: "", resources: ["secrets"], verbs: ["create"] },
  {
    for: "the certificate",
    group: "",
    resources: ["secrets"],
    verbs: ["get", "update"],
    names: ["postern-tls"],
  },
  {
    for: "the canary, which is only tried (dry run)",
    group: "",
    resources: ["configmaps"],
    verbs: ["create"],
  },
  {
    for: "leadership, and what replicas say of themselves",
    group: "coordination.k8s.io",
    resources: ["leases"],
    verbs: ["get", "list", "create", "update", "patch", "delete"],
  },
  { for: "alarms", group: "", resources: ["events"], verbs: ["create"] },
  {
    for: "whether Postern is being removed",
    group: "apps",
    resources: ["deployments"],
    verbs: ["get"],
    names: ["postern"],
  },
];

export function accessManifests({ namespace, names }: InstallOptions): readonly JsonObject[] {
  const subjects = [{ kind: "ServiceAccount", name: "postern", namespace }];
  const api = "rbac.authorization.k8s.io/v1";
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "postern", namespace } },
    {
      apiVersion: api,
      kind: "ClusterRole",
      metadata: { name: "postern" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE]: "true" } }] },
    },
    {
      apiVersion: api,
      kind: "ClusterRole",
      metadata: { name: "postern:core", labels: { [AGGREGATE]: "true" } },
      rules: clusterRows(names).map(ruleOf),
    },
    {
      apiVersion: api,
      kind: "ClusterRoleBinding",
      metadata: { name: "postern" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "postern" },
      subjects,
    },
    {
      apiVersion: api,
      kind: "Role",
      metadata: { name: "postern", namespace },
      rules: namespaceRows.map(ruleOf),
    },
    {
      apiVersion: api,
      kind: "RoleBinding",
      metadata: { name: "postern", namespace },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "postern" },
      subjects,
    },
  ];
}

function ruleOf({ group, resources, verbs, names }: Row): JsonObject {
  return {
    apiGroups: [group],
    resources: [...resources],
    verbs: [...verbs],
    ...(names === undefined ? {} : { resourceNames: [...names] }),
  };
}
