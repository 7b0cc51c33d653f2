/**
 * What a control plane, its nodes and the people who mend it must be able to write while the gate is dead and policies
 * match everything with `Fail`. Each row is one write by the identity that makes it in a real cluster, as a dry run, so
 * that it can be tried again and again.
 */
export type HealingRow = {
  readonly name: string;
  /** The administrator, where absent. */
  readonly as?: { readonly user: string; readonly groups: readonly string[] };
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** Minor version from which the server knows the kind. */
  readonly since?: number;
  /** The API server itself never sends these to webhooks, whatever their rules say. */
  readonly exempt?: true;
};

const authenticated = "system:authenticated";
const apiServer = { user: "system:apiserver", groups: ["system:masters", authenticated] };
const kubelet = { user: "system:node:worker", groups: ["system:nodes", authenticated] };
const newKubelet = { user: "system:node:worker-2", groups: ["system:nodes", authenticated] };
const joiner = { user: "system:bootstrap:abcdef", groups: ["system:bootstrappers", authenticated] };
const manager = { user: "system:kube-controller-manager", groups: [authenticated] };
const scheduler = { user: "system:kube-scheduler", groups: [authenticated] };

function controller(name: string): NonNullable<HealingRow["as"]> {
  return {
    user: `system:serviceaccount:kube-system:${name}`,
    groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", authenticated],
  };
}

/** Group and version are those of the path, unless `rest` has others; so is the name. */
function create(path: string, kind: string, rest: Record<string, unknown> = {}) {
  const [, , group = "", version = ""] = path.split("/");
  const apiVersion = path.startsWith("/api/") ? group : `${group}/${version}`;
  return {
    method: "POST",
    path,
    body: { apiVersion, kind, metadata: { name: "healing" }, ...rest },
  } as const;
}

function change(path: string, patch: unknown = { metadata: { annotations: { healing: "yes" } } }) {
  return { method: "PATCH", path, body: patch } as const;
}

const container = { name: "c", image: "x" };
const podSpec = { containers: [container] };
const defaultNs = "/api/v1/namespaces/default";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const registration = "/apis/admissionregistration.k8s.io/v1";
const flow = "/apis/flowcontrol.apiserver.k8s.io/v1";
const certificates = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";
const adminRole = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "admin" };
const cel = { validations: [{ expression: "true" }], matchConstraints: { resourceRules: [celRule()] } };

