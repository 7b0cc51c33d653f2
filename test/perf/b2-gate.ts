/**
 * B2: what a review costs the gate. The eighteen pod-security policies, enforced, a typical pod, TLS with connections that
 * are kept; beside a server on the same runtime that only parses the review and allows it; then with evaluations going on
 * in another process, as a background scan does.
 */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { isObject, loadYaml, type JsonObject } from "#json";

import {
  agentFor,
  cpuPerReview,
  openLoop,
  startServer,
  type BenchServer,
  type Load,
  type Tail,
} from "./gate-load.ts";
import { median } from "./measure.ts";
import { podSecurityFiles, reviewText } from "./pod-security.ts";

const ROUNDS = 9;
const REVIEWS = 4000;
const WARM_UP = 24_000;
const SOCKETS = 8;

export async function b2(): Promise<string> {
  const policies = enforcedPolicies();
  const servers = {
    gate: await startServer({ kind: "gate", policies }),
    bare: await startServer({ kind: "bare", policies: [] }),
  };
  try {
    const figures: Record<keyof typeof servers, number[]> = { gate: [], bare: [] };
    // A server that has run for a while is what is measured: V8 goes on optimising for some ten thousand reviews.
    for (const name of ["gate", "bare"] as const) {
      await cpuPerReview(loadOf(servers[name]), WARM_UP, SOCKETS);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of ["gate", "bare"] as const) {
        figures[name].push(await cpuPerReview(loadOf(servers[name]), REVIEWS, SOCKETS));
      }
    }
    const ratios = figures.gate.map((cpu, round) => cpu / (figures.bare[round] ?? Number.NaN));
    return [
      `B2: ${policies.length} policies, enforced; review of ${reviewText.length} bytes, TLS, ${SOCKETS} kept connections`,
      `  gate  ${line(figures.gate)} of CPU a review (goal: <= 250)`,
      `  bare  ${line(figures.bare)}`,
      `  ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; goal: <= 2.0)`,
      ...(await tails(servers.gate)),
    ].join("\n");
  } finally {
    servers.gate.stop();
    servers.bare.stop();
  }
}

async function tails(server: BenchServer): Promise<readonly string[]> {
  const load = loadOf(server, 64);
  const rate = 400;
  const alone: Tail[] = [];
  const beside: Tail[] = [];
  for (let round = 0; round < 3; round += 1) {
    alone.push(await openLoop(load, rate, 5));
    const scan = fork(join(import.meta.dirname, "scan-load.js"), { execArgv: [] });
    beside.push(await openLoop(load, rate, 5));
    scan.kill("SIGKILL");
  }
  const p50 = (tailsOf: typeof alone): number => median(tailsOf.map((tail) => tail.p50));
  const worst = (tailsOf: typeof alone): string => Math.max(...tailsOf.map((tail) => tail.worst)).toFixed(0);
  const failed = [...alone, ...beside].reduce((sum, tail) => sum + tail.failed, 0);
  return [
    `  open loop at ${rate}/s: p50 ${p50(alone).toFixed(2)} ms, worst ${worst(alone)} ms; beside a scan: p50 ${p50(beside).toFixed(2)} ms, worst ${worst(beside)} ms`,
    `  p50 beside a scan / alone: ${(p50(beside) / p50(alone)).toFixed(2)} (goal: <= 1.5); deadlines missed: ${failed} (goal: 0)`,
  ];
}

function loadOf(server: BenchServer, sockets = SOCKETS): Load {
  return { server, path: "/validate/fail?timeout=5s", body: reviewText, agent: agentFor(server, sockets) };
}

function line(figures: readonly number[]): string {
  return `${median(figures).toFixed(0)} us (${Math.min(...figures).toFixed(0)} to ${Math.max(...figures).toFixed(0)})`;
}

/** The policies as written, but each of them refuses. */
export function enforcedPolicies(): readonly JsonObject[] {
  return podSecurityFiles().flatMap((file) =>
    loadYaml(readFileSync(file, "utf8"), file).documents.flatMap(({ value }) => {
      if (!isObject(value) || !isObject(value["spec"])) return [];
      return [{ ...value, spec: { ...value["spec"], validationFailureAction: "Enforce" } }];
    }),
  );
}
