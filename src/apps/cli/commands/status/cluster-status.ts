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
  const texts: string[] = [];
  if (webhooks.length === 0) texts.push("no webhook of Postern is registered: no policy is enforced");
  if (replicas.length === 0) texts.push("no replica has ever said that it runs");
  else if (serving.length === 0)
    texts.push("no replica is alive and ready: every call ends by its failurePolicy");
  for (const { name, alive, renewedAt, state } of replicas) {
    if (!alive) texts.push(`replica ${name} has not been heard of since ${renewedAt || "ever"}`);
    else if (state?.ready === false) texts.push(`replica ${name} is not ready: ${state.reasons.join("; ")}`);
  }
  for (const { name, handPatches } of webhooks) {
    for (const patch of handPatches) texts.push(`webhook ${name} was changed by hand: ${patch}`);
  }
  for (const { state } of serving) texts.push(...(state?.registration?.problems ?? []));
  if (policies.notReady.length > 0)
    texts.push(`${policies.notReady.length} of ${policies.total} policies are not ready`);
  return texts;
}
