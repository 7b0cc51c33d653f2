/**
 * Reviews of the policy kinds themselves, and the canary: small, rare, and never in the way. What is wrong with a policy
 * refuses it; what only looks wrong warns.
 */
import type { Reply } from "./answer.ts";
import { allowReply, denyReply, faultReply } from "./answer.ts";
import type { GateEvent, GatePorts } from "./ports.ts";
import { decodeReview } from "./review.ts";

/** A call to a webhook that is not about policies' resources. */
export type SideCall = {
  readonly webhook: "policy" | "exception" | "canary";
  readonly body: string;
  readonly arrivedMs: number;
  readonly endMs: number | undefined;
};

export function answerSideCall(ports: GatePorts, clock: () => number, call: SideCall): Reply {
  const review = decodeReview(call.body);
  const observe = (answer: GateEvent["answer"], message: string): void => {
    const now = clock();
    ports.observer.answered({
      webhook: call.webhook,
      uid: typeof review === "string" ? "" : review.uid,
      request: typeof review === "string" ? undefined : review.request,
      answer,
      message,
      code: answer === "fault" ? "bad-request" : undefined,
      faults: [],
      durationMs: now - call.arrivedMs,
      marginMs: call.endMs === undefined ? undefined : call.endMs - now,
    });
  };
  if (typeof review === "string") {
    observe("fault", review);
    return faultReply("bad-request", review);
  }
  if (call.webhook === "canary") {
    observe("allowed", "");
    return allowReply(review.uid, [ports.canary(review.raw)]);
  }
  const { object } = review.request;
  const { errors, warnings } = object === null ? { errors: [], warnings: [] } : ports.review(object);
  if (errors.length > 0) {
    const message = errors.join("; ");
    observe("denied", message);
    return denyReply(review.uid, message);
  }
  observe("allowed", "");
  return allowReply(review.uid, warnings);
}
