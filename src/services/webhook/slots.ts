/**
 * How many requests may wait for the world at one time. One more waits for its turn, those that may not be shed first;
 * when too many wait, the one that has to go is told at once.
 */
export type Slots = {
  /** Resolves to whether there is a slot; `release` gives it back. */
  readonly acquire: (yields: boolean) => boolean | Promise<boolean>;
  readonly release: () => void;
  readonly active: () => number;
  readonly waiting: () => number;
};

type Waiter = { readonly yields: boolean; readonly tell: (got: boolean) => void };

export function createSlots(limit: number, waitLimit: number): Slots {
  const waiters: Waiter[] = [];
  let active = 0;
  return {
    acquire(yields) {
      if (active < limit) {
        active += 1;
        return true;
      }
      if (waiters.length >= waitLimit) {
        const at = yields ? -1 : waiters.findLastIndex((waiter) => waiter.yields);
        if (at < 0) return false;
        waiters.splice(at, 1)[0]?.tell(false);
      }
      return new Promise((tell) => waiters.push({ yields, tell }));
    },
    release() {
      const firm = waiters.findIndex((waiter) => !waiter.yields);
      const next = waiters.splice(Math.max(0, firm), 1)[0];
      if (next === undefined) active -= 1;
      else next.tell(true);
    },
    active: () => active,
    waiting: () => waiters.length,
  };
}
