import fc from "fast-check";
import { expect, test } from "vitest";
import { civilFromDays, daysFromCivil, daysInMonth, weekday } from "./calendar.ts";

test("agrees with JavaScript's own calendar", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 3_000_000 }), (days) => {
      const date = new Date(days * 86_400_000);
      const want = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
      expect(civilFromDays(days)).toEqual(want);
      expect(daysFromCivil(want)).toBe(days);
      expect(weekday(days)).toBe(date.getUTCDay());
    }),
  );
});

test("knows leap years", () => {
  expect([1900, 2000, 2023, 2024].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29]);
  expect([1, 4, 12].map((month) => daysInMonth(2026, month))).toEqual([31, 30, 31]);
});
