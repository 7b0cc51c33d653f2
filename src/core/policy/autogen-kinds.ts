/**
 * Kinds in generated rules: which entries mean Pod, and how controllers are written.
 * SPEC: pkg/utils/kube ContainsKind and GetKindFromGVK; pkg/autogen of Kyverno 1.19.
 */
import { splitKind } from "#k8s";

const versioned: Readonly<Record<string, string>> = {
  CronJob: "batch/v1/CronJob",
  DaemonSet: "apps/v1/DaemonSet",
  Deployment: "apps/v1/Deployment",
  Job: "batch/v1/Job",
  Pod: "v1/Pod",
  ReplicaSet: "apps/v1/ReplicaSet",
  ReplicationController: "v1/ReplicationController",
  StatefulSet: "apps/v1/StatefulSet",
};

/** With group and version for what Kubernetes has; other words stay as they are. */
export function versionedKind(kind: string): string {
  return Object.hasOwn(versioned, kind) ? (versioned[kind] ?? kind) : kind;
}

/** Whether an entry is for Pods, with or without group, version and subresource. */
export function containsPod(kinds: readonly string[]): boolean {
  return kinds.some((kind) => splitKind(kind).kind.split("/")[0] === "Pod");
}
