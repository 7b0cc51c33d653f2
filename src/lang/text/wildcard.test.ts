/** The compiled form and the plain one must always agree; a naive matcher is the judge. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileWildcard, hasWildcard, matchWildcard } from "./wildcard.ts";

const cases: readonly {
  readonly pattern: string;
  readonly matches: readonly string[];
  readonly refuses: readonly string[];
}[] = [
  { pattern: "", matches: [""], refuses: ["a", "*"] },
  { pattern: "abc", matches: ["abc"], refuses: ["ab", "abcd", "ABC", ""] },
  { pattern: "*", matches: ["", "a", "a/b\n"], refuses: [] },
  { pattern: "***", matches: ["", "a"], refuses: [] },
  { pattern: "?*", matches: ["a", "ab", "\u{1f600}"], refuses: [""] },
  { pattern: "*?", matches: ["a", "ab"], refuses: [""] },
  { pattern: "?", matches: ["a", "é", "\u{1f600}", "?"], refuses: ["", "ab"] },
  { pattern: "??", matches: ["ab", "日本"], refuses: ["a", "abc", "\u{1f600}"] },
  { pattern: "kube-*", matches: ["kube-", "kube-system"], refuses: ["kube", "akube-"] },
  { pattern: "*:latest", matches: [":latest", "nginx:latest"], refuses: ["nginx:latest2"] },
  { pattern: "**/app**", matches: ["x/app", "/app:1"], refuses: ["app"] },
  { pattern: "a*c", matches: ["ac", "abc", "acbc"], refuses: ["ab", "cba", "aca"] },
  { pattern: "*a?b*", matches: ["axb", "aabb", "zaazb"], refuses: ["ab", "aaccb"] },
  { pattern: "a.c", matches: ["a.c"], refuses: ["abc"] },
  { pattern: "\\*", matches: ["\\", "\\x"], refuses: ["*"] },
];

describe.each(cases)("the pattern `$pattern`", ({ pattern, matches, refuses }) => {
  test("matches what it should, compiled and not", () => {
    for (const text of matches) {
      expect([text, matchWildcard(pattern, text), compileWildcard(pattern)(text)]).toEqual([
        text,
        true,
        true,
      ]);
    }
    for (const text of refuses) {
      expect([text, matchWildcard(pattern, text), compileWildcard(pattern)(text)]).toEqual([
        text,
        false,
        false,
      ]);
    }
  });
});

test("only stars and question marks are wildcards", () => {
  expect(["a*", "?", "", "[a]", "\\"].map(hasWildcard)).toEqual([true, true, false, false, false]);
});

test("agrees with the definition on anything", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "*", "?", "\u{1f600}"), { maxLength: 7 });
  fc.assert(
    fc.property(letters, letters, (pattern, text) => {
      const want = isMatch(pattern, text);
      expect(matchWildcard(pattern.join(""), text.join(""))).toBe(want);
      expect(compileWildcard(pattern.join(""))(text.join(""))).toBe(want);
    }),
    { numRuns: 500 },
  );
});

/** The definition, by recursion. */
function isMatch(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === "*") return isMatch(rest, text) || (text.length > 0 && isMatch(pattern, text.slice(1)));
  return text.length > 0 && (first === "?" || first === text[0]) && isMatch(rest, text.slice(1));
}

test("a hostile pattern does not explode", () => {
  const pattern = `${"*a".repeat(40)}*b`;
  expect(compileWildcard(pattern)("a".repeat(5000))).toBe(false);
});
