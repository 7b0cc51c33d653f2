/**
 * Everything that is put into a cluster, in the order in which it can be applied. All of it carries one label, by which
 * all of it can be found and taken away with nothing but kubectl.
 */
import type { JsonObject } from "#json";
import { isObject } from "#json";
import { accessManifests } from "./access.ts";
import { crdManifests } from "./crds.ts";
import type { InstallOptions } from "./options.ts";
import { certManagerManifests, workloadManifests } from "./workload.ts";

const MANAGED = { "postern.dev/managed-by": "postern" };

export function installManifests(options: InstallOptions): readonly JsonObject[] {
  // CRDs hold the policies themselves: they do not go when Postern goes, and so have no label of its.
  if (options.crds === "only") return crdManifests();
  const own = [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: options.namespace,
        labels: { "pod-security.kubernetes.io/enforce": podSecurityLevel(options) },
      },
    },
    ...accessManifests(options),
    configuration(options),
    ...certManagerManifests(options),
    ...workloadManifests(options),
  ];
  return [...(options.crds === "all" ? crdManifests() : []), ...own.map(managed)];
}

/** A pod in the nodes' network is no longer restricted by Pod Security's measure. */
function podSecurityLevel({ hostNetwork }: InstallOptions): string {
  return hostNetwork ? "privileged" : "restricted";
}

function managed(object: JsonObject): JsonObject {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
  const labels = isObject(metadata["labels"]) ? metadata["labels"] : {};
  return {
    ...object,
    metadata: { ...metadata, labels: { "app.kubernetes.io/name": "postern", ...labels, ...MANAGED } },
  };
}

/** Upstream's keys; the webhooks' selectors need not keep kube-system out, because the registrations do. */
function configuration({ namespace, names }: InstallOptions): JsonObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: names, namespace },
    data: {
      excludeGroups: "system:nodes",
      resourceFilters: [
        "[Event,*,*]",
        "[*/*,kube-system,*]",
        "[*/*,kube-public,*]",
        "[*/*,kube-node-lease,*]",
        "[Node/?*,*,*]",
        "[APIService,*,*]",
        "[APIService/?*,*,*]",
        "[TokenReview,*,*]",
        "[SubjectAccessReview,*,*]",
        "[SelfSubjectAccessReview,*,*]",
        "[Binding,*,*]",
        "[Pod/binding,*,*]",
        "[ReplicaSet,*,*]",
        "[ReplicaSet/?*,*,*]",
        `[*/*,${namespace},*]`,
      ].join("\n"),
    },
  };
}
