/**
 * Eighteen policies in the manner of Pod Security, and the nineteenth that lands in the night: every workload carries
 * `app.kubernetes.io/name`.
 */
type Manifest = Readonly<Record<string, unknown>>;

const fields = [
  "hostNetwork",
  "hostPID",
  "hostIPC",
  "shareProcessNamespace",
  "hostUsers",
  "setHostnameAsFQDN",
] as const;
const containerFields = [
  ["privileged", "false"],
  ["allowPrivilegeEscalation", "false"],
  ["readOnlyRootFilesystem", "true | false"],
  ["runAsNonRoot", "true | false"],
  ["procMount", "Default"],
  ["runAsUser", ">0"],
] as const;
const podFields = [
  ["runAsNonRoot", "true | false"],
  ["runAsUser", ">0"],
  ["fsGroup", ">=0"],
  ["runAsGroup", ">=0"],
  ["fsGroupChangePolicy", "OnRootMismatch | Always"],
  ["supplementalGroupsPolicy", "Merge | Strict"],
] as const;

function policy(name: string, kinds: readonly string[], message: string, pattern: unknown): Manifest {
  return {
    apiVersion: "kyverno.io/v1",
    kind: "ClusterPolicy",
    metadata: { name },
    spec: {
      background: true,
      rules: [
        {
          name: "check",
          match: { any: [{ resources: { kinds } }] },
          validate: { failureAction: "Enforce", message, pattern },
        },
      ],
    },
  };
}

export const eighteen: readonly Manifest[] = [
  ...fields.map((field) => {
    const wanted = field === "hostUsers" ? "true | false" : "false";
    return policy(`no-${field.toLowerCase()}`, ["Pod"], `${field} is not allowed`, {
      spec: { [`=(${field})`]: wanted },
    });
  }),
  ...containerFields.map(([field, wanted]) =>
    policy(`container-${field.toLowerCase()}`, ["Pod"], `${field} must be ${wanted}`, {
      spec: { containers: [{ "=(securityContext)": { [`=(${field})`]: wanted } }] },
    }),
  ),
  ...podFields.map(([field, wanted]) =>
    policy(`pod-${field.toLowerCase()}`, ["Pod"], `${field} must be ${wanted}`, {
      spec: { "=(securityContext)": { [`=(${field})`]: wanted } },
    }),
  ),
];

export const nineteenth: Manifest = policy(
  "require-name-label",
  ["Deployment", "StatefulSet", "DaemonSet"],
  "every workload carries app.kubernetes.io/name",
  { metadata: { labels: { "app.kubernetes.io/name": "?*" } } },
);

/** @param good whether all policies let it past */
export function podOf(name: string, namespace: string, good: boolean): Manifest {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app: "shop" } },
    spec: {
      containers: [
        {
          name: "c",
          image: "example/shop:1",
          securityContext: { allowPrivilegeEscalation: false, privileged: !good },
        },
      ].map((container) => (good ? container : { ...container, securityContext: { privileged: true } })),
    },
  };
}

export function deploymentOf(name: string, labelled: boolean): Manifest {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name,
      namespace: "default",
      labels: labelled ? { "app.kubernetes.io/name": name } : { app: name },
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "c", image: "example/shop:1" }] },
      },
    },
  };
}