function celRule() {
  return { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
}

function request(signerName: string, request64: string) {
  return { spec: { signerName, request: request64, usages: ["digital signature", "client auth"] } };
}

/** Whether a row is written by somebody whom no webhook ever sees, whatever policies and operators say. */
export function isByIdentity({ as }: HealingRow): boolean {
  return as === apiServer || as === kubelet || as === newKubelet || as === joiner;
}

/** @param csr a certificate signing request, PEM in base64 */
export function createHealingRows(csr: string): readonly HealingRow[] {
  return [
    ...apiServerRows(),
    ...kubeletRows(csr),
    ...controlPlaneRows(),
    ...reviewRows(),
    ...registrationRows(),
    ...bootKindRows(csr),
    ...statusRows(),
    namespaceEndRow(),
    ...namespaceRows(),
  ];
}

/** Its boot is tried for real elsewhere; these are what it writes whenever something is missing. */
function apiServerRows(): readonly HealingRow[] {
  return [
    {
      name: "the API server makes its own service",
      as: apiServer,
      ...create(`${defaultNs}/services`, "Service", { spec: { ports: [{ port: 443 }] } }),
    },
    {
      name: "the API server makes a default role",
      as: apiServer,
      ...create(`${rbac}/clusterroles`, "ClusterRole", { rules: [] }),
    },
    {
      name: "the API server makes a service network",
      as: apiServer,
      ...create("/apis/networking.k8s.io/v1/servicecidrs", "ServiceCIDR", {
        spec: { cidrs: ["10.9.0.0/24"] },
      }),
    },
    { name: "the API server makes a namespace", as: apiServer, ...create("/api/v1/namespaces", "Namespace") },
  ];
}

function kubeletRows(csr: string): readonly HealingRow[] {
  return [
    {
      name: "a kubelet registers its node",
      as: newKubelet,
      ...create("/api/v1/nodes", "Node", { metadata: { name: "worker-2" } }),
    },
    { name: "a kubelet says how its node is", as: kubelet, ...change("/api/v1/nodes/worker/status") },
    {
      name: "a kubelet takes its lease",
      as: newKubelet,
      ...create("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", "Lease", {
        metadata: { name: "worker-2" },
      }),
    },
    {
      name: "a kubelet mirrors a static pod",
      as: kubelet,
      ...create(`${defaultNs}/pods`, "Pod", { spec: { ...podSpec, nodeName: "worker" } }),
    },
    { name: "a kubelet says how a pod is", as: kubelet, ...change(`${defaultNs}/pods/placed/status`) },
    { name: "a kubelet is done with a pod", as: kubelet, method: "DELETE", path: `${defaultNs}/pods/placed` },
    {
      name: "a kubelet renews its certificate",
      as: kubelet,
      ...create(
        certificates,
        "CertificateSigningRequest",
        request("kubernetes.io/kube-apiserver-client-kubelet", csr),
      ),
    },
    {
      name: "a node that joins asks for its certificate",
      as: joiner,
      ...create(
        certificates,
        "CertificateSigningRequest",
        request("kubernetes.io/kube-apiserver-client-kubelet", csr),
      ),
    },
  ];
}

function controlPlaneRows(): readonly HealingRow[] {
  return [
    {
      name: "the controller manager takes its lease",
      as: manager,
      ...create("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", "Lease"),
    },
    {
      name: "an operator takes its lease in a namespace of its own",
      ...create("/apis/coordination.k8s.io/v1/namespaces/default/leases", "Lease"),
    },
    {
      name: "the controller manager writes an event",
      as: manager,
      ...create(`${defaultNs}/events`, "Event", {
        involvedObject: { kind: "Pod", namespace: "default", name: "p" },
        metadata: { name: "healing", namespace: "default" },
      }),
    },
    {
      name: "an operator writes an event of the newer kind",
      ...create("/apis/events.k8s.io/v1/namespaces/default/events", "Event", {
        eventTime: "2026-01-01T00:00:00.000000Z",
        reportingController: "healing.dev/x",
        reportingInstance: "x",
        action: "x",
        reason: "x",
        type: "Normal",
        regarding: { kind: "Pod", namespace: "default", name: "p" },
        metadata: { name: "healing", namespace: "default" },
      }),
    },
    {
      name: "the scheduler binds a pod",
      as: scheduler,
      ...create(`${defaultNs}/pods/waiting/binding`, "Binding", {
        target: { kind: "Node", name: "worker" },
        metadata: { name: "waiting" },
      }),
    },
    {
      name: "a binding of the older form",
      ...create(`${defaultNs}/bindings`, "Binding", {
        target: { kind: "Node", name: "worker" },
        metadata: { name: "waiting" },
      }),
    },
    {
      name: "somebody drains a node",
      ...create(`${defaultNs}/pods/waiting/eviction`, "Eviction", {
        apiVersion: "policy/v1",
        metadata: { name: "waiting", namespace: "default" },
      }),
    },
    {
      name: "a pod gets its token",
      ...create(`${defaultNs}/serviceaccounts/default/token`, "TokenRequest", {
        apiVersion: "authentication.k8s.io/v1",
        spec: { audiences: [] },
        metadata: { name: "default" },
      }),
    },
    {
      name: "the endpoints controller follows a service",
      as: controller("endpoint-controller"),
      ...create(`${defaultNs}/endpoints`, "Endpoints"),
    },
    {
      name: "the endpoint slice controller follows a service",
      as: controller("endpointslice-controller"),
      ...create("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", "EndpointSlice", {
        addressType: "IPv4",
        endpoints: [],
      }),
    },
  ];
}

function namespaceEndRow(): HealingRow {
  return {
    name: "a namespace comes to its end",
    ...create("/api/v1/namespaces/ending/finalize", "Namespace", {
      metadata: { name: "ending" },
      spec: { finalizers: [] },
    }),
    method: "PUT",
  };
}

function reviewRows(): readonly HealingRow[] {
  const resourceAttributes = { namespace: "default", verb: "get", resource: "pods" };
  const access = { user: "somebody", resourceAttributes };
  const review = (name: string, path: string, kind: string, spec?: unknown): HealingRow => {
    const metadata = kind.startsWith("Local") ? { namespace: "default" } : {};
    return { name, ...create(path, kind, { metadata, spec }) };
  };
  return [
    review("who holds a token", `${authentication}/tokenreviews`, "TokenReview", { token: "x" }),
    review("who am I", `${authentication}/selfsubjectreviews`, "SelfSubjectReview"),
    review("may he", `${authorization}/subjectaccessreviews`, "SubjectAccessReview", access),
    review(
      "may he, here",
      `${authorization}/namespaces/default/localsubjectaccessreviews`,
      "LocalSubjectAccessReview",
      access,
    ),
    review("may I", `${authorization}/selfsubjectaccessreviews`, "SelfSubjectAccessReview", {
      resourceAttributes,
    }),
    review("what may I", `${authorization}/selfsubjectrulesreviews`, "SelfSubjectRulesReview", {
      namespace: "default",
    }),
  ];
}

function registrationRows(): readonly HealingRow[] {
  const row = (plural: string, kind: string, rest: Record<string, unknown>, since?: number): HealingRow => ({
    name: `somebody mends a ${kind}`,
    ...create(`${registration}/${plural}`, kind, rest),
    ...(since === undefined ? {} : { since }),
    exempt: true,
  });
  const mutation = {
    ...cel,
    validations: undefined,
    reinvocationPolicy: "Never",
    mutations: [
      {
        patchType: "JSONPatch",
        jsonPatch: { expression: '[JSONPatch{op: "test", path: "/kind", value: "ConfigMap"}]' },
      },
    ],
  };
  return [
    row("validatingwebhookconfigurations", "ValidatingWebhookConfiguration", { webhooks: [] }),
    row("mutatingwebhookconfigurations", "MutatingWebhookConfiguration", { webhooks: [] }),
    row("validatingadmissionpolicies", "ValidatingAdmissionPolicy", { spec: cel }),
    row("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", {
      spec: { policyName: "x", validationActions: ["Deny"] },
    }),
    row("mutatingadmissionpolicies", "MutatingAdmissionPolicy", { spec: mutation }, 36),
    row(
      "mutatingadmissionpolicybindings",
      "MutatingAdmissionPolicyBinding",
      { spec: { policyName: "x" } },
      36,
    ),
  ];
}

function bootKindRows(csr: string): readonly HealingRow[] {
  const levels = { type: "Exempt", exempt: {} };
  return [
    {
      name: "a service network grows",
      ...create("/apis/networking.k8s.io/v1/servicecidrs", "ServiceCIDR", {
        spec: { cidrs: ["10.9.0.0/24"] },
      }),
    },
    {
      name: "an address of a service is taken",
      ...create("/apis/networking.k8s.io/v1/ipaddresses", "IPAddress", {
        spec: { parentRef: { resource: "services", namespace: "default", name: "x" } },
        metadata: { name: "10.0.0.77" },
      }),
    },
    {
      name: "an aggregated API is registered",
      ...create("/apis/apiregistration.k8s.io/v1/apiservices", "APIService", {
        spec: {
          group: "healing.dev",
          version: "v1",
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { name: "x", namespace: "default" },
        },
        metadata: { name: "v1.healing.dev" },
      }),
    },
    {
      name: "a flow gets priority",
      ...create(`${flow}/flowschemas`, "FlowSchema", {
        spec: { priorityLevelConfiguration: { name: "exempt" }, matchingPrecedence: 500 },
      }),
    },
    {
      name: "a priority level is made",
      ...create(`${flow}/prioritylevelconfigurations`, "PriorityLevelConfiguration", {
        spec: {
          ...levels,
          type: "Limited",
          exempt: undefined,
          limited: { limitResponse: { type: "Reject" } },
        },
      }),
    },
    {
      name: "a priority class is made",
      ...create("/apis/scheduling.k8s.io/v1/priorityclasses", "PriorityClass", {
        value: 10,
      }),
    },
    { name: "somebody approves a certificate", ...change(`${certificates}/waiting/approval`) },
    {
      name: "somebody asks for a certificate",
      ...create(certificates, "CertificateSigningRequest", request("example.com/x", csr)),
    },
    {
      name: "the node controller marks a node",
      as: controller("node-controller"),
      ...change("/api/v1/nodes/worker"),
    },
    { name: "somebody cordons a node", ...change("/api/v1/nodes/worker", { spec: { unschedulable: true } }) },
    {
      name: "a cluster role is made",
      ...create(`${rbac}/clusterroles`, "ClusterRole", { rules: [] }),
    },
    {
      name: "a cluster role is bound",
      ...create(`${rbac}/clusterrolebindings`, "ClusterRoleBinding", {
        roleRef: adminRole,
        subjects: [],
      }),
    },
    {
      name: "a role is made",
      ...create(`${rbac}/namespaces/default/roles`, "Role", { rules: [] }),
    },
    {
      name: "a role is bound",
      ...create(`${rbac}/namespaces/default/rolebindings`, "RoleBinding", {
        roleRef: adminRole,
        subjects: [],
      }),
    },
  ];
}

function statusRows(): readonly HealingRow[] {
  return [
    {
      name: "the scheduler says why a pod waits",
      as: scheduler,
      ...change(`${defaultNs}/pods/waiting/status`),
    },
    {
      name: "somebody says how a deployment is",
      ...change("/apis/apps/v1/namespaces/default/deployments/web/status"),
    },
    { name: "a controller says how a service is", ...change(`${defaultNs}/services/web/status`) },
  ];
}

/** Somebody mends the namespaces that everything else stands on. */
function namespaceRows(): readonly HealingRow[] {
  return ["kube-system", "kube-node-lease", "postern", "infrastructure"].flatMap((namespace) => [
    {
      name: `a config map in ${namespace}`,
      ...create(`/api/v1/namespaces/${namespace}/configmaps`, "ConfigMap"),
    },
    {
      name: `a controller makes a pod in ${namespace}`,
      as: controller("replicaset-controller"),
      ...create(`/api/v1/namespaces/${namespace}/pods`, "Pod", { spec: podSpec }),
    },
  ]);
}
