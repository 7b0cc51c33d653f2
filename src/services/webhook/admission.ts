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

/** A call with what is known of it. */
type Desk = {
  readonly context: JudgeContext;
  readonly call: AdmissionCall;
  readonly uid: string;
  readonly request: EvaluationRequest;
};

const NO_FAULTS: readonly PolicyFault[] = [];
const ALLOW: Action = { kind: "allow", warnings: [], faults: NO_FAULTS };

export function admit(
  context: JudgeContext,
  audits: AuditQueue,
  call: AdmissionCall,
): Reply | Promise<Reply> {
  const review = decodeReview(call.body);
  if (typeof review === "string") return refuseToJudge({ context, call }, "bad-request", review);
  const { uid, request } = review;
  const desk = { context, call, uid, request };
  const { ports } = context;
  const programs = programsFor(ports.policies(), call.webhook, call.policy, request);
  if (programs === undefined) {
    return refuseToJudge(desk, "unknown-policy", `policy ${call.policy} is not in force here`);
  }
  const facts = factsFor(ports, request);
  if (ports.isExcluded(request, facts)) return conclude(desk, ALLOW);
  const end = (judgement: Judgement): Reply => {
    if (judgement.kind === "allow" && isGeneralIgnore(call)) audit(desk, audits, facts);
    return conclude(desk, judgement);
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

function conclude(desk: Desk, judgement: Judgement): Reply {
  const { uid, request } = desk;
  switch (judgement.kind) {
    case "late":
      return refuseToJudge(desk, "deadline", "there was no time left to decide");
    case "full":
      return refuseToJudge(desk, "overload", "too many requests wait for lookups");
    case "fault": {
      const { message, faults } = judgement;
      observe(desk, { answer: "fault", message, code: "evaluation", faults, uid, request });
      return faultReply("evaluation", message);
    }
    case "deny": {
      const { message, faults } = judgement;
      observe(desk, { answer: "denied", message, faults, uid, request });
      return denyReply(desk.uid, message, faultAnnotations(faults));
    }
    case "allow": {
      const { warnings, faults } = judgement;
      observe(desk, { answer: "allowed", message: "", faults, uid, request });
      return allowReply(desk.uid, warnings, faultAnnotations(faults));
    }
  }
}

/** The request is neither allowed nor refused: the webhook's failurePolicy decides. */
export function refuseToJudge(
  desk: Omit<Desk, "uid" | "request"> & Partial<Pick<Desk, "uid" | "request">>,
  code: FaultCode,
  message: string,
): Reply {
  const answer = code === "overload" ? "shed" : "fault";
  observe(desk, { answer, message, code, faults: NO_FAULTS, uid: desk.uid ?? "", request: desk.request });
  return faultReply(code, message);
}

type Told = Omit<GateEvent, "webhook" | "durationMs" | "marginMs" | "code"> & { readonly code?: FaultCode };

function observe({ context, call }: Pick<Desk, "context" | "call">, told: Told): void {
  const now = context.clock();
  // PERF: written out, because a spread makes an object of another kind, which is slow to make and to read.
  context.ports.observer.answered({
    webhook: call.webhook,
    answer: told.answer,
    uid: told.uid,
    request: told.request,
    message: told.message,
    code: told.code,
    faults: told.faults,
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

/** A dry run leaves nothing behind, not even a report. */
function audit({ context, call, uid, request }: Desk, audits: AuditQueue, facts: Facts): void {
  if (request.dryRun) return;
  const programs = context.ports.policies().audited.candidates(request);
  if (programs.length > 0) audits.push({ uid, request, facts, programs, bytes: call.body.length });
}
