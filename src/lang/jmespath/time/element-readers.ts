/**
 * How each element of a layout is read from a text: one reader an element. A reader gives the fields and what is left
 * of the text, says that a number is out of range, or gives nothing where the text does not fit.
 * SPEC: time `parse`, `getnum`, `getnum3`, `lookup`, `parseTimeZone`, `parseNanoseconds`.
 */
import type { Fields } from "./fields.ts";
import type { ElementKind } from "./layout.ts";
import { nextChunk } from "./layout.ts";

export type ElementRead =
  | { readonly fields: Partial<Fields>; readonly rest: string }
  | { readonly outOfRange: string };

/** @param element as the layout has it; `following` is the layout behind it */
export type ElementReader = (value: string, element: string, following: string) => ElementRead | undefined;

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export const readers: Readonly<Record<ElementKind, ElementReader>> = {
  year: (value) => digits(value, 2, (year) => ({ year: year >= 69 ? 1900 + year : 2000 + year })),
  "long-year": (value) => digits(value, 4, (year) => ({ year })),
  month: (value) => named(value, MONTHS, 3),
  "long-month": (value) => named(value, MONTHS),
  weekday: (value) => ignoring(named(value, WEEKDAYS, 3)),
  "long-weekday": (value) => ignoring(named(value, WEEKDAYS)),
  "zero-month": (value) => inRange(value, true, [1, 12, "month"], (month) => ({ month })),
  "number-month": (value) => inRange(value, false, [1, 12, "month"], (month) => ({ month })),
  "zero-day": (value) => inRange(value, true, ANY_NUMBER, (day) => ({ day })),
  day: (value) => inRange(value, false, ANY_NUMBER, (day) => ({ day })),
  "under-day": (value) => inRange(withoutSpaces(value, 1), false, ANY_NUMBER, (day) => ({ day })),
  "zero-year-day": (value) => yearDay(value, true),
  "under-year-day": (value) => yearDay(withoutSpaces(value, 2), false),
  hour: (value) => inRange(value, false, [0, 23, "hour"], (hour) => ({ hour })),
  "zero-hour12": (value) => inRange(value, true, [0, 12, "hour"], (hour) => ({ hour })),
  hour12: (value) => inRange(value, false, [0, 12, "hour"], (hour) => ({ hour })),
  "zero-minute": (value) => inRange(value, true, [0, 59, "minute"], (minute) => ({ minute })),
  minute: (value) => inRange(value, false, [0, 59, "minute"], (minute) => ({ minute })),
  "zero-second": (value, _, following) => second(value, true, following),
  second: (value, _, following) => second(value, false, following),
  "upper-half": (value) => half(value, "AM", "PM"),
  "lower-half": (value) => half(value, "am", "pm"),
  zone,
  offset: (value) => offset(value, /^(.)(..)(..)/s),
  "offset-short": (value) => offset(value, /^(.)(..)/s),
  "offset-colon": (value) => offset(value, /^(.)(..):(..)/s),
  "offset-seconds": (value) => offset(value, /^(.)(..)(..)(..)/s),
  "offset-colon-seconds": (value) => offset(value, /^(.)(..):(..):(..)/s),
  iso: (value) => zulu(value) ?? offset(value, /^(.)(..)(..)/s),
  "iso-short": (value) => zulu(value) ?? offset(value, /^(.)(..)/s),
  "iso-colon": (value) => zulu(value) ?? offset(value, /^(.)(..):(..)/s),
  "iso-seconds": (value) => zulu(value) ?? offset(value, /^(.)(..)(..)(..)/s),
  "iso-colon-seconds": (value) => zulu(value) ?? offset(value, /^(.)(..):(..):(..)/s),
  "fraction-exact": (value, element) => exactFraction(value, element.length),
  "fraction-any": (value) => leadingFraction(value) ?? { fields: {}, rest: value },
};

function digits(
  value: string,
  count: number,
  fields: (number: number) => Partial<Fields>,
): ElementRead | undefined {
  const text = value.slice(0, count);
  if (text.length < count || !/^\d+$/.test(text)) return undefined;
  return { fields: fields(Number(text)), rest: value.slice(count) };
}

/** @param letters how many of each name count */
function named(value: string, names: readonly string[], letters?: number): ElementRead | undefined {
  for (const [index, name] of names.entries()) {
    const wanted = name.slice(0, letters);
    const found = value.slice(0, wanted.length);
    if (found.toLowerCase() === wanted.toLowerCase()) {
      return { fields: { month: index + 1 }, rest: value.slice(wanted.length) };
    }
  }
  return undefined;
}

function ignoring(read: ElementRead | undefined): ElementRead | undefined {
  return read !== undefined && "rest" in read ? { fields: {}, rest: read.rest } : read;
}

type Limits = readonly [least: number, most: number, name: string];

