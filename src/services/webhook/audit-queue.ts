/**
 * Policies that only report, evaluated after the answer is out and while nothing else wants the event loop. The queue is
 * bounded in requests and in bytes; what does not fit is dropped and counted, because a report is worth less than an
 * answer. What needs a lookup is left to the background scan, which has the time.
 */
import type { EvaluationRequest, Facts, PolicyProgram, Verdict } from "#engine";
import { evaluate } from "#engine";
import type { GatePorts } from "./ports.ts";

export type AuditJob = {
  readonly uid: string;
  readonly request: EvaluationRequest;
  readonly facts: Facts;
  readonly programs: readonly PolicyProgram[];
  readonly bytes: number;
};

export type AuditQueue = {
  readonly push: (job: AuditJob) => void;
  readonly length: () => number;
};

export type AuditOptions = {
  readonly ports: Pick<GatePorts, "audited" | "observer">;
  /** Whether requests wait or the loop is late: then audits wait too. */
  readonly busy: () => boolean;
  readonly clock: () => number;
};

const MAX_JOBS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;
const SLICE_MS = 5;
const WAIT_MS = 20;

export function createAuditQueue({ ports, busy, clock }: AuditOptions): AuditQueue {
  const jobs: AuditJob[] = [];
  let bytes = 0;
  let scheduled = false;

  function schedule(delayMs: number): void {
    if (scheduled) return;
    scheduled = true;
    setTimeout(work, delayMs).unref();
  }

  function work(): void {
    scheduled = false;
    const end = clock() + SLICE_MS;
    while (!busy() && clock() < end) {
      const job = jobs.shift();
      if (job === undefined) return;
      bytes -= job.bytes;
      ports.audited({ uid: job.uid, request: job.request, verdicts: verdictsOf(job) });
    }
    if (jobs.length > 0) schedule(busy() ? WAIT_MS : 0);
  }

  return {
    push(job) {
      if (jobs.length >= MAX_JOBS || bytes + job.bytes > MAX_BYTES) {
        ports.observer.auditDropped(1);
        return;
      }
      jobs.push(job);
      bytes += job.bytes;
      schedule(0);
    },
    length: () => jobs.length,
  };
}

type Verdicts = readonly { readonly program: PolicyProgram; readonly verdict: Verdict }[];

function verdictsOf({ programs, request, facts }: AuditJob): Verdicts {
  return programs.flatMap((program) => {
    try {
      const verdict = evaluate(program, request, facts);
      return verdict.kind === "verdict" && verdict.rules.length > 0 ? [{ program, verdict }] : [];
    } catch {
      // A bug that one policy meets is reported by the scan, with the object at hand; the answer has long been given.
      return [];
    }
  });
}
