/**
 * Keeps a replica's Lease: a sign of life with what it says of itself. It is written at a steady pace, sooner when
 * something that people wait for changed, and taken away at the end; the leader sweeps up after replicas that died.
 * One object a replica, however long it runs.
 */
import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { ObjectClient } from "#kube";
import type { ReplicaState } from "./replica-state.ts";
import { STATE_ANNOTATION, printReplicaState } from "./replica-state.ts";

export const LEASE_PREFIX = "postern-replica-";
export const REPLICA_LABEL = "postern.dev/replica";

/** Written this often; a Lease that is twice as old as it promises belongs to a replica that is gone. */
export const RENEW_MS = 15_000;
const LEASE_SECONDS = 45;
const SWEEP_AFTER_MS = 10 * 60_000;

export type ReplicaLeaseOptions = {
  readonly leases: ObjectClient;
  readonly namespace: string;
  readonly replica: string;
  readonly nowMs: () => number;
};

export type ReplicaLease = {
  /** Writes the Lease; rejects as the API server's answer says. */
  readonly write: (state: ReplicaState) => Promise<void>;
  readonly remove: () => Promise<void>;
  /** Removes Leases of replicas that have not written for ten minutes. */
  readonly sweep: () => Promise<void>;
};

export function createReplicaLease(options: ReplicaLeaseOptions): ReplicaLease {
  const { leases, namespace, replica, nowMs } = options;
  const name = `${LEASE_PREFIX}${replica}`;
  return {
    async write(state) {
      await leases.apply(leaseOf(options, name, state), { fieldManager: "postern-replica" });
    },
    remove: () => leases.remove(namespace, name),
    async sweep() {
      for await (const lease of leases.list({ namespace, labelSelector: REPLICA_LABEL })) {
        const renewed = Date.parse(renewTimeOf(lease));
        const metadata = lease["metadata"];
        if (Number.isNaN(renewed) || nowMs() - renewed < SWEEP_AFTER_MS || !isObject(metadata)) continue;
        if (typeof metadata["name"] === "string") await leases.remove(namespace, metadata["name"]);
      }
    },
  };
}

/** RFC 3339, or nothing. */
export function renewTimeOf(lease: JsonObject): string {
  const spec = lease["spec"];
  const time = isObject(spec) ? spec["renewTime"] : undefined;
  return typeof time === "string" ? time : "";
}

function leaseOf(
  { namespace, replica, nowMs }: ReplicaLeaseOptions,
  name: string,
  state: ReplicaState,
): JsonObject {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace,
      labels: { "postern.dev/managed-by": "postern", [REPLICA_LABEL]: "true" },
      annotations: { [STATE_ANNOTATION]: printReplicaState(state) },
    },
    spec: {
      holderIdentity: replica,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: `${new Date(nowMs()).toISOString().slice(0, -1)}000Z`,
    },
  };
}
