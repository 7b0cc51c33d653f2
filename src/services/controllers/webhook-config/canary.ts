/**
 * Whether a call comes through: an object that is only tried (dry run) is created through the API server, whose canary
 * webhook asks a replica, whose answer carries the object's own nonce back as a warning. Network, DNS, Service,
 * certificate and gate all have to work for that, and nothing is stored.
 */
import type { KubeClient } from "#kube";
import { KubeError } from "#kube";
import { CANARY_LABEL } from "./build-registrations.ts";

export type CanaryResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const TIMEOUT_MS = 10_000;
const NONCE = "postern.dev/canary-nonce";

/** The gate's side: the text with which it answers a canary request. */
export function canaryAnswer(request: unknown): string {
  return `postern canary ${nonceIn(request)}`;
}

/** @param nonce differs from call to call */
export async function tryCanary(client: KubeClient, namespace: string, nonce: string): Promise<CanaryResult> {
  try {
    const { warnings } = await client.send({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      query: { dryRun: "All" },
      body: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "postern-canary",
          namespace,
          labels: { [CANARY_LABEL]: "true" },
          annotations: { [NONCE]: nonce },
        },
      },
      purpose: "control",
      timeoutMs: TIMEOUT_MS,
    });
    if (warnings.some((text) => text.includes(`postern canary ${nonce}`))) return { ok: true };
    return {
      ok: false,
      reason: "the API server did not reach a replica: is the Service up, and is the port open?",
    };
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return { ok: false, reason: error.message };
  }
}

function nonceIn(request: unknown): string {
  let value = request;
  for (const name of ["object", "metadata", "annotations", NONCE]) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }
  return typeof value === "string" ? value.slice(0, 100) : "";
}
