/**
 * Days and civil dates of the proleptic Gregorian calendar, in plain arithmetic: the pure rings have no clock and no
 * `Date`. Day 0 is 1970-01-01. Nothing here knows of time zones.
 * SPEC: Go time `Date`, `Time.Date`, `Time.Weekday` in UTC.
 */

/** Month 1 to 12, day 1 to 31. */
export type CivilDate = { readonly year: number; readonly month: number; readonly day: number };

const DAYS_IN_ERA = 146_097;
/** From 0000-03-01, where a cycle of leap years begins, to 1970-01-01. */
const ERA_OFFSET = 719_468;

/** Days since 1970-01-01; a day beyond the month's end counts on. */
export function daysFromCivil({ year, month, day }: CivilDate): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_IN_ERA + dayOfEra - ERA_OFFSET;
}

export function civilFromDays(days: number): CivilDate {
  const shifted = days + ERA_OFFSET;
  const era = Math.floor(shifted / DAYS_IN_ERA);
  const dayOfEra = shifted - era * DAYS_IN_ERA;
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1 };
}

/** 0 is Sunday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

export function daysInMonth(year: number, month: number): number {
  const next = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
  return daysFromCivil(next) - daysFromCivil({ year, month, day: 1 });
}
