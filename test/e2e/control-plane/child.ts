/** A program that a test runs beside itself: its output is kept for when something fails, and it is gone at the end. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Child = {
  readonly process: ChildProcess;
  /** The end of what it printed. */
  readonly output: () => string;
  readonly exited: () => boolean;
  /** Ends it as a crash would, or as the given signal does; resolves when it is gone. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
};

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export function startChild(
  program: string,
  words: readonly string[],
  options: { readonly logFile?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"], env: options.env ?? process.env });
  running.add(child);
  let text = "";
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-20_000);
    if (options.logFile !== undefined) appendFileSync(options.logFile, chunk);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const gone = new Promise<void>((done) => {
    child.once("exit", () => {
      running.delete(child);
      done();
    });
  });
  const exited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    process: child,
    output: () => text,
    exited,
    async stop(signal = "SIGKILL") {
      if (!exited()) child.kill(signal);
      await gone;
    },
  };
}

/** A port that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === "object") done(address.port);
        else fail(new Error("no port"));
      });
    });
  });
}

/**
 * Asks until the answer is not `undefined`.
 * @throws with what was waited for, after `timeoutMs`
 */
export async function until<T>(
  what: string | (() => string),
  ask: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 60_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) {
      throw new Error(`waited ${timeoutMs / 1000} s for ${typeof what === "string" ? what : what()}`);
    }
    await sleep(50);
  }
}
