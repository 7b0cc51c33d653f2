/**
 * Cron expressions of five to seven fields, as the controllers read them: seconds first if there are seven, a year last
 * if there are more than five; `L`, `LW`, `15W` for days of the month, `5L`, `5#3` for days of the week, and names for
 * whole expressions (`@daily`), which are replaced wherever they stand. Fields beyond the seventh are ignored.
 * SPEC: supercronic cronexpr `Parse`, `domFieldHandler`, `dowFieldHandler`.
 */
import type { CronError, Field } from "./field.ts";
import { fieldError, fields, parseEntries, parseValues, span } from "./field.ts";

export type Cron = {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: readonly number[];
  readonly years: readonly number[];
  readonly daysOfMonth: DaysOfMonth;
  readonly daysOfWeek: DaysOfWeek;
};

export type DaysOfMonth = {
  /** Not `*`. */
  readonly restricted: boolean;
  readonly days: ReadonlySet<number>;
  /** `15W`: the weekday nearest to the day. */
  readonly nearestWeekdays: ReadonlySet<number>;
  readonly last: boolean;
  readonly lastWeekday: boolean;
};

export type DaysOfWeek = {
  readonly restricted: boolean;
  /** 0 is Sunday. */
  readonly days: ReadonlySet<number>;
  /** `5L`: the last Friday. */
  readonly lastDays: ReadonlySet<number>;
  /** `5#3`, the third Friday, is `2 * 7 + 5`. */
  readonly numbered: ReadonlySet<number>;
};

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 0 1 1 * *"],
  ["@annually", "0 0 0 1 1 * *"],
  ["@monthly", "0 0 0 1 * * *"],
  ["@weekly", "0 0 0 * * 0 *"],
  ["@daily", "0 0 0 * * * *"],
  ["@hourly", "0 0 * * * * *"],
]);

/** The expression, or upstream's complaint about its first bad field. */
export function parseCron(text: string): Cron | CronError {
  const plain = text.replace(/@[a-z]+/g, expandAlias);
  const words = plain.match(/[^\t\n\f\r ]+/g) ?? [];
  if (words.length < 5) return { error: "missing field(s)" };
  const withSeconds = words.length >= 7 ? words : ["0", ...words];
  const times = parseTimes(withSeconds);
  if ("error" in times) return times;
  const dates = parseDates(withSeconds.slice(3));
  return "error" in dates ? dates : { ...times, ...dates };
}

/** The longest alias that the word starts with; none is the start of another. */
function expandAlias(word: string): string {
  for (const [name, expression] of ALIASES) {
    if (word.startsWith(name)) return expression + word.slice(name.length);
  }
  return word;
}

function parseTimes(words: readonly string[]): Pick<Cron, "seconds" | "minutes" | "hours"> | CronError {
  const [second = "", minute = "", hour = ""] = words;
  const seconds = parseValues(second, fields.second);
  if ("error" in seconds) return seconds;
  const minutes = parseValues(minute, fields.minute);
  if ("error" in minutes) return minutes;
  const hours = parseValues(hour, fields.hour);
  return "error" in hours ? hours : { seconds, minutes, hours };
}

type Dates = Pick<Cron, "daysOfMonth" | "months" | "daysOfWeek" | "years">;

function parseDates(words: readonly string[]): Dates | CronError {
  const [day = "", month = "", dayOfWeek = "", year = "*"] = words;
  const daysOfMonth = parseDaysOfMonth(day);
  if ("error" in daysOfMonth) return daysOfMonth;
  const months = parseValues(month, fields.month);
  if ("error" in months) return months;
  const daysOfWeek = parseDaysOfWeek(dayOfWeek);
  if ("error" in daysOfWeek) return daysOfWeek;
  const years = parseValues(year, fields.year);
  return "error" in years ? years : { daysOfMonth, months, daysOfWeek, years };
}

function parseDaysOfMonth(text: string): DaysOfMonth | CronError {
  const field = fields.dayOfMonth;
  const special = { nearestWeekdays: new Set<number>(), last: false, lastWeekday: false };
  const common = parseDays(text, field, (word) => {
    if (word === "l") special.last = true;
    else if (word === "lw") special.lastWeekday = true;
    else return addIfValue(special.nearestWeekdays, word.endsWith("w") ? word.slice(0, -1) : "", field);
    return true;
  });
  return "error" in common ? common : { ...common, ...special };
}

function parseDaysOfWeek(text: string): DaysOfWeek | CronError {
  const field = fields.dayOfWeek;
  const special = { lastDays: new Set<number>(), numbered: new Set<number>() };
  const common = parseDays(text, field, (word) => {
    if (word.endsWith("l")) return addIfValue(special.lastDays, word.slice(0, -1), field);
    const [day = "", week = "", ...rest] = word.split("#");
    const value = field.valueOf(day);
    if (value === undefined || !/^[1-5]$/.test(week) || rest.length > 0) return false;
    special.numbered.add((Number(week) - 1) * 7 + value);
    return true;
  });
  return "error" in common ? common : { ...common, ...special };
}

/** @param special takes a word in lower case that is no value, and says whether it knows it */
function parseDays(
  text: string,
  field: Field,
  special: (word: string) => boolean,
): { readonly restricted: boolean; readonly days: ReadonlySet<number> } | CronError {
  const entries = parseEntries(text, field);
  if ("error" in entries) return entries;
  const days = new Set<number>();
  let restricted = true;
  for (const entry of entries) {
    if (entry.kind === "other") {
      if (!special(entry.text.toLowerCase())) return fieldError(field, entry.text);
      continue;
    }
    if (entry.kind === "all") restricted = false;
    const values = entry.kind === "all" ? span(field.min, field.max, 1) : entry.values;
    for (const value of values) days.add(value);
  }
  return { restricted, days };
}

function addIfValue(values: Set<number>, text: string, field: Field): boolean {
  const value = field.valueOf(text);
  if (value === undefined) return false;
  values.add(value);
  return true;
}
