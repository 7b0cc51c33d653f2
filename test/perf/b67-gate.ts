/**
 * B6 and B7 through the webhook: what a policy that does not match adds to a review (the slope of the gate's CPU over the
 * number of policies), and what a large object costs (in proportion to its size).
 */
import type { JsonObject } from "#json";

import { enforcedPolicies } from "./b2-gate.ts";
import { agentFor, cpuPerReview, startServer, type BenchServer } from "./gate-load.ts";
import { median, slopeOf } from "./measure.ts";
import { reviewText } from "./pod-security.ts";

const COUNTS = [0, 1000, 2000, 4000];
const SIZES_KIB = [16, 64, 256, 1024];
const ROUNDS = 5;
const SOCKETS = 8;

/** Kinds, groups, namespaces and operations in turn: the ways in which real policies do not match a pod. */
function otherPolicy(index: number): JsonObject {
  const resources = [
    { kinds: [`Kind${index}`] },
    { kinds: [`group${index}.example.com/*/Thing`] },
    { kinds: ["Pod"], namespaces: [`team-${index}`] },
    { kinds: ["Pod"], operations: ["DELETE"] },
  ][index % 4];
  return {
    apiVersion: "kyverno.io/v1",
    kind: "ClusterPolicy",
    metadata: {
      name: `other-${index}`,
      annotations: { "pod-policies.kyverno.io/autogen-controllers": "none" },
    },
    spec: {
      validationFailureAction: "Enforce",
      rules: [
        {
          name: "r",
          match: { any: [{ resources: resources ?? {} }] },
          validate: { message: "m", pattern: { metadata: { name: "?*" } } },
        },
      ],
    },
  };
}

export async function b6Gate(): Promise<string> {
  const others = Array.from({ length: COUNTS.at(-1) ?? 0 }, (_, index) => otherPolicy(index));
  const matching = enforcedPolicies().slice(0, 3);
  const slopes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const points: [number, number][] = [];
    for (const count of COUNTS) {
      const server = await startServer({ kind: "gate", policies: [...matching, ...others.slice(0, count)] });
      points.push([count, await costOf(server, reviewText, 4000)]);
      server.stop();
    }
    slopes.push(slopeOf(points));
  }
  const sorted = slopes.toSorted((a, b) => a - b);
  return [
    `B6 through the webhook: ${COUNTS.join(", ")} policies that do not match, beside ${matching.length} that do`,
    `  slope ${median(slopes).toFixed(4)} us a policy (${sorted[0]?.toFixed(4)} to ${sorted.at(-1)?.toFixed(4)}; goal: <= 0.1)`,
  ].join("\n");
}

export async function b7Gate(): Promise<string> {
  const server = await startServer({ kind: "gate", policies: enforcedPolicies() });
  try {
    const rows: string[] = [];
    const perKib: number[] = [];
    for (const size of SIZES_KIB) {
      const body = largeReview(size * 1024);
      const costs: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        costs.push(await costOf(server, body, Math.ceil(64_000 / size)));
      perKib.push(median(costs) / size);
      rows.push(
        `  ${String(size).padStart(5)} KiB: ${median(costs).toFixed(0)} us, ${(median(costs) / size).toFixed(2)} us a KiB`,
      );
    }
    const growth = (perKib.at(-1) ?? 0) / (perKib[1] ?? 1);
    return [
      "B7 through the webhook: a pod that grows by its annotations",
      ...rows,
      `  cost a KiB at ${SIZES_KIB.at(-1)} KiB / at ${SIZES_KIB[1]} KiB: ${growth.toFixed(2)} (goal: about 1)`,
    ].join("\n");
  } finally {
    server.stop();
  }
}

function costOf(server: BenchServer, body: string, count: number): Promise<number> {
  const load = { server, path: "/validate/fail?timeout=5s", body, agent: agentFor(server, SOCKETS) };
  return cpuPerReview(load, count, SOCKETS);
}

function largeReview(bytes: number): string {
  const review = JSON.parse(reviewText) as {
    request: { object: { metadata: { annotations?: Record<string, string> } } };
  };
  const { metadata } = review.request.object;
  const lines = Math.ceil(bytes / 128);
  metadata.annotations = Object.fromEntries(
    Array.from({ length: lines }, (_, index) => [`key-${index}`, "x".repeat(110)]),
  );
  return JSON.stringify(review);
}
