/**
 * B3: how long `postern serve` takes from its start to its first correct answer, and what it holds in memory, against an
 * API server that answers at once; beside `node -e 0` in the same run.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as https from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { issueAuthority, issueServing } from "#certificates";
import type { JsonObject } from "#json";

import { enforcedPolicies } from "./b2-gate.ts";
import { startFakeApi, type FakeObjects } from "./fake-api.ts";
import { median } from "./measure.ts";
import { reviewText } from "./pod-security.ts";

const ROUNDS = 7;

type Started = { readonly readyMs: number; readonly rssMib: number };

export async function b3(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "postern-b3-"));
  const times = { notBeforeMs: Date.now() - 3_600_000, notAfterMs: Date.now() + 86_400_000 };
  const authority = await issueAuthority({ commonName: "b3 authority", ...times });
  const { certPem, keyPem } = await issueServing(authority, ["127.0.0.1"], { commonName: "b3", ...times });
  for (const [name, text] of [
    ["crt", certPem],
    ["key", keyPem],
    ["ca", authority.certPem],
  ] as const) {
    writeFileSync(join(folder, name), text);
  }
  try {
    const small = await starts(
      folder,
      { certPem, keyPem },
      { policies: enforcedPolicies(), namespaces: [] },
      ROUNDS,
    );
    const large = await starts(folder, { certPem, keyPem }, largeCluster(), 3);
    const bare = Array.from({ length: ROUNDS }, () => {
      const startMs = performance.now();
      spawnSync(process.execPath, ["-e", "0"]);
      return performance.now() - startMs;
    });
    const ready = small.map(({ readyMs }) => readyMs);
    return [
      `B3: postern serve with ${enforcedPolicies().length} policies, from start to the first correct answer`,
      `  ${median(ready).toFixed(0)} ms (${Math.min(...ready).toFixed(0)} to ${Math.max(...ready).toFixed(0)}; goal: <= 350); node -e 0: ${median(bare).toFixed(0)} ms; ratio ${(median(ready) / median(bare)).toFixed(1)}`,
      `  memory with those policies: ${median(small.map(({ rssMib }) => rssMib)).toFixed(0)} MiB`,
      `  memory with 500 policies and 10,000 namespaces: ${median(large.map(({ rssMib }) => rssMib)).toFixed(0)} MiB (goal: <= 120), ready after ${median(large.map(({ readyMs }) => readyMs)).toFixed(0)} ms`,
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function starts(
  folder: string,
  pair: { readonly certPem: string; readonly keyPem: string },
  objects: FakeObjects,
  rounds: number,
): Promise<readonly Started[]> {
  const api = await startFakeApi(pair.certPem, pair.keyPem, objects);
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      "current-context": "b3",
      clusters: [
        { name: "b3", cluster: { server: api.address, "certificate-authority": join(folder, "ca") } },
      ],
      users: [{ name: "b3", user: { token: "t" } }],
      contexts: [{ name: "b3", context: { cluster: "b3", user: "b3" } }],
    }),
  );
  const results: Started[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await startOnce(folder, kubeconfig));
  api.stop();
  return results;
}

async function startOnce(folder: string, kubeconfig: string): Promise<Started> {
  const port = await freePort();
  // As deploy/Dockerfile runs it.
  const words = [
    "--max-semi-space-size=4",
    "dist/apps/bin.js",
    "serve",
    `--kubeconfig=${kubeconfig}`,
    "--host=127.0.0.1",
    `--port=${port}`,
    "--metrics-port=0",
    `--webhook-url=https://127.0.0.1:${port}`,
    ...["cert", "key", "ca"].map(
      (name) => `--tls-${name}-file=${join(folder, name === "cert" ? "crt" : name)}`,
    ),
  ];
  const startMs = performance.now();
  const child = spawn(process.execPath, words, { stdio: "ignore" });
  try {
    await firstAnswer(port, readFileSync(join(folder, "ca"), "utf8"), startMs + 30_000);
    const readyMs = performance.now() - startMs;
    // A while later, when what the start needed has been collected.
    await new Promise((done) => setTimeout(done, 3000));
    return { readyMs, rssMib: residentMib(child) };
  } finally {
    child.kill("SIGKILL");
  }
}

async function firstAnswer(port: number, ca: string, endMs: number): Promise<void> {
  const agent = new https.Agent({ ca });
  for (;;) {
    if (performance.now() > endMs) throw new Error("no answer within 30 s");
    if (await isAnswered(port, agent)) return;
    await new Promise((done) => setTimeout(done, 2));
  }
}

function isAnswered(port: number, agent: https.Agent): Promise<boolean> {
  return new Promise((done) => {
    const options = { host: "127.0.0.1", port, path: "/validate/fail?timeout=5s", method: "POST", agent };
    const request = https.request(options, (response) => {
      response.resume();
      response.on("end", () => done(response.statusCode === 200));
    });
    request.on("error", () => done(false));
    request.end(reviewText);
  });
}

function residentMib({ pid }: ChildProcess): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? Number.NaN) / 1024;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

/** The eighteen policies under other names until there are 500, and namespaces as large clusters label them. */
function largeCluster(): FakeObjects {
  const base = enforcedPolicies();
  const policies = Array.from({ length: 500 }, (_, index): JsonObject => {
    const policy = base[index % base.length] ?? {};
    const metadata = (policy["metadata"] ?? {}) as JsonObject;
    return {
      ...policy,
      metadata: { ...metadata, name: `policy-${index}`, resourceVersion: String(index + 1) },
    };
  });
  const namespaces = Array.from({ length: 10_000 }, (_, index): JsonObject => {
    const name = `team-${index}`;
    const labels = {
      "kubernetes.io/metadata.name": name,
      team: `t${index % 300}`,
      stage: index % 2 === 0 ? "prod" : "dev",
    };
    return {
      metadata: {
        name,
        uid: `u${index}`,
        resourceVersion: String(index + 1),
        labels,
        annotations: { note: "x".repeat(200) },
      },
    };
  });
  return { policies, namespaces };
}
