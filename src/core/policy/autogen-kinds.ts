/**
 * Kinds in generated rules: which entries mean Pod, and how controllers are written.
 * SPEC: pkg/utils/kube ContainsKind and GetKindFromGVK; pkg/autogen of Kyverno 1.19.
 */

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

export function containsPod(kinds: readonly string[]): boolean {
  return kinds.some((kind) => bareKind(kind) === "Pod");
}

/** `Pod` of `v1/Pod`, `core/v1/Pod`, `any version` and `Pod/exec`. */
function bareKind(text: string): string {
  const parts = text.split("/");
  const [first = "", second = "", third = ""] = parts;
  const isVersioned = /^(?:v\d(?:(?:alpha|beta)\d)?|\*)$/.test(first);
  switch (parts.length) {
    case 1:
      return withoutSubresource(first);
    case 2:
      return withoutSubresource(isVersioned ? second : first);
    case 3:
      return withoutSubresource(isVersioned ? second : third);
    case 4:
      return third;
    default:
      return "";
  }
}

function withoutSubresource(kind: string): string {
  const dot = kind.indexOf(".");
  return dot < 0 ? kind : kind.slice(0, dot);
}
