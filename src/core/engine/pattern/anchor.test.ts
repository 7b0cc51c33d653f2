/** Which keys are anchors, and which only look like one. */
import { expect, test } from "vitest";

import { bareKey, parseAnchor } from "./anchor.ts";

test.each([
  ["(a)", "condition", "a"],
  ["<(a)", "global", "a"],
  ["X(a)", "negation", "a"],
  ["+(a)", "addition", "a"],
  ["=(a)", "equality", "a"],
  ["^(a)", "existence", "a"],
  [" =(a) ", "equality", "a"],
  ["( a )", "condition", " a "],
  ["((a))", "condition", "(a)"],
  ["=(app.kubernetes.io/*)", "equality", "app.kubernetes.io/*"],
])("`%s` is a %s of `%s`", (text, name, key) => {
  expect(parseAnchor(text)).toMatchObject({ name, key });
  expect(bareKey(text)).toBe(key);
});

test.each(["a", "", "()", "X()", "x(a)", "(a", "a)", "=a", "==(a)", "(a)b", "(a\nb)"])(
  "`%s` is an ordinary key",
  (text) => {
    expect(parseAnchor(text)).toBeUndefined();
    expect(bareKey(text)).toBe(text);
  },
);
