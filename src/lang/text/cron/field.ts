/**
 * One field of a cron expression as the controllers read it: a list of `*`, `?`, `5`, `5-9`, and with a step `5-9/2` or
 * `5/2`; empty entries are ignored. What a field does not understand is handed to the caller, because the two fields of
 * days know more words.
 * SPEC: supercronic cronexpr `genericFieldParse`, `genericFieldHandler`.
 */

export type Field = {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** The number of a value, `undefined` for what is none. Lower case. */
  readonly valueOf: (text: string) => number | undefined;
};

/** The values of an entry; `all` is `*` or `?`. */
export type Entry =
  | { readonly kind: "all" }
  | { readonly kind: "values"; readonly values: readonly number[] }
  | { readonly kind: "other"; readonly text: string };

export type CronError = { readonly error: string };

const MONTHS = words("january february march april may june july august september october november december");
const DAYS = words("sunday monday tuesday wednesday thursday friday saturday");

type FieldName = "second" | "minute" | "hour" | "dayOfMonth" | "month" | "dayOfWeek" | "year";

export const fields: Readonly<Record<FieldName, Field>> = {
  second: numeric("second", 0, 59),
  minute: numeric("minute", 0, 59),
  hour: numeric("hour", 0, 23),
  dayOfMonth: numeric("day-of-month", 1, 31),
  month: { ...numeric("month", 1, 12), valueOf: monthOf },
  dayOfWeek: { ...numeric("day-of-week", 0, 6), valueOf: dayOf },
  year: numeric("year", 1970, 2099),
};

/** Every entry of the field, or the first complaint about an interval. */
export function parseEntries(text: string, field: Field): readonly Entry[] | CronError {
  const parts = text.split(",").filter((part) => part !== "");
  if (parts.length === 0) return { error: `${field.name} field: missing directive` };
  const entries: Entry[] = [];
  for (const part of parts) {
    const entry = parseEntry(part, field);
    if ("error" in entry) return entry;
    entries.push(entry);
  }
  return entries;
}

/** Sorted values of a field that knows no further words. */
export function parseValues(text: string, field: Field): readonly number[] | CronError {
  const entries = parseEntries(text, field);
  if ("error" in entries) return entries;
  const values = new Set<number>();
  for (const entry of entries) {
    if (entry.kind === "other") return fieldError(field, entry.text);
    if (entry.kind === "all") return span(field.min, field.max, 1);
    for (const value of entry.values) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

export function fieldError(field: Field, text: string): CronError {
  return { error: `syntax error in ${field.name} field: '${text}'` };
}

export function span(first: number, last: number, step: number): readonly number[] {
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}

function parseEntry(text: string, field: Field): Entry | CronError {
  const entry = text.toLowerCase();
  if (entry === "*" || entry === "?") return { kind: "all" };
  const slash = entry.indexOf("/");
  const range = slash === -1 ? entry : entry.slice(0, slash);
  const ends = parseRange(range, field, slash !== -1);
  if (ends === undefined) return { kind: "other", text };
  if (slash === -1) {
    if (ends.last < ends.first) {
      return { error: `invalid interval ${entry} (normalized to ${ends.first}-${ends.last})` };
    }
    return { kind: "values", values: span(ends.first, ends.last, 1) };
  }
  const step = entry.slice(slash + 1);
  if (!/^\d+$/.test(step)) return { kind: "other", text };
  const size = stepOf(step);
  if (size < 1 || size > field.max) return { error: `invalid interval ${entry}` };
  return { kind: "values", values: span(ends.first, ends.last, size) };
}

type Ends = { readonly first: number; readonly last: number };

/** Before a step, `*` is everything and a single value starts an open range. */
function parseRange(text: string, field: Field, stepped: boolean): Ends | undefined {
  if (text === "*") return stepped ? { first: field.min, last: field.max } : undefined;
  const dash = text.indexOf("-");
  const first = field.valueOf(dash === -1 ? text : text.slice(0, dash));
  if (first === undefined) return undefined;
  if (dash === -1) return { first, last: stepped ? field.max : first };
  const last = field.valueOf(text.slice(dash + 1));
  return last === undefined ? undefined : { first, last };
}

/** SPEC: upstream looks steps up in its table of numbers: 0 to 59 and the years; all else counts as 0. */
function stepOf(text: string): number {
  const value = Number(text);
  if (text.length <= 2) return value <= 59 ? value : 0;
  return text.length === 4 && value >= 1970 && value <= 2099 ? value : 0;
}

function numeric(name: string, min: number, max: number): Field {
  const shape = max > 99 ? /^\d{4}$/ : /^\d{1,2}$/;
  const valueOf = (text: string): number | undefined => {
    const value = shape.test(text) ? Number(text) : -1;
    return value >= min && value <= max ? value : undefined;
  };
  return { name, min, max, valueOf };
}

/** WHY: upstream's table lacks `01`, which makes it 0 there and stops the schedule for ever; here it is January. */
function monthOf(text: string): number | undefined {
  const named = MONTHS.get(text);
  if (named !== undefined) return named + 1;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= 12 ? value : undefined;
}

/** 7 is Sunday too. SPEC: two digits are missing from upstream's table, where what is missing is 0: also Sunday. */
function dayOf(text: string): number | undefined {
  const named = DAYS.get(text);
  if (named !== undefined) return named;
  if (/^0[0-7]$/.test(text)) return 0;
  return /^[0-7]$/.test(text) ? Number(text) % 7 : undefined;
}

/** Whole words and their first three letters, numbered from 0. */
function words(list: string): ReadonlyMap<string, number> {
  const names = list.split(" ");
  return new Map([
    ...names.map((name, index): [string, number] => [name, index]),
    ...names.map((name, index): [string, number] => [name.slice(0, 3), index]),
  ]);
}
