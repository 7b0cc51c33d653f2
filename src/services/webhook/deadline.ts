/**
 * When an answer is due. The API server says how long it waits (`?timeout=`); an answer that comes later than that is
 * none, and the API server's failurePolicy acts on a silence that says nothing. So the gate gives up a little before,
 * with an answer that says why.
 * SPEC: apiserver plugin/webhook dispatcher: `timeout` is a Go duration, the webhook's timeoutSeconds or what is left of
 * the request's own time.
 */
import { parseDuration } from "#text";

/** What the API server waits where it does not say. */
const DEFAULT_MS = 10_000;

/** The part of the time that is kept for the way back, and its bounds. */
const MARGIN = 0.1;
const LEAST_MARGIN_MS = 50;
const MOST_MARGIN_MS = 1000;

/** PERF: an API server says the same every time. */
const known = new Map<string, number | undefined>();
const MAX_KNOWN = 100;

/** Milliseconds that the API server waits; `undefined` where it named none that can be read. */
export function timeoutIn(query: string): number | undefined {
  const given = /(?:^|&)timeout=([^&]*)/.exec(query)?.[1];
  if (given === undefined) return undefined;
  if (known.has(given)) return known.get(given);
  const nanoseconds = parseDuration(given);
  const read = nanoseconds === undefined || nanoseconds <= 0n ? undefined : Number(nanoseconds / 1_000_000n);
  if (known.size < MAX_KNOWN) known.set(given, read);
  return read;
}

/** Milliseconds from the arrival of a request until its answer must be on its way. */
export function timeToAnswer(timeoutMs: number | undefined): number {
  const whole = timeoutMs ?? DEFAULT_MS;
  const margin = Math.min(MOST_MARGIN_MS, Math.max(LEAST_MARGIN_MS, whole * MARGIN));
  return Math.max(1, whole - margin);
}