const ANY_NUMBER: Limits = [0, 99, ""];

/** One or two digits; `fixed`: two. */
function inRange(
  value: string,
  fixed: boolean,
  [least, most, name]: Limits,
  fields: (number: number) => Partial<Fields>,
): ElementRead | undefined {
  const found = (fixed ? /^\d\d/ : /^\d\d?/).exec(value);
  if (found === null) return undefined;
  const number = Number(found[0]);
  if (number < least || number > most) return { outOfRange: name };
  return { fields: fields(number), rest: value.slice(found[0].length) };
}

function yearDay(value: string, fixed: boolean): ElementRead | undefined {
  const found = (fixed ? /^\d{3}/ : /^\d{1,3}/).exec(value);
  if (found === null) return undefined;
  return { fields: { yearDay: Number(found[0]) }, rest: value.slice(found[0].length) };
}

function withoutSpaces(value: string, most: number): string {
  let at = 0;
  while (at < most && value.charAt(at) === " ") at++;
  return value.slice(at);
}

/** A fraction may follow although the layout has none. */
function second(value: string, fixed: boolean, following: string): ElementRead | undefined {
  const read = inRange(value, fixed, [0, 59, "second"], (seconds) => ({ second: seconds }));
  if (read === undefined || "outOfRange" in read) return read;
  const next = nextChunk(following).element?.kind;
  if (next === "fraction-exact" || next === "fraction-any") return read;
  const fraction = leadingFraction(read.rest);
  if (fraction === undefined || "outOfRange" in fraction) return fraction ?? read;
  return { fields: { ...read.fields, ...fraction.fields }, rest: fraction.rest };
}

function leadingFraction(value: string): ElementRead | undefined {
  const found = /^[.,]\d+/.exec(value);
  return found === null ? undefined : exactFraction(value, found[0].length);
}

/** Nine digits count. */
function exactFraction(value: string, length: number): ElementRead | undefined {
  const text = value.slice(0, length);
  if (text.length < length || !/^[.,]\d+$/.test(text)) return undefined;
  const nanosecond = Number(text.slice(1, 10).padEnd(9, "0"));
  return { fields: { nanosecond }, rest: value.slice(length) };
}

function half(value: string, before: string, after: string): ElementRead | undefined {
  const text = value.slice(0, 2);
  if (text !== before && text !== after) return undefined;
  return { fields: { half: text === after ? "pm" : "am" }, rest: value.slice(2) };
}

function zulu(value: string): ElementRead | undefined {
  return value.startsWith("Z") ? { fields: { offset: 0 }, rest: value.slice(1) } : undefined;
}

/** Offsets of 24 hours and 60 minutes are let through, as in Go. */
function offset(
  value: string,
  form: { readonly exec: (text: string) => RegExpExecArray | null },
): ElementRead | undefined {
  const found = form.exec(value);
  if (found === null) return undefined;
  const [whole, sign, ...parts] = found;
  if (!parts.every((part) => /^\d\d$/.test(part))) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = parts.map(Number);
  if (hours > 24) return { outOfRange: "time zone offset hour" };
  if (minutes > 60) return { outOfRange: "time zone offset minute" };
  if (seconds > 60) return { outOfRange: "time zone offset second" };
  if (sign !== "+" && sign !== "-") return undefined;
  const size = (hours * 60 + minutes) * 60 + seconds;
  return { fields: { offset: sign === "-" ? -size : size }, rest: value.slice(whole.length) };
}

/** Names of zones are told by their form; but for `UTC` and `GMT+3` none has an offset. */
function zone(value: string): ElementRead | undefined {
  const greenwich = /^GMT(?:([+-])(\d+))?/.exec(value);
  if (greenwich !== null) {
    const hours = Number(greenwich[2] ?? 0);
    if (hours > 23) return { fields: { offset: 0 }, rest: value.slice(3) };
    const size = hours * 3600;
    return {
      fields: { offset: greenwich[1] === "-" ? -size : size },
      rest: value.slice(greenwich[0].length),
    };
  }
  const length = zoneNameLength(value);
  return length === 0 ? undefined : { fields: { offset: 0 }, rest: value.slice(length) };
}

function zoneNameLength(value: string): number {
  if (value.startsWith("UTC")) return 3;
  if (value.startsWith("ChST") || value.startsWith("MeST")) return 4;
  const signed = /^[+-](\d+)/.exec(value);
  if (signed !== null) return value.length >= 3 && Number(signed[1]) <= 23 ? signed[0].length : 0;
  const letters = /^[A-Z]*/.exec(value)?.[0] ?? "";
  if (letters.length === 3) return 3;
  if (letters.length === 4) return letters.endsWith("T") || letters === "WITA" ? 4 : 0;
  return letters.length === 5 && letters.endsWith("T") ? 5 : 0;
}
