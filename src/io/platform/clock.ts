/**
 * Time and chance as what runs for long takes them: one argument, so that tests hold both in their hands.
 */
export type Clock = {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Milliseconds since some moment; for durations: who sets the machine's clock does not change it. */
  readonly monotonicMs: () => number;
  /** At least 0, less than 1. */
  readonly random: () => number;
  /** Runs something once, later; returns what calls it off. */
  readonly later: (run: () => void, delayMs: number) => () => void;
};

/** The real one. What is still to come does not keep a process alive that has nothing else to do. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  later(run, delayMs) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after a while, or at once when the signal says so; never rejects. */
export function wait(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted === true) {
      done();
      return;
    }
    const callOff = clock.later(finish, delayMs);
    signal?.addEventListener("abort", finish, { once: true });
    function finish(): void {
      callOff();
      signal?.removeEventListener("abort", finish);
      done();
    }
  });
}
