/**
 * Durations in conditions. A text is one where Go reads it as one; a number is one, of whole seconds, where the other
 * side of the comparison is a text that is one. Both are kept as nanoseconds in an int64, which wraps as Go's does.
 * SPEC: Kyverno 1.19 pkg/engine/variables/operator/operator.go (parseDuration), duration.go.
 */
import type { TypedJson } from "#json";
import { durationSeconds, parseDuration } from "#text";

const SECOND = 1_000_000_000n;
const MIN_INT64 = -(2n ** 63n);

/** Nanoseconds of a number of seconds. Fractions are cut off. */
export function secondsOfNumber(value: number | bigint): bigint {
  return BigInt.asIntN(64, (typeof value === "bigint" ? value : toInt64(value)) * SECOND);
}

/** What a float64 that is out of range, or none, becomes is what Go makes of it on amd64. */
export function toInt64(value: number): bigint {
  return value >= -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : MIN_INT64;
}

/** `0` alone is a number, not a duration, where both are possible. */
export function parseOwnDuration(text: string): bigint | undefined {
  return text === "0" ? undefined : parseDuration(text);
}

/** Both sides in seconds, as the operators that know more than durations compare them. */
export type SecondsPair = { readonly key: number; readonly value: number };

/**
 * The pair where at least one side is a text that is a duration and the other is one, too, or a number.
 * @param valueDuration what `parseOwnDuration` says of the value, where that is a text
 */
export function pairSeconds(
  key: TypedJson,
  value: TypedJson,
  valueDuration: bigint | undefined,
): SecondsPair | undefined {
  const keyDuration = typeof key === "string" ? parseOwnDuration(key) : undefined;
  if (keyDuration === undefined && valueDuration === undefined) return undefined;
  const left = keyDuration ?? numberSeconds(key);
  const right = valueDuration ?? numberSeconds(value);
  if (left === undefined || right === undefined) return undefined;
  return { key: durationSeconds(left), value: durationSeconds(right) };
}

function numberSeconds(value: TypedJson): bigint | undefined {
  return typeof value === "number" || typeof value === "bigint" ? secondsOfNumber(value) : undefined;
}
