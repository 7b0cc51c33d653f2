/** When expressions fire, what is said about bad ones, and which of them admission lets in. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextCron } from "./next.ts";
import type { Cron } from "./parse.ts";
import { parseCron } from "./parse.ts";
import { isStandardCron } from "./standard.ts";

function read(text: string): Cron {
  const cron = parseCron(text);
  if ("error" in cron) throw new Error(cron.error);
  return cron;
}

function firings(text: string, from: string, count: number): readonly string[] {
  const cron = read(text);
  const times: string[] = [];
  let at = nextCron(cron, Date.parse(from));
  while (at !== undefined && times.length < count) {
    times.push(new Date(at).toISOString().slice(0, 19));
    at = nextCron(cron, at);
  }
  return times;
}

describe("an expression fires", () => {
  const from = "2026-03-31T23:59:30Z";

  test.each([
    ["* * * * *", ["2026-04-01T00:00:00", "2026-04-01T00:01:00"]],
    ["*/10 * * * * * *", ["2026-03-31T23:59:40", "2026-03-31T23:59:50"]],
    ["1-10/3 5 * * *", ["2026-04-01T05:01:00", "2026-04-01T05:04:00"]],
    ["50/5 5 * * *", ["2026-04-01T05:50:00", "2026-04-01T05:55:00"]],
    ["@daily", ["2026-04-01T00:00:00", "2026-04-02T00:00:00"]],
    ["@yearly", ["2027-01-01T00:00:00", "2028-01-01T00:00:00"]],
    ["0 0 31 * *", ["2026-05-31T00:00:00", "2026-07-31T00:00:00"]],
    ["0 0 29 2 *", ["2028-02-29T00:00:00", "2032-02-29T00:00:00"]],
    ["0 0 13 * 5", ["2026-04-03T00:00:00", "2026-04-10T00:00:00"]],
    ["0 0 * * 7", ["2026-04-05T00:00:00", "2026-04-12T00:00:00"]],
    ["0 0 * * 07", ["2026-04-05T00:00:00", "2026-04-12T00:00:00"]],
    ["0 0 * march,Feb *", ["2027-02-01T00:00:00", "2027-02-02T00:00:00"]],
    ["0 0 1 01 *", ["2027-01-01T00:00:00", "2028-01-01T00:00:00"]],
    ["0 0 L * *", ["2026-04-30T00:00:00", "2026-05-31T00:00:00"]],
    ["0 0 LW * *", ["2026-04-30T00:00:00", "2026-05-29T00:00:00"]],
    ["0 0 15w * *", ["2026-04-15T00:00:00", "2026-05-15T00:00:00"]],
    ["0 0 1W * *", ["2026-04-01T00:00:00", "2026-05-01T00:00:00"]],
    ["0 0 1W 8 *", ["2026-08-03T00:00:00", "2027-08-02T00:00:00"]],
    ["0 0 31W 5,10 *", ["2026-05-29T00:00:00", "2026-10-30T00:00:00"]],
    ["0 0 * * fri#2", ["2026-04-10T00:00:00", "2026-05-08T00:00:00"]],
    ["0 0 * * 5L", ["2026-04-24T00:00:00", "2026-05-29T00:00:00"]],
    ["0 0 1 1 ? 2099", ["2099-01-01T00:00:00"]],
    ["0 0 30 2 *", []],
    ["0 0 1 1 * 1999", []],
    ["9-5/2 * * * *", []],
    ["5 4 3 2 1 * 2027 ignored ignored", ["2027-01-02T03:04:05"]],
  ])("%s", (text, want) => {
    expect(firings(text, from, 2)).toEqual(want);
  });

  test("by the clock that it is read by", () => {
    const at = nextCron(read("0 0 * * *"), Date.parse("2026-03-29T21:30:00Z"), 120);
    expect(new Date(at ?? 0).toISOString()).toBe("2026-03-29T22:00:00.000Z");
  });

  test("always later than asked for, on a day and at a time that it names", () => {
    const field = (max: number): fc.Arbitrary<string> =>
      fc.oneof(fc.constant("*"), fc.integer({ min: 1, max }).map(String), fc.constant("*/3"));
    fc.assert(
      fc.property(
        field(23),
        field(31),
        field(12),
        fc.integer({ min: 0, max: 4e12 }),
        (hour, day, month, at) => {
          const cron = read(`5,35 ${hour} ${day} ${month} *`);
          const next = nextCron(cron, at);
          if (next === undefined) return;
          const date = new Date(next);
          expect(next).toBeGreaterThan(at);
          expect([5, 35]).toContain(date.getUTCMinutes());
          expect(cron.hours).toContain(date.getUTCHours());
          expect(cron.months).toContain(date.getUTCMonth() + 1);
          expect(nextCron(cron, next - 1)).toBe(next);
        },
      ),
    );
  });
});

test.each([
  ["", "missing field(s)"],
  ["@every 1h", "missing field(s)"],
  ["60 * * * *", "syntax error in minute field: '60'"],
  ["0 24 * * *", "syntax error in hour field: '24'"],
  ["0 0 L-3 * *", "syntax error in day-of-month field: 'L-3'"],
  ["0 0 W * *", "syntax error in day-of-month field: 'W'"],
  ["0 0 * 13 *", "syntax error in month field: '13'"],
  ["0 0 * * 1#6", "syntax error in day-of-week field: '1#6'"],
  ["0 0 * * 1#1#1", "syntax error in day-of-week field: '1#1#1'"],
  ["0 0 * * L", "syntax error in day-of-week field: 'L'"],
  ["0 0 * * * 1969", "syntax error in year field: '1969'"],
  ["60 0 0 * * * *", "syntax error in second field: '60'"],
  ["5-1 * * * *", "invalid interval 5-1 (normalized to 5-1)"],
  ["*/60 * * * *", "invalid interval */60"],
  ["1-2/0 * * * *", "invalid interval 1-2/0"],
  ["*/100 * * * *", "invalid interval */100"],
  ["*/x * * * *", "syntax error in minute field: '*/x'"],
  ["1-x * * * *", "syntax error in minute field: '1-x'"],
  ["? , * * *", "hour field: missing directive"],
])("%j is refused by the controllers", (text, error) => {
  expect(parseCron(text)).toEqual({ error });
});

test("admission has a mind of its own", () => {
  const accepted = [
    "0 0 * * *",
    "@daily",
    "@midnight",
    "@every 1h30m",
    "*/60 * * * *",
    "+1 * * * *",
    "*-5 * * * *",
  ];
  const more = ["0 0 ? JAN-mar SUN", "1,,2 * * * *", ", * * * *", "5/10 * * * *", "0\u00850 * * *"];
  const rejected = [
    "",
    "* * * *",
    "* * * * * *",
    "0 0 * * 7",
    "0 0 L * *",
    "@HOURLY",
    "@every x",
    "0 0 * march *",
  ];
  const worse = ["5-1 * * * *", "60 * * * *", "0 0 0 * *", "*/0 * * * *", "1/2/3 * * * *", "1-2-3 * * * *"];
  const worst = [
    "-1 * * * *",
    "1- * * * *",
    "a * * * *",
    "1-a * * * *",
    `${"9".repeat(40)} * * * *`,
    "*/ * * * *",
  ];
  for (const text of [...accepted, ...more]) expect([text, isStandardCron(text)]).toEqual([text, true]);
  for (const text of [...rejected, ...worse, ...worst])
    expect([text, isStandardCron(text)]).toEqual([text, false]);
});
