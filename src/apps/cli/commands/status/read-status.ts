/** Asks the API server for what `postern status` shows: registrations, Leases of replicas, policies. */
import { handPatchesIn } from "#controllers";
import { REPLICA_LABEL, LEASE_PREFIX, decodeReplicaState, renewTimeOf } from "#daemon";
import type { JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { KubeClient, ListOptions, ResourceType } from "#kube";
import { createObjects, isNotFound } from "#kube";
import type { ClusterStatus, PolicyNote, ReplicaStatus, WebhookStatus } from "./cluster-status.ts";

const configurations = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingwebhookconfigurations",
};
const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
const policyTypes = ["clusterpolicies", "policies"].map((resource) => ({
  group: "kyverno.io",
  version: "v1",
  resource,
}));

/** @throws KubeError where the cluster does not answer, or does not let us look */
export async function readStatus(
  client: KubeClient,
  namespace: string,
  nowMs: number,
): Promise<ClusterStatus> {
  const list = (type: ResourceType, options: ListOptions): Promise<readonly JsonObject[]> =>
    listAll(client, type, options);
  const [configs, replicaLeases, ...policyLists] = await Promise.all([
    list(configurations, { labelSelector: "postern.dev/managed-by=postern" }),
    list(leases, { namespace, labelSelector: REPLICA_LABEL }),
    ...policyTypes.map((type) => list(type, {})),
  ]);
  const replicas = replicaLeases.map((lease) => replicaOf(lease, nowMs));
  return {
    server: client.server,
    webhooks: configs.flatMap(webhooksOf),
    replicas,
    policies: policiesOf(policyLists.flat()),
    lastFaults: replicas
      .flatMap(({ name, state }) => (state?.lastFaults ?? []).map((fault) => ({ ...fault, replica: name })))
      .sort((a, b) => (a.at > b.at ? -1 : 1))
      .slice(0, 10),
  };
}

/** A kind that the server does not know has no objects. */
async function listAll(
  client: KubeClient,
  type: ResourceType,
  options: ListOptions,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  try {
    for await (const object of createObjects(client, type, "command").list(options)) found.push(object);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return found;
}

function webhooksOf(configuration: JsonObject): readonly WebhookStatus[] {
  const patches = handPatchesIn(configuration);
  const list = configuration["webhooks"];
  return (isArray(list) ? list.filter(isObject) : []).map((webhook) => {
    const name = textIn(webhook, "name");
    const { timeoutSeconds, rules } = webhook;
    return {
      configuration: textIn(objectIn(configuration, "metadata"), "name"),
      name,
      failurePolicy: textIn(webhook, "failurePolicy"),
      timeoutSeconds: typeof timeoutSeconds === "number" ? timeoutSeconds : 0,
      rules: isArray(rules) ? rules.length : 0,
      handPatches: patches
        .filter((patch) => patch.webhook === name)
        .map(({ field, found, wanted }) => `${field} is ${found}, Postern has ${wanted}`),
    };
  });
}

function replicaOf(lease: JsonObject, nowMs: number): ReplicaStatus {
  const renewedAt = renewTimeOf(lease);
  const { leaseDurationSeconds } = objectIn(lease, "spec");
  const lasts = (typeof leaseDurationSeconds === "number" ? leaseDurationSeconds : 0) * 1000;
  const state = decodeReplicaState(lease);
  return {
    name: textIn(objectIn(lease, "metadata"), "name").slice(LEASE_PREFIX.length),
    alive: nowMs - Date.parse(renewedAt) < lasts,
    renewedAt,
    ...(state === undefined ? {} : { state }),
  };
}

function policiesOf(objects: readonly JsonObject[]): ClusterStatus["policies"] {
  const notReady: PolicyNote[] = [];
  const partlyEnforced: PolicyNote[] = [];
  for (const object of objects) {
    const metadata = objectIn(object, "metadata");
    const namespace = textIn(metadata, "namespace");
    const policy = namespace === "" ? textIn(metadata, "name") : `${namespace}/${textIn(metadata, "name")}`;
    const ready = conditionIn(object, "Ready");
    if (textIn(ready, "status") !== "True") {
      notReady.push({ policy, message: textIn(ready, "message") || "no replica has looked at it yet" });
    }
    const partly = conditionIn(object, "PartiallyEnforced");
    if (textIn(partly, "status") === "True")
      partlyEnforced.push({ policy, message: textIn(partly, "message") });
  }
  return { total: objects.length, ready: objects.length - notReady.length, notReady, partlyEnforced };
}

function conditionIn(object: JsonObject, type: string): JsonObject {
  const { conditions } = objectIn(object, "status");
  const list = isArray(conditions) ? conditions.filter(isObject) : [];
  return list.find((condition) => condition["type"] === type) ?? {};
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
