/**
 * What a command may ask of the machine that it runs on, in one value, so that commands are functions of it: outputs,
 * environment, clock and seed. The pure rings get the clock and the seed as facts.
 */
import type { Output } from "./output.ts";
import { createOutput } from "./output.ts";

export type World = {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** A seed for `random()` in policies: a new one for each run. */
  readonly seed: () => number;
  readonly stdinIsTty: () => boolean;
};

/** The real one. Nothing is opened before it is used: streams and randomness cost more to set up than a short run. */
export function createWorld(): World {
  return {
    stdout: createOutput(() => process.stdout),
    stderr: createOutput(() => process.stderr),
    env: process.env,
    nowMs: () => Date.now(),
    seed: () => globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
    stdinIsTty: () => process.stdin.isTTY,
  };
}
