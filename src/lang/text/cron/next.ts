/**
 * When a cron expression fires next. Each part of the time is either kept, or moved to its next allowed value with
 * everything below it at its first; the search ends with the last year of the expression.
 * SPEC: supercronic cronexpr `Expression.Next`.
 */
import { civilFromDays, daysFromCivil } from "../calendar.ts";
import { firingDays } from "./days.ts";
import type { Cron } from "./parse.ts";

const DAY_MS = 86_400_000;

/**
 * The first instant after `afterMs` (milliseconds since 1970), or `undefined` if there is none until 2099.
 * @param offsetMinutes of the clock that the expression is read by, east of UTC positive
 */
export function nextCron(cron: Cron, afterMs: number, offsetMinutes = 0): number | undefined {
  // an interval like `9-5/2` is empty; upstream crashes on it
  if (cron.hours.length * cron.minutes.length * cron.seconds.length === 0) return undefined;
  const offsetMs = offsetMinutes * 60_000;
  const local = Math.floor((afterMs + offsetMs) / 1000) * 1000;
  const today = Math.floor(local / DAY_MS);
  const laterToday = nextTime(cron, Math.floor((local - today * DAY_MS) / 1000));
  const { year, month, day } = civilFromDays(today);
  const fires = laterToday !== undefined && isFiringDay(cron, year, month, day);
  const date = fires ? { year, month, day } : nextDate(cron, year, month, day);
  if (date === undefined) return undefined;
  const time = fires ? laterToday : firstTime(cron);
  return daysFromCivil(date) * DAY_MS + time * 1000 - offsetMs;
}

function isFiringDay(cron: Cron, year: number, month: number, day: number): boolean {
  return (
    cron.years.includes(year) && cron.months.includes(month) && firingDays(cron, year, month).includes(day)
  );
}

type FiringDate = { readonly year: number; readonly month: number; readonly day: number };

/** The first day after the given one. */
function nextDate(cron: Cron, fromYear: number, fromMonth: number, fromDay: number): FiringDate | undefined {
  for (const year of cron.years) {
    if (year < fromYear) continue;
    for (const month of cron.months) {
      if (year === fromYear && month < fromMonth) continue;
      const after = year === fromYear && month === fromMonth ? fromDay : 0;
      const day = firingDays(cron, year, month).find((candidate) => candidate > after);
      if (day !== undefined) return { year, month, day };
    }
  }
  return undefined;
}

/** Seconds since midnight. */
function firstTime(cron: Cron): number {
  return toSeconds(cron.hours[0], cron.minutes[0], cron.seconds[0]);
}

/** The first time of day after `after`, if the day has one left. */
function nextTime(cron: Cron, after: number): number | undefined {
  const hour = Math.floor(after / 3600);
  const minute = Math.floor(after / 60) % 60;
  const second = after % 60;
  if (cron.hours.includes(hour)) {
    const nextSecond = cron.minutes.includes(minute)
      ? cron.seconds.find((value) => value > second)
      : undefined;
    if (nextSecond !== undefined) return toSeconds(hour, minute, nextSecond);
    const nextMinute = cron.minutes.find((value) => value > minute);
    if (nextMinute !== undefined) return toSeconds(hour, nextMinute, cron.seconds[0]);
  }
  const nextHour = cron.hours.find((value) => value > hour);
  return nextHour === undefined ? undefined : toSeconds(nextHour, cron.minutes[0], cron.seconds[0]);
}

function toSeconds(hour = 0, minute = 0, second = 0): number {
  return hour * 3600 + minute * 60 + second;
}
