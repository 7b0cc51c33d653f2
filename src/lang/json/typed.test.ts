/** Literals of policies: whole numbers are int64, the rest stays. */
import { expect, test } from "vitest";
import { withInt64 } from "./typed.ts";

test("whole numbers become int64 at every depth", () => {
  expect(withInt64({ a: [1, 1.5, "1", null, true], b: { c: -3 } })).toEqual({
    a: [1n, 1.5, "1", null, true],
    b: { c: -3n },
  });
});
