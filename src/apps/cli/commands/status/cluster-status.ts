/**
 * What `postern status` finds out, before anybody has made it pretty: the gate as the API server has it, the replicas as
 * they say of themselves, the policies that do not do all that they say, and sentences for what needs somebody.
 * INVARIANT: it is made of what the API server stores and nothing else, so that it also works with no pod alive.
 */
import type { ReplicaFault, ReplicaState } from "#daemon";

export type WebhookStatus = {
  readonly configuration: string;
  readonly name: string;
  readonly failurePolicy: string;
  readonly timeoutSeconds: number;
  readonly rules: number;
  /** Fields that somebody changed by hand and Postern leaves alone: `failurePolicy: Ignore (Postern has Fail)`. */
  readonly handPatches: readonly string[];
};

export type ReplicaStatus = {
  readonly name: string;
  /** Whether its Lease is younger than it promises. */
  readonly alive: boolean;
  /** RFC 3339, as it was last written; empty where never. */
  readonly renewedAt: string;
  /** Absent where the Lease says nothing readable. */
  readonly state?: ReplicaState;
};

export type PolicyNote = { readonly policy: string; readonly message: string };

export type ClusterStatus = {
  readonly server: string;
  readonly webhooks: readonly WebhookStatus[];
  readonly replicas: readonly ReplicaStatus[];
  readonly policies: {
    readonly total: number;
    readonly ready: number;
    readonly notReady: readonly PolicyNote[];
    readonly partlyEnforced: readonly PolicyNote[];
  };
  /** Of all replicas, the newest first. */
  readonly lastFaults: readonly (ReplicaFault & { readonly replica: string })[];
};

/** What needs somebody, one sentence each; none means that all is well. */
export function attentionIn(status: ClusterStatus): readonly string[] {
  const { webhooks, replicas, policies } = status;
  const serving = replicas.filter(({ alive, state }) => alive && state?.ready === true);
  return [
    ...(webhooks.length === 0 ? ["no webhook of Postern is registered: no policy is enforced"] : []),
    ...absenceOf(replicas.length, serving.length),
    ...replicas.flatMap(troubleOf),
    ...webhooks.flatMap(({ name, handPatches }) =>
      handPatches.map((patch) => `webhook ${name} was changed by hand: ${patch}`),
    ),
    ...serving.flatMap(({ state }) => state?.registration?.problems ?? []),
    ...(policies.notReady.length === 0
      ? []
      : [`${policies.notReady.length} of ${policies.total} policies are not ready`]),
  ];
}

function absenceOf(known: number, serving: number): readonly string[] {
  if (known === 0) return ["no replica has ever said that it runs"];
  return serving === 0 ? ["no replica is alive and ready: every call ends by its failurePolicy"] : [];
}

function troubleOf({ name, alive, renewedAt, state }: ReplicaStatus): readonly string[] {
  if (!alive) return [`replica ${name} has not been heard of since ${renewedAt || "ever"}`];
  return state?.ready === false ? [`replica ${name} is not ready: ${state.reasons.join("; ")}`] : [];
}
