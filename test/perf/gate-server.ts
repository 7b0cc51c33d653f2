/**
 * A server in a process of its own, for B2, B6 and B7: the gate as `postern serve` runs it (with its metrics), or one that
 * only parses the review and allows it. It is told what to do, and tells its CPU time, over the channel to its parent.
 */
import * as https from "node:https";
import type { AddressInfo } from "node:net";

import { createCatalog } from "#catalog";
import { issueAuthority, issueServing } from "#certificates";
import { createObserver } from "#daemon";
import type { JsonObject } from "#json";
import { createLog, createMetrics } from "#telemetry";
import { createGate } from "#webhook";

export type ServerOrder = { readonly kind: "gate" | "bare"; readonly policies: readonly JsonObject[] };

async function main(order: ServerOrder): Promise<void> {
  const times = { notBeforeMs: Date.now() - 3_600_000, notAfterMs: Date.now() + 86_400_000 };
  const authority = await issueAuthority({ commonName: "bench authority", ...times });
  const { certPem, keyPem } = await issueServing(authority, ["127.0.0.1"], { commonName: "bench", ...times });
  const port =
    order.kind === "gate" ? await startGate(order, certPem, keyPem) : await startBare(certPem, keyPem);
  process.send?.({ port, ca: authority.certPem });
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, rss: process.memoryUsage().rss });
  });
}

function startGate(order: ServerOrder, certPem: string, keyPem: string): Promise<number> {
  const catalog = createCatalog();
  for (const policy of order.policies) catalog.put(policy);
  const snapshot = catalog.snapshot();
  const observer = createObserver({ metrics: createMetrics(), log: createLog("error"), nowMs: Date.now });
  const gate = createGate(
    {
      host: "127.0.0.1",
      port: 0,
      certPem,
      keyPem,
      maxConcurrent: 256,
      maxQueued: 512,
      lookupTimeoutMs: 1000,
    },
    {
      policies: () => snapshot,
      isExcluded: () => false,
      namespaceLabels: () => ({}),
      rolesOf: () => ({ roles: [], clusterRoles: [] }),
      lookup: async () => ({ kind: "unset" }),
      review: () => ({ errors: [], warnings: [] }),
      canary: () => "",
      readiness: () => ({ ready: true, reasons: [] }),
      leaving: () => false,
      audited: () => undefined,
      observer,
      nowMs: Date.now,
      seed: () => 1,
    },
  );
  return gate.start();
}

/** As little as any webhook on this runtime does. */
function startBare(certPem: string, keyPem: string): Promise<number> {
  const server = https.createServer(
    { cert: certPem, key: keyPem, keepAliveTimeout: 120_000 },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const review = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { request: { uid: string } };
        const answer = {
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid: review.request.uid, allowed: true },
        };
        const body = JSON.stringify(answer);
        response.writeHead(200, {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        });
        response.end(body);
      });
    },
  );
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)),
  );
}

process.once("message", (order: ServerOrder) => void main(order));
