/** A clock that a test holds in its hands: time passes when it says so, and what is due then runs in order. */
import type { Clock } from "#platform";

export type FakeClock = Clock & {
  /** Lets time pass; what becomes due runs, and what that leads to, until all is quiet. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Sets the clock, on or back; what is due then runs when time passes next, as after a machine slept. */
  readonly jump: (milliseconds: number) => void;
};

type Timer = { readonly atMs: number; readonly order: number; readonly run: () => void };

/** @param random 0.5 where absent: jitter then changes nothing */
export function createFakeClock(startMs = 1_800_000_000_000, random: () => number = () => 0.5): FakeClock {
  let nowMs = startMs;
  let count = 0;
  const timers = new Set<Timer>();
  const due = (endMs: number): Timer | undefined =>
    [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs - startMs,
    random,
    later(run, delayMs) {
      const timer = { atMs: nowMs + Math.max(0, delayMs), order: count++, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    jump(milliseconds) {
      nowMs += milliseconds;
    },
    async advance(milliseconds) {
      const endMs = nowMs + milliseconds;
      await settle();
      for (let timer = due(endMs); timer !== undefined; timer = due(endMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.atMs);
        timer.run();
        await settle();
      }
      nowMs = endMs;
    },
  };
}

/** Lets promises that are ready run, and what they lead to. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
