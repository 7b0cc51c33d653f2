/**
 * The life of one admission request behind the queue: decoded once, excluded or judged, answered, told to the observer,
 * and handed to the audit queue. Every way out ends in exactly one reply.
 */
import type { Action, EvaluationRequest, Facts, PolicyFault } from "#engine";
import type { AuditQueue } from "./audit-queue.ts";
import type { Reply } from "./answer.ts";
import { allowReply, denyReply, faultReply } from "./answer.ts";
import type { JudgeContext, Judgement } from "./judge.ts";
import { factsFor, judge, programsFor } from "./judge.ts";
import type { FaultCode, GateEvent } from "./ports.ts";
import { decodeReview } from "./review.ts";

export type AdmissionCall = {
  readonly webhook: "fail" | "ignore";
  /** The policy of a fine-grained webhook: `name` or `namespace/name`. */
  readonly policy: string | undefined;
  readonly body: string;
  /** Monotonic milliseconds. */
  readonly arrivedMs: number;
  readonly dueMs: number;
  /** When the API server stops waiting, where it said so. */
  readonly endMs: number | undefined;
};

/** What an answer was, for the observer. */
type Outcome = Pick<GateEvent, "answer" | "message"> &
  Partial<Pick<GateEvent, "uid" | "request" | "code" | "faults">>;

const NO_FAULTS: readonly PolicyFault[] = [];

export function admit(
  context: JudgeContext,
  audits: AuditQueue,
  call: AdmissionCall,
): Reply | Promise<Reply> {
  const review = decodeReview(call.body);
  if (typeof review === "string") return refuseToJudge(context, call, "bad-request", review);
  const { uid, request } = review;
  const { ports } = context;
  const snapshot = ports.policies();
  const programs = programsFor(snapshot, call.webhook, call.policy, request);
  if (programs === undefined) {
    const message = `policy ${call.policy} is not in force here`;
    return refuseToJudge(context, call, "unknown-policy", message, { uid, request });
  }
  const facts = factsFor(ports, request);
  if (ports.isExcluded(request, facts)) return conclude(context, call, uid, request, ALLOW);
  const end = (judgement: Judgement): Reply => {
    if (judgement.kind === "allow" && isGeneralIgnore(call))
      audit(context, audits, { uid, request, facts, bytes: call.body.length });
    return conclude(context, call, uid, request, judgement);
  };
  const judgement = judge(context, {
    request,
    facts,
    programs,
    dueMs: call.dueMs,
    yields: call.webhook === "ignore",
  });
  return judgement instanceof Promise ? judgement.then(end) : end(judgement);
}

const ALLOW: Action = { kind: "allow", warnings: [], faults: NO_FAULTS };

function conclude(
  context: JudgeContext,
  call: AdmissionCall,
  uid: string,
  request: EvaluationRequest,
  judgement: Judgement,
): Reply {
  const about = { uid, request };
  switch (judgement.kind) {
    case "late":
      return refuseToJudge(context, call, "deadline", "there was no time left to decide", about);
    case "full":
      return refuseToJudge(context, call, "overload", "too many requests wait for lookups", about);
    case "fault": {
      const { message, faults } = judgement;
      observe(context, call, { answer: "fault", message, code: "evaluation", faults, ...about });
      return faultReply("evaluation", message);
    }
    case "deny": {
      const { message, faults } = judgement;
      observe(context, call, { answer: "denied", message, faults, ...about });
      return denyReply(uid, message, faultAnnotations(faults));
    }
    case "allow": {
      const { warnings, faults } = judgement;
      observe(context, call, { answer: "allowed", message: "", faults, ...about });
      return allowReply(uid, warnings, faultAnnotations(faults));
    }
  }
}

/** The request is neither allowed nor refused: the webhook's failurePolicy decides. */
export function refuseToJudge(
  context: JudgeContext,
  call: AdmissionCall,
  code: FaultCode,
  message: string,
  about: Partial<Pick<GateEvent, "uid" | "request">> = {},
): Reply {
  observe(context, call, { answer: code === "overload" ? "shed" : "fault", message, code, ...about });
  return faultReply(code, message);
}

function observe({ ports, clock }: JudgeContext, call: AdmissionCall, outcome: Outcome): void {
  const now = clock();
  ports.observer.answered({
    webhook: call.webhook,
    uid: outcome.uid ?? "",
    request: outcome.request,
    answer: outcome.answer,
    message: outcome.message,
    code: outcome.code,
    faults: outcome.faults ?? NO_FAULTS,
    durationMs: now - call.arrivedMs,
    marginMs: call.endMs === undefined ? undefined : call.endMs - now,
  });
}

/** For the API server's audit log: faults that changed nothing but should not be forgotten. */
function faultAnnotations(faults: readonly PolicyFault[]): Readonly<Record<string, string>> | undefined {
  if (faults.length === 0) return undefined;
  const text = faults
    .map(({ policy, rule }) => (rule === undefined ? policy : `${policy}.${rule}`))
    .join(",");
  return { faults: text.slice(0, 1000) };
}

/** Policies that only report are registered with the webhook for `Ignore`, and so are seen there, once. */
function isGeneralIgnore({ webhook, policy }: AdmissionCall): boolean {
  return webhook === "ignore" && policy === undefined;
}

type Audited = {
  readonly uid: string;
  readonly request: EvaluationRequest;
  readonly facts: Facts;
  readonly bytes: number;
};

/** A dry run leaves nothing behind, not even a report. */
function audit({ ports }: JudgeContext, audits: AuditQueue, audited: Audited): void {
  if (audited.request.dryRun) return;
  const programs = ports.policies().audited.candidates(audited.request);
  if (programs.length > 0) audits.push({ ...audited, programs });
}
