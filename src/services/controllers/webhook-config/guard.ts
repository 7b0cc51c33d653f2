/**
 * Under Kyverno's names: whether somebody else holds them. Two engines that write the same objects take turns in undoing
 * each other's work; so Postern does not begin while a Kyverno is alive.
 */
import type { JsonObject } from "#json";
import type { KubeClient } from "#kube";
import { createObjects, isNotFound } from "#kube";
import { objectIn, textIn } from "./fields.ts";

/** Upstream's watchdog writes it every ten seconds. SPEC: kyverno-surface.md section 6.4. */
const HEALTH_LEASE = "kyverno-health";
const LAST_REQUEST = "kyverno.io/last-request-time";
const ALIVE_MS = 100_000;

/** A sentence that says who is there; `undefined` where nobody is. */
export async function findRunningKyverno(
  client: KubeClient,
  namespaces: readonly string[],
  nowMs: number,
): Promise<string | undefined> {
  const leases = createObjects(
    client,
    { group: "coordination.k8s.io", version: "v1", resource: "leases" },
    "control",
  );
  for (const namespace of new Set(namespaces)) {
    const lease = await getIfThere(() => leases.get(namespace, HEALTH_LEASE));
    if (lease === undefined) continue;
    const seen = Date.parse(textIn(objectIn(objectIn(lease, "metadata"), "annotations"), LAST_REQUEST));
    if (nowMs - seen < ALIVE_MS) {
      const seconds = Math.max(0, Math.round((nowMs - seen) / 1000));
      return `Kyverno runs in namespace ${namespace} (its health Lease is ${seconds} s old): scale it down before Postern takes its names, or start Postern without --names kyverno`;
    }
  }
  return undefined;
}

async function getIfThere(get: () => Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await get();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
