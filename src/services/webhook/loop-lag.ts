/**
 * How late the event loop is: what a timer that is due waits before it runs is what a request that has arrived waits
 * before it is read. Looked at twenty times a second.
 */
export type LoopLag = {
  /** Milliseconds; the last that was measured. */
  readonly current: () => number;
  /** The most since it was asked last. */
  readonly takeMost: () => number;
  readonly stop: () => void;
};

const EVERY_MS = 50;

export function watchLoopLag(clock: () => number): LoopLag {
  let dueMs = clock() + EVERY_MS;
  let current = 0;
  let most = 0;
  const timer = setInterval(() => {
    const now = clock();
    current = Math.max(0, now - dueMs);
    most = Math.max(most, current);
    dueMs = now + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return {
    current: () => Math.max(current, clock() - dueMs),
    takeMost() {
      const taken = most;
      most = 0;
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}
