import { describe, expect, test } from "vitest";
import { between, formatAsCron, formatInstant, truncateInstant } from "./instant.ts";
import type { Instant } from "./instant.ts";
import { parseTime, RFC3339 } from "./parse-time.ts";

function read(layout: string, text: string): string {
  const time = parseTime(layout, text);
  return "error" in time ? time.error : formatInstant(time);
}

function instant(text: string): Instant {
  const time = parseTime(RFC3339, text);
  if ("error" in time) throw new Error(time.error);
  return time;
}

describe("a text in a layout", () => {
  test.each([
    [RFC3339, "2024-02-29T23:59:59.123456789-03:30", "2024-02-29T23:59:59-03:30"],
    ["Monday, 2 January 2006 3:04pm", "Friday, 1 march 2024 12:05am", "2024-03-01T00:05:00Z"],
    ["Mon Jan _2 15:04:05 2006", "Sun Mar  3 15:04:05 2024", "2024-03-03T15:04:05Z"],
    ["2006-002", "2024-366", "2024-12-31T00:00:00Z"],
    ["2006 __2", "2023  60", "2023-03-01T00:00:00Z"],
    ["06-1-2 03:04:05 PM", "69-7-4 11:00:09 PM", "1969-07-04T23:00:09Z"],
    ["_2006", "_2024", "2024-01-01T00:00:00Z"],
    ["15:04:05.000", "01:02:03.456", "0000-01-01T01:02:03Z"],
    ["15:04:05.999", "01:02:03", "0000-01-01T01:02:03Z"],
    ["2006-01-02 MST", "2024-01-02 CEST", "2024-01-02T00:00:00Z"],
    ["2006-01-02 15 MST", "2024-01-02 10 GMT+2", "2024-01-02T10:00:00+02:00"],
    ["2006-01-02 -0700", "2024-01-02 +0545", "2024-01-02T00:00:00+05:45"],
    ["2006-01-02 Z070000", "2024-01-02 -010203", "2024-01-02T00:00:00-01:02"],
    ["2006-01-02 -07:00:00", "2024-01-02 +01:00:00", "2024-01-02T00:00:00+01:00"],
    ["Janet 2006", "Janet 2024", "2024-01-01T00:00:00Z"],
  ])("%s: %s", (layout, text, want) => {
    expect(read(layout, text)).toBe(want);
  });

  test.each([
    ["2006-01-02", "2023-02-29", 'parsing time "2023-02-29": day out of range'],
    ["2006-002", "2023-366", 'parsing time "2023-366": day-of-year out of range'],
    ["2006-01 002", "2023-02 001", 'parsing time "2023-02 001": day-of-year does not match month'],
    ["2006-01-02", "2023-13-01", 'parsing time "2023-13-01": month out of range'],
    ["15:04", "24:00", 'parsing time "24:00": hour out of range'],
    ["15:04", "23:60", 'parsing time "23:60": minute out of range'],
    ["15:04", "é", 'parsing time "\\xc3\\xa9" as "15:04": cannot parse "\\xc3\\xa9" as "15"'],
    ["2006 MST", "2024 ab", 'parsing time "2024 ab" as "2006 MST": cannot parse "ab" as "MST"'],
    [
      "2006 -07:00",
      "2024 *01:00",
      'parsing time "2024 *01:00" as "2006 -07:00": cannot parse "*01:00" as "-07:00"',
    ],
    [
      "15:04:05.000",
      "01:02:03.4",
      'parsing time "01:02:03.4" as "15:04:05.000": cannot parse ".4" as ".000"',
    ],
  ])("%s: %s is refused in Go's words", (layout, text, want) => {
    expect(read(layout, text)).toBe(want);
  });
});

test("differences hold at the ends of an int64", () => {
  expect(between(instant("0001-01-01T00:00:00Z"), instant("9999-01-01T00:00:00Z"))).toBe((1n << 63n) - 1n);
  expect(between(instant("9999-01-01T00:00:00Z"), instant("0001-01-01T00:00:00Z"))).toBe(-(1n << 63n));
});

test("multiples count from the year 1, before it too", () => {
  const hour = 3_600_000_000_000n;
  expect(formatInstant(truncateInstant(instant("2024-03-10T15:04:05Z"), 7n * hour))).toBe(
    "2024-03-10T10:00:00Z",
  );
  expect(formatInstant(truncateInstant(instant("0000-12-31T23:30:00Z"), hour))).toBe("0000-12-31T23:00:00Z");
});

test("a schedule is in the offset of the time", () => {
  expect(formatAsCron(instant("2024-03-10T15:04:05+05:30"))).toBe("4 15 10 3 0");
});
