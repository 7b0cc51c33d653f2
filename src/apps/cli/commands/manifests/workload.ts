/**
 * The gate as it runs: replicas that are spread, may not all be drained at once and are not evicted for others, without
 * any right on their node, and a Service in front of them.
 */
import type { JsonObject } from "#json";
import type { InstallOptions } from "./options.ts";

const METRICS_PORT = 8000;
const TLS_FOLDER = "/etc/postern/tls";

const selector: JsonObject = { "app.kubernetes.io/name": "postern", "app.kubernetes.io/component": "gate" };

export function workloadManifests(options: InstallOptions): readonly JsonObject[] {
  const { namespace, replicas, names } = options;
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: `${names}-svc`, namespace },
      spec: {
        selector,
        ports: [{ name: "https", port: 443, targetPort: "https", protocol: "TCP" }],
        // A call goes where a replica is, wherever that is.
        internalTrafficPolicy: "Cluster",
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "postern-metrics", namespace },
      spec: {
        selector,
        ports: [{ name: "metrics", port: METRICS_PORT, targetPort: "metrics", protocol: "TCP" }],
      },
    },
    ...(replicas > 1
      ? [
          {
            apiVersion: "policy/v1",
            kind: "PodDisruptionBudget",
            metadata: { name: "postern", namespace },
            spec: { minAvailable: 1, selector: { matchLabels: selector } },
          },
        ]
      : []),
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "postern", namespace },
      spec: {
        replicas,
        selector: { matchLabels: selector },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        template: { metadata: { labels: selector }, spec: podSpec(options) },
      },
    },
  ];
}

function podSpec(options: InstallOptions): JsonObject {
  return {
    serviceAccountName: "postern",
    priorityClassName: options.priorityClass,
    terminationGracePeriodSeconds: 30,
    ...(options.hostNetwork ? { hostNetwork: true, dnsPolicy: "ClusterFirstWithHostNet" } : {}),
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
    topologySpreadConstraints: ["kubernetes.io/hostname", "topology.kubernetes.io/zone"].map(
      (topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: selector },
      }),
    ),
    containers: [container(options)],
    ...(options.certManager
      ? { volumes: [{ name: "tls", secret: { secretName: "postern-cert-manager-tls" } }] }
      : {}),
  };
}

function container(options: InstallOptions): JsonObject {
  return {
    name: "postern",
    image: options.image,
    args: [...serveArguments(options)],
    env: [
      { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
    ],
    ports: [
      { name: "https", containerPort: options.port, protocol: "TCP" },
      { name: "metrics", containerPort: METRICS_PORT, protocol: "TCP" },
    ],
    startupProbe: { ...probe("/health/liveness"), periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...probe("/health/readiness"), periodSeconds: 2, failureThreshold: 3 },
    livenessProbe: { ...probe("/health/liveness"), periodSeconds: 10, failureThreshold: 6 },
    // Measured: 18 policies take 60 MB, 500 policies and 10,000 namespaces 120 MB. No CPU limit: a throttled gate is late.
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    ...(options.certManager
      ? { volumeMounts: [{ name: "tls", mountPath: TLS_FOLDER, readOnly: true }] }
      : {}),
  };
}

function probe(path: string): JsonObject {
  return { httpGet: { scheme: "HTTPS", port: "https", path }, timeoutSeconds: 2 };
}

/** The words behind `postern`; what is the default of `serve` is left out. */
export function serveArguments(options: InstallOptions): readonly string[] {
  return [
    "serve",
    ...(options.names === "kyverno" ? ["--names=kyverno"] : []),
    ...(options.port === 9443 ? [] : [`--port=${options.port}`]),
    ...(options.infrastructureNamespaces.length === 0
      ? []
      : [`--infrastructure-namespaces=${options.infrastructureNamespaces.join(",")}`]),
    ...(options.certManager
      ? [
          `--tls-cert-file=${TLS_FOLDER}/tls.crt`,
          `--tls-key-file=${TLS_FOLDER}/tls.key`,
          `--tls-ca-file=${TLS_FOLDER}/ca.crt`,
        ]
      : []),
    ...options.serveFlags,
  ];
}

/** cert-manager's part: an authority of Postern's own, and the certificate that it signs. */
export function certManagerManifests({
  namespace,
  names,
  certManager,
}: InstallOptions): readonly JsonObject[] {
  if (!certManager) return [];
  const host = `${names}-svc.${namespace}.svc`;
  const api = "cert-manager.io/v1";
  return [
    { apiVersion: api, kind: "Issuer", metadata: { name: "postern", namespace }, spec: { selfSigned: {} } },
    {
      apiVersion: api,
      kind: "Certificate",
      metadata: { name: "postern", namespace },
      spec: {
        secretName: "postern-cert-manager-tls",
        commonName: host,
        dnsNames: [host, `${names}-svc.${namespace}`],
        isCA: true,
        privateKey: { algorithm: "ECDSA", size: 256 },
        usages: ["server auth", "digital signature", "cert sign"],
        issuerRef: { name: "postern", kind: "Issuer" },
      },
    },
  ];
}
