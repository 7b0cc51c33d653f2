/**
 * What the gate answered, counted, and its last faults, for the replica's own state. Metrics have the rest; this is
 * what somebody with nothing but kubectl wants to see first.
 */
import type { Answer, GateEvent } from "#webhook";
import type { ReplicaFault } from "./replica-state.ts";

const KEPT_FAULTS = 5;

export type AnswerTally = {
  readonly note: (event: GateEvent, nowMs: number) => void;
  readonly counts: () => Readonly<Record<Answer, number>>;
  /** The newest first. */
  readonly lastFaults: () => readonly ReplicaFault[];
  /** Clock time of the last answer; `undefined` before the first. */
  readonly lastAnswerMs: () => number | undefined;
};

export function createAnswerTally(): AnswerTally {
  const counts: Record<Answer, number> = { allowed: 0, denied: 0, fault: 0, shed: 0 };
  let faults: readonly ReplicaFault[] = [];
  let lastAnswerMs: number | undefined;
  return {
    note(event, nowMs) {
      counts[event.answer] += 1;
      if (event.answer !== "shed") lastAnswerMs = nowMs;
      const noted = faultsIn(event, new Date(nowMs).toISOString());
      if (noted.length > 0) faults = [...noted, ...faults].slice(0, KEPT_FAULTS);
    },
    counts: () => ({ ...counts }),
    lastFaults: () => faults,
    lastAnswerMs: () => lastAnswerMs,
  };
}

/** Faults that policies had, whatever the answer; else the reason of an answer that was none. */
function faultsIn(event: GateEvent, at: string): readonly ReplicaFault[] {
  const { webhook, code = "evaluation" } = event;
  if (event.faults.length > 0) {
    return event.faults.map(({ policy, rule, message }) => ({
      at,
      code,
      webhook,
      message: `${rule === undefined ? policy : `${policy}.${rule}`}: ${message}`,
    }));
  }
  return event.answer === "fault" || event.answer === "shed"
    ? [{ at, code, webhook, message: event.message }]
    : [];
}
