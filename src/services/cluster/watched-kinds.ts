/**
 * What is watched, and what is kept of each object: as little as the gate reads. A cluster has ten thousand namespaces,
 * and of each only the labels count; an API server that answers without managed fields still sends annotations of any
 * size.
 */
import type { Json, JsonObject } from "#json";
import { isObject } from "#json";
import type { InformerOptions } from "#kube";

export type WatchedKind = InformerOptions & {
  /** In messages: `cluster policies`. */
  readonly title: string;
};

const kyverno = (version: string, resource: string): InformerOptions["type"] => ({
  group: "kyverno.io",
  version,
  resource,
});

/** Policies and their exceptions come as they are: the catalog decodes them and says what is wrong, with places. */
export const policyKinds: readonly WatchedKind[] = [
  { title: "cluster policies", type: kyverno("v1", "clusterpolicies"), trim: withoutManagedFields },
  { title: "policies", type: kyverno("v1", "policies"), trim: withoutManagedFields },
  { title: "policy exceptions", type: kyverno("v2", "policyexceptions"), trim: withoutManagedFields },
];

export const namespaceKind: WatchedKind = {
  title: "namespaces",
  type: { group: "", version: "v1", resource: "namespaces" },
  trim: onlyLabels,
};

/** ConfigMaps that policies read often, by upstream's label. */
export const cachedConfigMapKind: WatchedKind = {
  title: "cached ConfigMaps",
  type: { group: "", version: "v1", resource: "configmaps" },
  labelSelector: "cache.kyverno.io/enabled=true",
  trim: withoutManagedFields,
};

/** Only watched while a policy or the configuration asks who has which role. */
export const bindingKinds: readonly WatchedKind[] = [
  {
    title: "role bindings",
    type: { group: "rbac.authorization.k8s.io", version: "v1", resource: "rolebindings" },
    trim: onlyGrant,
  },
  {
    title: "cluster role bindings",
    type: { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterrolebindings" },
    trim: onlyGrant,
  },
];

/** The operator's configuration: one ConfigMap in Postern's own namespace. */
export function configurationKind(namespace: string, name: string): WatchedKind {
  return {
    title: `ConfigMap ${namespace}/${name}`,
    type: { group: "", version: "v1", resource: "configmaps" },
    namespace,
    fieldSelector: `metadata.name=${name}`,
    trim: withoutManagedFields,
  };
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  if (!isObject(metadata) || metadata["managedFields"] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function onlyLabels(object: JsonObject): JsonObject {
  return { metadata: pick(object["metadata"], ["name", "uid", "resourceVersion", "labels"]) };
}

function onlyGrant(object: JsonObject): JsonObject {
  return {
    metadata: pick(object["metadata"], ["name", "namespace", "uid", "resourceVersion"]),
    ...pick(object, ["roleRef", "subjects"]),
  };
}

function pick(object: Json | undefined, names: readonly string[]): JsonObject {
  if (!isObject(object)) return {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = object[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
