/**
 * How many calls a purpose may make: a bucket of tokens for each, so that what policies or events ask for cannot use up
 * what the gate needs to stay registered and led. A call that has to wait waits in order.
 */
import type { CallPurpose } from "./contract.ts";

/** Calls a second, and how many may come at once after a quiet time. */
export type RateLimit = { readonly perSecond: number; readonly burst: number };

export const rateLimits: Readonly<Record<CallPurpose, RateLimit>> = {
  policy: { perSecond: 50, burst: 100 },
  watch: { perSecond: 20, burst: 50 },
  control: { perSecond: 20, burst: 50 },
  leader: { perSecond: 5, burst: 10 },
  status: { perSecond: 10, burst: 20 },
  event: { perSecond: 5, burst: 25 },
  command: { perSecond: 100, burst: 200 },
};

export type RateLimiter = {
  /** Takes a token: milliseconds until the call may go out, 0 for at once. */
  readonly reserve: (purpose: CallPurpose) => number;
};

export function createRateLimiter(
  nowMs: () => number,
  limits: Readonly<Record<CallPurpose, RateLimit>> = rateLimits,
): RateLimiter {
  const buckets = new Map<CallPurpose, { tokens: number; atMs: number }>();
  return {
    reserve(purpose) {
      const { perSecond, burst } = limits[purpose];
      const now = nowMs();
      const bucket = buckets.get(purpose) ?? { tokens: burst, atMs: now };
      // A clock that is set back gives no tokens and takes none.
      const gained = (Math.max(0, now - bucket.atMs) / 1000) * perSecond;
      const tokens = Math.min(burst, bucket.tokens + gained) - 1;
      buckets.set(purpose, { tokens, atMs: now });
      return tokens >= 0 ? 0 : Math.ceil((-tokens / perSecond) * 1000);
    },
  };
}
