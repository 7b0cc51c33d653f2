/**
 * Policies as broad as users write them: wildcards, long lists of kinds, and ones that name what a control plane needs
 * to boot. All of them say the same thing, that nothing may carry one label, so that whatever is refused was refused
 * by them.
 */
import { refusal, refusedLabel } from "./refusal.ts";

export type PolicyDocument = {
  readonly apiVersion: "kyverno.io/v1";
  readonly kind: "ClusterPolicy";
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
};

export type PolicyChoice = {
  readonly failurePolicy: "Fail" | "Ignore";
  /** The policies' half of the permission to guard boot kinds with `Fail`. */
  readonly failForBootKinds: boolean;
};

const byWildcard: Readonly<Record<string, readonly string[]>> = {
  "everything-by-wildcard": ["*"],
  "every-subresource-by-wildcard": ["*/*"],
  "all-of-networking": ["networking.k8s.io/*/*"],
};

const byName: Readonly<Record<string, readonly string[]>> = {
  "service-cidrs-by-name": ["ServiceCIDR", "networking.k8s.io/v1/IPAddress"],
  "nodes-and-requests-by-name": ["Node", "CertificateSigningRequest"],
  "roles-by-name": ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
  "priorities-by-name": ["PriorityClass", "FlowSchema", "PriorityLevelConfiguration", "APIService"],
  "core-kinds-by-name": ["Pod", "Service", "ConfigMap", "Secret", "ServiceAccount", "Namespace", "Endpoints"],
  "workloads-by-name": ["Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Ingress"],
  "heartbeats-by-name": ["Lease", "Event", "EndpointSlice"],
};

/** Broad in every way at once. */
export function broadPolicies(choice: PolicyChoice): readonly PolicyDocument[] {
  return Object.entries({ ...byWildcard, ...byName }).map(([name, kinds]) =>
    createPolicy(name, kinds, choice),
  );
}

/** Everything, and nothing by its name. */
export function wildcardPolicies(choice: PolicyChoice): readonly PolicyDocument[] {
  return Object.entries(byWildcard).map(([name, kinds]) => createPolicy(name, kinds, choice));
}

/** What careful people write: the workloads, by name. */
export function narrowPolicies(choice: PolicyChoice): readonly PolicyDocument[] {
  return [createPolicy("workloads", ["Pod", "Deployment"], choice)];
}

const labelOf = `request.object.metadata.labels."${refusedLabel}"`;

function createPolicy(
  name: string,
  kinds: readonly string[],
  { failurePolicy, failForBootKinds }: PolicyChoice,
): PolicyDocument {
  return {
    apiVersion: "kyverno.io/v1",
    kind: "ClusterPolicy",
    metadata: {
      name,
      ...(failForBootKinds ? { annotations: { "postern.dev/fail-for-boot-kinds": "true" } } : {}),
    },
    spec: {
      failurePolicy,
      background: false,
      rules: [
        {
          name: "no-such-label",
          match: { any: [{ resources: { kinds } }] },
          validate: {
            failureAction: "Enforce",
            message: refusal,
            deny: {
              conditions: { any: [{ key: `{{ ${labelOf} || '' }}`, operator: "Equals", value: "yes" }] },
            },
          },
        },
      ],
    },
  };
}
