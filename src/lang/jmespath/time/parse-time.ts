/**
 * A text to a point in time by a layout, with Go's errors to the letter: which part of the text could not be read as
 * which part of the layout. The weekday is read and not compared; a zone by name has no offset.
 * SPEC: time `parse`.
 */
import { daysInMonth, quoteBytes } from "#text";
import { readers } from "./element-readers.ts";
import type { Fields } from "./fields.ts";
import { noFields } from "./fields.ts";
import type { Instant } from "./instant.ts";
import { instantAt } from "./instant.ts";
import { nextChunk } from "./layout.ts";

export const RFC3339 = "2006-01-02T15:04:05Z07:00";

export type TimeError = { readonly error: string };

/** UTC unless the text says otherwise. */
export function parseTime(layout: string, text: string): Instant | TimeError {
  const fields = readFields(layout, text);
  if ("error" in fields) return fields;
  const date = dateOf(fields);
  if (typeof date === "string") return { error: `parsing time ${quoteBytes(text)}: ${date}` };
  const clock = {
    year: fields.year,
    ...date,
    hour: hourOf(fields),
    minute: fields.minute,
    second: fields.second,
    nanosecond: fields.nanosecond,
  };
  return instantAt(clock, fields.offset ?? 0);
}

function readFields(layout: string, text: string): Fields | TimeError {
  let fields: Fields = noFields;
  let left = layout;
  let value = text;
  while (true) {
    const chunk = nextChunk(left);
    const skipped = skipLiteral(value, chunk.prefix);
    if ("stuckAt" in skipped) return cannotParse(layout, text, skipped.stuckAt, skipped.wanted);
    value = skipped.rest;
    const { element } = chunk;
    if (element === undefined) {
      return value === ""
        ? fields
        : { error: `parsing time ${quoteBytes(text)}: extra text: ${quoteBytes(value)}` };
    }
    left = chunk.rest;
    const read = readers[element.kind](value, element.text, left);
    if (read === undefined) return cannotParse(layout, text, value, element.text);
    if ("outOfRange" in read)
      return { error: `parsing time ${quoteBytes(text)}: ${read.outOfRange} out of range` };
    fields = { ...fields, ...read.fields };
    value = read.rest;
  }
}

function cannotParse(layout: string, text: string, value: string, element: string): TimeError {
  const parts = `cannot parse ${quoteBytes(value)} as ${quoteBytes(element)}`;
  return { error: `parsing time ${quoteBytes(text)} as ${quoteBytes(layout)}: ${parts}` };
}

type Skipped = { readonly rest: string } | { readonly stuckAt: string; readonly wanted: string };

/** One or more spaces stand for any number of them; the end of the text will do as well. */
function skipLiteral(value: string, prefix: string): Skipped {
  let rest = value;
  let wanted = prefix;
  while (wanted !== "") {
    if (wanted.startsWith(" ")) {
      if (rest !== "" && !rest.startsWith(" ")) return { stuckAt: rest, wanted: prefix };
      wanted = wanted.replace(/^ +/, "");
      rest = rest.replace(/^ +/, "");
    } else {
      if (rest.charAt(0) !== wanted.charAt(0)) return { stuckAt: rest, wanted: prefix };
      wanted = wanted.slice(1);
      rest = rest.slice(1);
    }
  }
  return { rest };
}

function hourOf({ half, hour }: Fields): number {
  if (half === "pm" && hour < 12) return hour + 12;
  return half === "am" && hour === 12 ? 0 : hour;
}

type MonthAndDay = { readonly month: number; readonly day: number };

/** Month and day, or what is wrong with them. */
function dateOf(fields: Fields): MonthAndDay | string {
  const date = fields.yearDay === undefined ? plainDate(fields) : fromYearDay(fields, fields.yearDay);
  if (typeof date === "string") return date;
  const { month, day } = date;
  return day < 1 || day > daysInMonth(fields.year, month) ? "day out of range" : date;
}

function plainDate({ month, day }: Fields): MonthAndDay {
  return { month: month ?? 1, day: day ?? 1 };
}

function fromYearDay(fields: Fields, yearDay: number): MonthAndDay | string {
  let month = 1;
  let day = yearDay;
  while (month <= 12 && day > daysInMonth(fields.year, month)) {
    day -= daysInMonth(fields.year, month);
    month++;
  }
  if (yearDay < 1 || month > 12) return "day-of-year out of range";
  if (fields.month !== undefined && fields.month !== month) return "day-of-year does not match month";
  if (fields.day !== undefined && fields.day !== day) return "day-of-year does not match day";
  return { month, day };
}
