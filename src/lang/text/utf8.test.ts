import { expect, test } from "vitest";
import { utf8Length } from "./utf8.ts";

test("characters count by their bytes", () => {
  expect(["", "a", "é", "日", "\u{1f600}", "\ud800"].map(utf8Length)).toEqual([0, 1, 2, 3, 4, 3]);
});
