/**
 * Writes the statuses of policies, the leader alone, and only those that say something else than what is there. A policy
 * that is gone by then is no trouble.
 */
import type { CatalogEntry } from "#catalog";
import type { JsonObject } from "#json";
import type { ObjectClient } from "#kube";
import { createObjects, isNotFound } from "#kube";
import type { Clock } from "#platform";
import { createController } from "../controller.ts";
import type { Controller, ControllerPorts } from "../ports.ts";
import type { Gap } from "../webhook-config/policy-reach.ts";
import { differs, statusOf } from "./status-of.ts";

export type PolicyStatusPorts = Pick<ControllerPorts, "client" | "policies" | "isLeader" | "log"> & {
  /** By policy key; `undefined` until the registrations are worked out. */
  readonly gaps: () => ReadonlyMap<string, readonly Gap[]> | undefined;
};

const SETTLE_MS = 500;
const EVERY_MS = 300_000;

export function createPolicyStatusController(ports: PolicyStatusPorts, clock: Clock): Controller {
  const objects: Readonly<Record<CatalogEntry["kind"], ObjectClient>> = {
    ClusterPolicy: createObjects(
      ports.client,
      { group: "kyverno.io", version: "v1", resource: "clusterpolicies" },
      "status",
    ),
    Policy: createObjects(
      ports.client,
      { group: "kyverno.io", version: "v1", resource: "policies" },
      "status",
    ),
  };
  /** What was written last, by key: the watch brings it back a moment later. */
  const written = new Map<string, string>();

  async function run(): Promise<void> {
    const gaps = ports.gaps();
    if (!ports.isLeader() || gaps === undefined) return;
    for (const entry of ports.policies().entries) {
      const status = statusOf(entry, gaps.get(entry.key) ?? [], clock.nowMs());
      const mark = `${entry.uid} ${outline(status)}`;
      if (!differs(entry.object, status) || written.get(entry.key) === mark) continue;
      await write(objects[entry.kind], entry, status);
      written.set(entry.key, mark);
    }
  }

  return createController({
    run,
    onFailure: (error) =>
      ports.log.warn("statuses of policies could not be written", {
        error: error instanceof Error ? error.message : String(error),
      }),
    clock,
    settleMs: SETTLE_MS,
    everyMs: EVERY_MS,
  });
}

async function write(
  objects: ObjectClient,
  { namespace, name }: CatalogEntry,
  status: JsonObject,
): Promise<void> {
  try {
    await objects.patch(
      { namespace, name },
      "merge",
      { status },
      { subresource: "status", fieldManager: "postern-status" },
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Without the times, which differ at each run until the object comes back. */
function outline(status: JsonObject): string {
  return JSON.stringify(status, (key, value: unknown) => (key === "lastTransitionTime" ? undefined : value));
}
