import { expect, test } from "vitest";
import { quoteGo } from "./go-quote.ts";

test.each([
  ["", '""'],
  ["plain text", '"plain text"'],
  ['say "hi" \\', '"say \\"hi\\" \\\\"'],
  ["\x07\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'],
  ["\0\x1f\x7f", '"\\x00\\x1f\\x7f"'],
  ["é日\u{1f600}", '"é日\u{1f600}"'],
  ["\u00a0\u200b\ufeff", '"\\u00a0\\u200b\\ufeff"'],
  ["\u{e0001}", '"\\U000e0001"'],
  ["\ud800", '"\ufffd"'],
])("%j is printed as %s", (text, want) => {
  expect(quoteGo(text)).toBe(want);
});
