import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationError, durationSeconds, formatDuration, parseDuration } from "./duration.ts";

describe("a duration", () => {
  test.each([
    ["0", 0n, "0s"],
    ["-0", 0n, "0s"],
    ["1h30m", 5_400_000_000_000n, "1h30m0s"],
    ["1m1h", 3_660_000_000_000n, "1h1m0s"],
    ["-1.5h", -5_400_000_000_000n, "-1h30m0s"],
    ["+90s", 90_000_000_000n, "1m30s"],
    [".5s", 500_000_000n, "500ms"],
    ["1.s", 1_000_000_000n, "1s"],
    ["1us", 1000n, "1µs"],
    ["1µs", 1000n, "1µs"],
    ["1μs", 1000n, "1µs"],
    ["1500ns", 1500n, "1.5µs"],
    ["7ns", 7n, "7ns"],
    ["0.9ns", 0n, "0s"],
    ["1.0000000019s", 1_000_000_001n, "1.000000001s"],
    ["0.33333333333333333333333s", 333_333_333n, "333.333333ms"],
    ["0.99999999999999999999s", 1_000_000_000n, "1s"],
    ["9223372036854775807ns", (1n << 63n) - 1n, "2562047h47m16.854775807s"],
    ["-9223372036854775808ns", -(1n << 63n), "-2562047h47m16.854775808s"],
    [`${"0".repeat(50)}1s`, 1_000_000_000n, "1s"],
  ])("%s is %d ns and prints as %s", (text, nanoseconds, printed) => {
    expect(parseDuration(text)).toBe(nanoseconds);
    expect(formatDuration(nanoseconds)).toBe(printed);
    expect(durationError(text)).toBeUndefined();
  });

  test("is at least a second and a half in seconds", () => {
    expect([durationSeconds(1_500_000_000n), durationSeconds(-1n)]).toEqual([1.5, -1e-9]);
  });

  test("survives printing", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), (nanoseconds) => {
        expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
      }),
    );
  });
});

describe("what is no duration is told", () => {
  test.each([
    ["", 'time: invalid duration ""'],
    ["-", 'time: invalid duration "-"'],
    ["abc", 'time: invalid duration "abc"'],
    [".s", 'time: invalid duration ".s"'],
    ["--1s", 'time: invalid duration "--1s"'],
    ["1", 'time: missing unit in duration "1"'],
    ["1.1.1s", 'time: missing unit in duration "1.1.1s"'],
    ["1d", 'time: unknown unit "d" in duration "1d"'],
    ["1h ", 'time: unknown unit "h " in duration "1h "'],
    [
      '1"\\\n\x7fé',
      'time: unknown unit "\\"\\\\\\x0a\x7f\\xc3\\xa9" in duration "1\\"\\\\\\x0a\x7f\\xc3\\xa9"',
    ],
    ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
    ["2562048h", 'time: invalid duration "2562048h"'],
    ["2562047h48m", 'time: invalid duration "2562047h48m"'],
    [`${"9".repeat(100)}s`, `time: invalid duration "${"9".repeat(100)}s"`],
  ])("%j", (text, error) => {
    expect(parseDuration(text)).toBeUndefined();
    expect(durationError(text)).toBe(error);
  });
});
