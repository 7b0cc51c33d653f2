/**
 * Whether Postern is being taken out of the cluster. A replica that stops cannot tell a roll-out from a removal by
 * itself; its Deployment can: it is gone, is being deleted, or was scaled to nothing. Then the last thing that a replica
 * does is to take the registrations away, because nobody will answer them any more.
 * INVARIANT: when the API server does not say, it is not a removal. A gate that vanishes during a roll-out is a gap.
 * SPEC: Kyverno 1.19 checks the same three at shutdown (kyverno-surface.md section 6).
 */
import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { ObjectClient } from "#kube";
import { isNotFound } from "#kube";

export async function isBeingRemoved(
  deployments: ObjectClient,
  namespace: string,
  name: string,
): Promise<boolean> {
  try {
    return isGoingAway(await deployments.get(namespace, name));
  } catch (error) {
    return isNotFound(error);
  }
}

function isGoingAway(deployment: JsonObject): boolean {
  const { metadata, spec } = deployment;
  const deleted = isObject(metadata) && metadata["deletionTimestamp"] !== undefined;
  return deleted || (isObject(spec) && spec["replicas"] === 0);
}
