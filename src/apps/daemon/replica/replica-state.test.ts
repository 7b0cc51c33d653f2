import { expect, test } from "vitest";

import type { ReplicaState } from "./replica-state.ts";
import { STATE_ANNOTATION, decodeReplicaState, printReplicaState } from "./replica-state.ts";

const state: ReplicaState = {
  version: "0.1.0",
  startedAt: "2026-12-01T12:00:00.000Z",
  ready: true,
  reasons: [],
  leader: true,
  policies: { inForce: 18, notReady: 1 },
  answers: { allowed: 3, denied: 2, fault: 1, shed: 0 },
  lastAnswerAt: "2026-12-01T12:01:00.000Z",
  certificateExpires: "2027-03-01T00:00:00.000Z",
  registration: { phase: "guarding", problems: ["one"] },
  lastFaults: [{ at: "2026-12-01T12:00:30.000Z", code: "lookup", webhook: "fail", message: "no answer" }],
};

const leaseWith = (text: string): { metadata: { annotations: Record<string, string> } } => ({
  metadata: { annotations: { [STATE_ANNOTATION]: text } },
});

test("what is written is what is read", () => {
  expect(decodeReplicaState(leaseWith(printReplicaState(state)))).toEqual(state);
});

test("a state stays small however long its texts are", () => {
  const long = "x".repeat(10_000);
  const text = printReplicaState({
    ...state,
    reasons: Array.from({ length: 100 }, () => long),
    registration: { phase: "guarding", problems: Array.from({ length: 100 }, () => long) },
    lastFaults: Array.from({ length: 100 }, () => ({ at: "", code: "bug", webhook: "fail", message: long })),
  });
  expect(text.length).toBeLessThan(4096);
});

test.each(["", "no json", "[]", "7", "null"])("an annotation `%s` is no state", (text) => {
  expect(decodeReplicaState(leaseWith(text))).toBeUndefined();
});

test("a state of other shapes reads as nothing known, never as a failure", () => {
  const read = decodeReplicaState(
    leaseWith('{"ready":"yes","reasons":7,"policies":[],"lastFaults":[1,{"at":2}]}'),
  );
  expect(read).toMatchObject({ ready: false, reasons: [], policies: { inForce: 0, notReady: 0 } });
  expect(read?.lastFaults).toEqual([{ at: "", code: "", webhook: "", message: "" }]);
});
