/**
 * Points in time to the nanosecond, with the offset that they are shown in. The pure rings have no Date; the calendar
 * is `#text`'s.
 * SPEC: time `Time`, `Format(RFC3339)`, `Truncate`, `Sub`.
 */
import { civilFromDays, daysFromCivil, weekday } from "#text";

export type Instant = {
  /** Since 1970-01-01T00:00:00Z. */
  readonly nanoseconds: bigint;
  /** Seconds east of UTC. */
  readonly offset: number;
};

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400;

export type Clock = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
};

/** @param offset seconds east of UTC that the clock shows */
export function instantAt(clock: Clock, offset: number): Instant {
  const seconds =
    daysFromCivil(clock) * DAY_SECONDS + clock.hour * 3600 + clock.minute * 60 + clock.second - offset;
  return { nanoseconds: BigInt(seconds) * SECOND + BigInt(clock.nanosecond), offset };
}

export function instantFromMs(milliseconds: number): Instant {
  return { nanoseconds: BigInt(Math.floor(milliseconds)) * 1_000_000n, offset: 0 };
}

export function instantFromSeconds(seconds: bigint): Instant {
  return { nanoseconds: seconds * SECOND, offset: 0 };
}

/** RFC 3339 with whole seconds, cut off. */
export function formatInstant(instant: Instant): string {
  const { year, month, day, seconds } = shown(instant);
  const sign = year < 0 ? "-" : "";
  const date = `${sign}${String(Math.abs(year)).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${date}T${time}${formatOffset(instant.offset)}`;
}

/** `minute hour day month weekday`, as the clock shows them. */
export function formatAsCron(instant: Instant): string {
  const { days, month, day, seconds } = shown(instant);
  return `${Math.floor(seconds / 60) % 60} ${Math.floor(seconds / 3600)} ${day} ${month} ${weekday(days)}`;
}

type Shown = {
  readonly days: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Of the day. */
  readonly seconds: number;
};

function shown({ nanoseconds, offset }: Instant): Shown {
  const all = Number(floorDivide(nanoseconds, SECOND)) + offset;
  const days = Math.floor(all / DAY_SECONDS);
  return { days, ...civilFromDays(days), seconds: all - days * DAY_SECONDS };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function formatOffset(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** From Go's zero time, the beginning of year 1, to 1970. */
const ZERO_TIME = 62_135_596_800n * SECOND;

/** Down to a multiple of `step` since year 1; a step of zero or less changes nothing. */
export function truncateInstant(instant: Instant, step: bigint): Instant {
  if (step <= 0n) return instant;
  const since = instant.nanoseconds + ZERO_TIME;
  return { ...instant, nanoseconds: floorDivide(since, step) * step - ZERO_TIME };
}

const MAX = (1n << 63n) - 1n;
const MIN = -(1n << 63n);

/** `later` less `earlier` in nanoseconds, held within an int64. */
export function between(earlier: Instant, later: Instant): bigint {
  const difference = later.nanoseconds - earlier.nanoseconds;
  if (difference > MAX) return MAX;
  return difference < MIN ? MIN : difference;
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
