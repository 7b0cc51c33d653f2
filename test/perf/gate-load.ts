/** Reviews sent to a server of `gate-server.ts`: as fast as it answers, or at a fixed rate whatever it does. */
import { type ChildProcess, fork } from "node:child_process";
import * as https from "node:https";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import type { ServerOrder } from "./gate-server.ts";

export type BenchServer = {
  readonly port: number;
  readonly ca: string;
  readonly child: ChildProcess;
  /** Microseconds of CPU since its start, and bytes in memory. */
  readonly usage: () => Promise<{ readonly cpuUs: number; readonly rss: number }>;
  readonly stop: () => void;
};

export async function startServer(order: ServerOrder): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, "gate-server.js"), { execArgv: [] });
  child.send(order);
  const hello = await next<{ port: number; ca: string }>(child);
  return {
    ...hello,
    child,
    usage() {
      child.send("usage");
      return next(child);
    },
    stop: () => child.kill("SIGKILL"),
  };
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((done, fail) => {
    child.once("message", (message: T) => done(message));
    child.once("exit", () => fail(new Error("the server ended")));
  });
}

export type Load = {
  readonly server: BenchServer;
  readonly path: string;
  readonly body: string;
  readonly agent: https.Agent;
};

export function agentFor(server: BenchServer, sockets: number): https.Agent {
  return new https.Agent({ keepAlive: true, ca: server.ca, maxSockets: sockets });
}

/** One review; resolves with the HTTP status and the milliseconds that it took. */
export function sendReview({
  server,
  path,
  body,
  agent,
}: Load): Promise<{ readonly status: number; readonly ms: number }> {
  const startMs = performance.now();
  return new Promise((done, fail) => {
    const request = https.request({
      host: "127.0.0.1",
      port: server.port,
      path,
      method: "POST",
      agent,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    });
    request.on("error", fail);
    request.on("response", (response) => {
      response.resume();
      response.on("end", () => done({ status: response.statusCode ?? 0, ms: performance.now() - startMs }));
    });
    request.end(body);
  });
}

/** CPU microseconds of the server for one review, over `count` of them, `sockets` at one time. */
export async function cpuPerReview(load: Load, count: number, sockets: number): Promise<number> {
  const before = await load.server.usage();
  let left = count;
  await Promise.all(
    Array.from({ length: sockets }, async () => {
      while (left > 0) {
        left -= 1;
        const { status } = await sendReview(load);
        if (status !== 200) throw new Error(`HTTP ${status}`);
      }
    }),
  );
  const after = await load.server.usage();
  return (after.cpuUs - before.cpuUs) / count;
}

export type Tail = {
  readonly sent: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
};

/** An open loop: reviews go out at their times, whether or not those before were answered. */
export async function openLoop(load: Load, perSecond: number, seconds: number): Promise<Tail> {
  const answers: Promise<{ readonly status: number; readonly ms: number }>[] = [];
  const startMs = performance.now();
  const total = Math.round(perSecond * seconds);
  while (answers.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * perSecond));
    while (answers.length < due)
      answers.push(sendReview(load).catch(() => ({ status: 0, ms: Number.POSITIVE_INFINITY })));
    await new Promise((done) => setTimeout(done, 2));
  }
  const results = await Promise.all(answers);
  const times = results.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const failed = results.filter(({ status }) => status !== 200).length;
  return { sent: total, failed, p50: at(0.5), p99: at(0.99), worst: at(1) };
}
