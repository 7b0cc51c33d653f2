/**
 * Functions on points in time. Texts are RFC 3339 where no layout is given, results RFC 3339 with whole seconds or Go
 * durations. The present is the run's, in UTC.
 */
import type { Json } from "#json";
import { durationError, formatDuration, parseDuration } from "#text";
import { QueryError, failed } from "../query-error.ts";
import {
  between,
  formatAsCron,
  formatInstant,
  instantFromMs,
  instantFromSeconds,
  truncateInstant,
} from "../time/instant.ts";
import type { Instant } from "../time/instant.ts";
import { RFC3339, parseTime } from "../time/parse-time.ts";
import type { FunctionDefinition } from "./definition.ts";
import { STRING, textAt } from "./definition.ts";

const timeAdd: FunctionDefinition = {
  name: "time_add",
  parameters: [STRING, STRING],
  returns: ["string"],
  note: "a time and a duration added; the result keeps the offset of the time",
  call: (args) =>
    withDuration(args, (time, duration) => ({ ...time, nanoseconds: time.nanoseconds + duration })),
};

const timeTruncate: FunctionDefinition = {
  name: "time_truncate",
  parameters: [STRING, STRING],
  returns: ["string"],
  note: "a time cut down to a multiple of a duration",
  call: (args) => withDuration(args, truncateInstant),
};

function withDuration(
  args: readonly Json[],
  change: (time: Instant, duration: bigint) => Instant,
): Json | QueryError {
  const time = instantOf(textAt(args, 0));
  if (time instanceof QueryError) return time;
  const duration = parseDuration(textAt(args, 1));
  if (duration === undefined) return failed(durationError(textAt(args, 1)) ?? "");
  return formatInstant(change(time, duration));
}

const timeDiff: FunctionDefinition = {
  name: "time_diff",
  parameters: [STRING, STRING],
  returns: ["string"],
  note: "the duration from the first time to the second",
  call: (args) => withTimes(args, ([first, second]) => formatDuration(between(first, second))),
};

const timeBefore: FunctionDefinition = {
  name: "time_before",
  parameters: [STRING, STRING],
  returns: ["boolean"],
  note: "whether the first time is before the second",
  call: (args) => withTimes(args, ([first, second]) => first.nanoseconds < second.nanoseconds),
};

const timeAfter: FunctionDefinition = {
  name: "time_after",
  parameters: [STRING, STRING],
  returns: ["boolean"],
  note: "whether the first time is after the second",
  call: (args) => withTimes(args, ([first, second]) => first.nanoseconds > second.nanoseconds),
};

const timeBetween: FunctionDefinition = {
  name: "time_between",
  parameters: [STRING, STRING, STRING],
  returns: ["boolean"],
  note: "whether the first time is after the second and before the third",
  call: (args) =>
    withTimes(
      args,
      ([time, start, end]) => time.nanoseconds > start.nanoseconds && time.nanoseconds < end.nanoseconds,
    ),
};

type Times = readonly [Instant, Instant, Instant];

/** The first error in the order of the arguments; a function of two times does not look at the third. */
function withTimes(args: readonly Json[], answer: (times: Times) => Json): Json | QueryError {
  const times: Instant[] = [];
  for (let index = 0; index < args.length; index++) {
    const time = instantOf(textAt(args, index));
    if (time instanceof QueryError) return time;
    times.push(time);
  }
  const [first = EPOCH, second = EPOCH, third = EPOCH] = times;
  return answer([first, second, third]);
}

const EPOCH = instantFromSeconds(0n);

const timeSince: FunctionDefinition = {
  name: "time_since",
  parameters: [STRING, STRING, STRING],
  returns: ["string"],
  note: "the duration from the second argument to the third, both in a layout of Go's (RFC 3339 if empty); an empty third argument is the present",
  call: (args, run) => {
    const layout = textAt(args, 0) === "" ? RFC3339 : textAt(args, 0);
    const start = instantOf(textAt(args, 1), layout);
    if (start instanceof QueryError) return start;
    const end = textAt(args, 2) === "" ? instantFromMs(run.nowMs) : instantOf(textAt(args, 2), layout);
    return end instanceof QueryError ? end : formatDuration(between(start, end));
  },
};

const timeParse: FunctionDefinition = {
  name: "time_parse",
  parameters: [STRING, STRING],
  returns: ["string"],
  note: "a time from a text in a layout of Go's; with a whole number as layout, from seconds since 1970",
  call: (args) => {
    const [layout, text] = [textAt(args, 0), textAt(args, 1)];
    if (integerOf(layout) !== undefined) return fromEpoch(text);
    const time = instantOf(text, layout);
    return time instanceof QueryError ? time : formatInstant(time);
  },
};

function fromEpoch(text: string): Json | QueryError {
  const seconds = integerOf(text);
  if (seconds !== undefined) return formatInstant(instantFromSeconds(seconds));
  const why = /^[+-]?\d+$/.test(text) ? "value out of range" : "invalid syntax";
  return failed(`strconv.ParseInt: parsing "${text}": ${why}`);
}

/** SPEC: strconv `ParseInt(text, 10, 64)`. */
function integerOf(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const timeToCron: FunctionDefinition = {
  name: "time_to_cron",
  parameters: [STRING],
  returns: ["string"],
  note: "the cron schedule of a time: minute, hour, day, month, weekday in its own offset",
  call: (args) => {
    const time = instantOf(textAt(args, 0));
    return time instanceof QueryError ? time : formatAsCron(time);
  },
};

const timeUtc: FunctionDefinition = {
  name: "time_utc",
  parameters: [STRING],
  returns: ["string"],
  note: "a time in UTC",
  call: (args) => {
    const time = instantOf(textAt(args, 0));
    return time instanceof QueryError ? time : formatInstant({ ...time, offset: 0 });
  },
};

const timeNow: FunctionDefinition = {
  name: "time_now",
  parameters: [],
  returns: ["string"],
  note: "the present, in UTC",
  call: (_, run) => formatInstant(instantFromMs(run.nowMs)),
};

const timeNowUtc: FunctionDefinition = {
  name: "time_now_utc",
  parameters: [],
  returns: ["string"],
  note: "the present, in UTC",
  call: (_, run) => formatInstant(instantFromMs(run.nowMs)),
};

function instantOf(text: string, layout: string = RFC3339): Instant | QueryError {
  const time = parseTime(layout, text);
  return "error" in time ? failed(time.error) : time;
}

export const timeFunctions: readonly FunctionDefinition[] = [
  timeAdd,
  timeAfter,
  timeBefore,
  timeBetween,
  timeDiff,
  timeNow,
  timeNowUtc,
  timeParse,
  timeSince,
  timeToCron,
  timeTruncate,
  timeUtc,
];
