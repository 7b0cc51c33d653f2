/**
 * What the watchdog makes of what it sees: canaries that came through or did not. It raises the alarm when several in a
 * row did not. It opens only where the operator and the policies asked for it, once, and never for overload: a gate that
 * answers, however late or with however many faults, is not dead.
 * INVARIANT: opened once, it stays open until somebody closes it; whoever can disturb the gate must not be able to make
 * it flap.
 * SPEC: design.md section 2, invariant 6.
 */
export type WatchState = {
  /** Canaries in a row that did not come through. */
  readonly failures: number;
  /** Clock time of the first of them. */
  readonly failingSinceMs: number | undefined;
  readonly alarmed: boolean;
  readonly opened: boolean;
};

export type Sighting = {
  readonly nowMs: number;
  readonly canaryOk: boolean;
  /** Clock time of the last call that any replica answered, as this process knows it; `undefined` for none. */
  readonly lastAnswerMs: number | undefined;
};

export type WatchRules = { readonly mayOpen: boolean };

export type WatchStep = {
  readonly state: WatchState;
  readonly act: "none" | "alarm" | "all-clear" | "open";
};

export const initialWatch: WatchState = {
  failures: 0,
  failingSinceMs: undefined,
  alarmed: false,
  opened: false,
};

/** At one canary every ten seconds. */
const ALARM_AFTER = 3;
const OPEN_AFTER_MS = 120_000;

export function watchStep(state: WatchState, seen: Sighting, rules: WatchRules): WatchStep {
  if (seen.canaryOk) {
    const clear = { ...state, failures: 0, failingSinceMs: undefined, alarmed: false };
    return { state: clear, act: state.alarmed ? "all-clear" : "none" };
  }
  const failingSinceMs = state.failingSinceMs ?? seen.nowMs;
  const failing = { ...state, failures: state.failures + 1, failingSinceMs };
  const answered = seen.lastAnswerMs !== undefined && seen.lastAnswerMs >= failingSinceMs;
  if (rules.mayOpen && !state.opened && !answered && seen.nowMs - failingSinceMs >= OPEN_AFTER_MS) {
    return { state: { ...failing, alarmed: true, opened: true }, act: "open" };
  }
  if (failing.failures >= ALARM_AFTER && !state.alarmed)
    return { state: { ...failing, alarmed: true }, act: "alarm" };
  return { state: failing, act: "none" };
}
