/** What the gate tells of itself, as metrics, log lines and the replica's own tally. */
import type { Log, Metrics } from "#telemetry";
import type { GateEvent, GateObserver } from "#webhook";
import type { AnswerTally } from "./replica/answer-tally.ts";

export function createObserver(parts: {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly tally?: AnswerTally;
  readonly nowMs: () => number;
}): GateObserver {
  const { metrics, log, tally, nowMs } = parts;
  return {
    answered(event) {
      const { webhook, answer } = event;
      metrics.add("postern_admission_reviews_total", [webhook, answer]);
      metrics.observe("postern_admission_review_duration_seconds", [webhook], event.durationMs / 1000);
      if (event.marginMs !== undefined) {
        metrics.observe("postern_admission_deadline_margin_seconds", [webhook], event.marginMs / 1000);
      }
      if (event.code !== undefined) metrics.add("postern_admission_faults_total", [webhook, event.code]);
      for (const { policy } of event.faults) metrics.add("postern_policy_faults_total", [policy]);
      tally?.note(event, nowMs());
      if (answer !== "allowed" || event.faults.length > 0) write(log, event);
    },
    evaluated: (policy, milliseconds) =>
      metrics.observe("postern_policy_evaluation_duration_seconds", [policy], milliseconds / 1000),
    auditDropped: (count) => metrics.add("postern_audit_dropped_total", [], count),
  };
}

/** One line for a denial or a fault: who wanted what, and why not. An allow says nothing. */
function write(log: Log, event: GateEvent): void {
  const { webhook, answer, uid, request, message, code, faults } = event;
  const fields = {
    webhook,
    answer,
    ...(code === undefined ? {} : { code }),
    uid,
    ...(request === undefined
      ? {}
      : {
          operation: request.operation,
          kind: request.kind.kind,
          namespace: request.namespace,
          name: request.name,
          user: request.userInfo?.username,
          dryRun: request.dryRun,
        }),
    ...(faults.length === 0 ? {} : { faults }),
    durationMs: Math.round(event.durationMs * 10) / 10,
    reason: message,
  };
  if (answer === "denied") log.info("denied", fields);
  else log.warn(answer === "shed" ? "shed" : "fault", fields);
}
