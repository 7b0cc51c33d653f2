/**
 * Where workloads keep their pod: the path from an object to its pod spec, by kind. Image extraction, autogen and the
 * Pod Security checks must walk the same workloads.
 * SPEC: kyverno-surface.md section 5 (pod controllers).
 */
import type { Json, JsonObject } from "#json";
import { isObject, member } from "#json";

const POD: readonly string[] = ["spec"];
const TEMPLATE: readonly string[] = ["spec", "template", "spec"];
const JOB_TEMPLATE: readonly string[] = ["spec", "jobTemplate", "spec", "template", "spec"];

const podSpecPaths: ReadonlyMap<string, readonly string[]> = new Map([
  ["Pod", POD],
  ["DaemonSet", TEMPLATE],
  ["Deployment", TEMPLATE],
  ["Job", TEMPLATE],
  ["ReplicaSet", TEMPLATE],
  ["ReplicationController", TEMPLATE],
  ["StatefulSet", TEMPLATE],
  ["CronJob", JOB_TEMPLATE],
]);

/** The three lists of a pod spec that hold containers, in upstream's order. */
export const containerLists: readonly ["initContainers", "containers", "ephemeralContainers"] = [
  "initContainers",
  "containers",
  "ephemeralContainers",
];

/** Path of member names from an object of this kind to its pod spec; `undefined` where the kind runs no pods. */
export function podSpecPath(kind: string): readonly string[] | undefined {
  return podSpecPaths.get(kind);
}

/** The pod spec inside a workload of this kind, where there is one. */
export function podSpecOf(object: JsonObject, kind: string): JsonObject | undefined {
  let at: Json | undefined = object;
  for (const step of podSpecPath(kind) ?? []) at = isObject(at) ? member(at, step) : undefined;
  return isObject(at) && at !== object ? at : undefined;
}
