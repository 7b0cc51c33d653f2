/**
 * When a call is made again, and how long after. Repeated is what the server did not take in, and what comes to the same
 * when it is done twice; a call that may have been done, and would then be done twice, never.
 * SPEC: RFC 9110 sections 9.2.2 (idempotent methods), 10.2.3 (Retry-After).
 */
import type { KubeCall } from "./contract.ts";
import { KubeError } from "./kube-error.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** Patches that say how an object is to be, and not what is to be added to it. */
const settingPatches: ReadonlySet<string> = new Set([
  "application/apply-patch+yaml",
  "application/merge-patch+json",
]);

export function mayRepeat(call: KubeCall, error: unknown): error is KubeError {
  if (!(error instanceof KubeError) || !error.retryable) return false;
  // An election tries again by itself; a lease that is written late, behind its back, is worse than none.
  if (call.once === true || call.purpose === "leader") return false;
  if (call.method === "GET") return true;
  // With Retry-After the server turned it away unread. Without, 429 may be the verdict (a disruption budget's, say).
  if (error.status === 429) return error.retryAfterSeconds !== undefined;
  return isIdempotent(call) && (error.status === 503 || error.status === 0);
}

function isIdempotent({ method, contentType = "" }: KubeCall): boolean {
  return method === "PUT" || method === "DELETE" || (method === "PATCH" && settingPatches.has(contentType));
}

/**
 * Milliseconds; longer each time, never in step with others, never before the server wants to hear from us.
 * @param attempt attempts before this one failed, from 0
 * @param random 0 to 1
 */
export function pauseMs(error: KubeError, attempt: number, random: number): number {
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + random);
  // What a server asks of many clients at once is spread as well.
  const wantedMs = (error.retryAfterSeconds ?? 0) * 1000;
  return wantedMs === 0 ? growing : wantedMs + random * FIRST_PAUSE_MS * 2;
}

/** Seconds in a Retry-After header, which has them or a date; `undefined` where it says nothing of use. */
export function afterSeconds(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - nowMs) / 1000);
  return seconds > 0 ? seconds : undefined;
}
