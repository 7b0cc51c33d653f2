/**
 * The days of one month on which a cron expression fires. If both kinds of days are restricted, either is enough.
 * SPEC: supercronic cronexpr `calculateActualDaysOfMonth`, `workdayOfMonth`, in the version that Kyverno 1.19 uses.
 */
import { daysFromCivil, daysInMonth, weekday } from "../calendar.ts";
import type { Cron, DaysOfMonth, DaysOfWeek } from "./parse.ts";

type Month = {
  /** Weekday of the first. */
  readonly first: number;
  /** Number of days. */
  readonly length: number;
};

const SATURDAY = 6;
const SUNDAY = 0;

/** Sorted. */
export function firingDays(cron: Cron, year: number, month: number): readonly number[] {
  const shape = {
    first: weekday(daysFromCivil({ year, month, day: 1 })),
    length: daysInMonth(year, month),
  };
  const { daysOfMonth, daysOfWeek } = cron;
  const everyDay = !daysOfMonth.restricted && !daysOfWeek.restricted;
  const days: number[] = [];
  for (let day = 1; day <= shape.length; day++) {
    const fires =
      everyDay ||
      (daysOfMonth.restricted && isDayOfMonth(daysOfMonth, day, shape)) ||
      (daysOfWeek.restricted && isDayOfWeek(daysOfWeek, day, shape));
    if (fires) days.push(day);
  }
  return days;
}

function isDayOfMonth(days: DaysOfMonth, day: number, month: Month): boolean {
  if (days.days.has(day) || (days.last && day === month.length)) return true;
  if (days.lastWeekday && day === nearestWeekday(month.length, month)) return true;
  for (const target of days.nearestWeekdays) {
    if (target <= month.length && nearestWeekday(target, month) === day) return true;
  }
  return false;
}

function isDayOfWeek(days: DaysOfWeek, day: number, month: Month): boolean {
  const name = weekdayOf(day, month);
  if (days.days.has(name)) return true;
  if (days.lastDays.has(name) && day > month.length - 7) return true;
  return days.numbered.has(Math.floor((day - 1) / 7) * 7 + name);
}

/** Saturday gives way to Friday and Sunday to Monday, within the month. */
function nearestWeekday(day: number, month: Month): number {
  const name = weekdayOf(day, month);
  if (name === SATURDAY) return day > 1 ? day - 1 : day + 2;
  if (name === SUNDAY) return day < month.length ? day + 1 : day - 2;
  return day;
}

function weekdayOf(day: number, month: Month): number {
  return (month.first + day - 1) % 7;
}
