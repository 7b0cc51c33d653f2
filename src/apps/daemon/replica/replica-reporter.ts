/** Writes the replica's state at a steady pace, sooner when it changed, and sweeps up after the dead as the leader. */
import type { Clock } from "#platform";
import type { Log } from "#telemetry";
import type { ReplicaLease } from "./replica-lease.ts";
import { RENEW_MS } from "./replica-lease.ts";
import type { ReplicaState } from "./replica-state.ts";

export type ReplicaReporter = {
  readonly start: () => void;
  /** Something that people wait for changed: written within some seconds. */
  readonly changed: () => void;
  /** Writes no more and takes the Lease away. */
  readonly stop: () => Promise<void>;
};

const SOON_MS = 2000;
const SWEEP_EVERY = 20;

export function createReplicaReporter(parts: {
  readonly lease: ReplicaLease;
  readonly state: () => ReplicaState;
  readonly clock: Clock;
  readonly log: Log;
}): ReplicaReporter {
  const { lease, state, clock, log } = parts;
  let callOff: (() => void) | undefined;
  let stopped = false;
  let writes = 0;
  let soon = false;

  async function write(): Promise<void> {
    soon = false;
    try {
      const current = state();
      await lease.write(current);
      writes += 1;
      if (current.leader && writes % SWEEP_EVERY === 1) await lease.sweep();
    } catch (error) {
      log.debug("the replica's Lease could not be written", { error: String(error) });
    }
    schedule(soon ? SOON_MS : RENEW_MS);
  }

  function schedule(delayMs: number): void {
    if (stopped) return;
    callOff?.();
    callOff = clock.later(() => void write(), delayMs);
  }

  return {
    start: () => schedule(0),
    changed() {
      if (soon) return;
      soon = true;
      schedule(SOON_MS);
    },
    async stop() {
      stopped = true;
      callOff?.();
      try {
        await lease.remove();
      } catch (error) {
        log.debug("the replica's Lease could not be removed", { error: String(error) });
      }
    },
  };
}
