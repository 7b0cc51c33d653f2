/** References inside documents; the vectors of substitution hold many more. */
import { describe, expect, test } from "vitest";

import type { TypedJson } from "#json";

import { EvaluationError } from "../evaluation-error.ts";
import { cleanPath } from "./path.ts";
import { resolveReferences } from "./references.ts";

describe("a reference is resolved", () => {
  test.each<[string, TypedJson, TypedJson]>([
    ["by its path from the root", { a: "v", b: "$(/a)" }, { a: "v", b: "v" }],
    ["by its path from here", { a: "v", b: { c: "$(./../../a)" } }, { a: "v", b: { c: "v" } }],
    ["inside a text", { a: "v", b: "x$(/a)y $(/a)" }, { a: "v", b: "xvy v" }],
    ["behind an operator", { a: "1Gi", b: "$(<=/a)" }, { a: "1Gi", b: "<=1Gi" }],
    ["from an int64", { a: 5n, b: "$(>/a)" }, { a: 5n, b: ">5" }],
    ["from a float64", { a: 5, b: "$(>/a)" }, { a: 5, b: ">5.000000" }],
    ["through anchors", { "=(a)": { "^(x)": ["v"] }, b: "$(/a/x/0)" }, { "=(a)": { "^(x)": ["v"] }, b: "v" }],
    ["in a key", { a: "v", "x$(/a)": 1 }, { a: "v", xv: 1 }],
    ["in lists", ["p", "$(../0)"], ["p", "p"]],
    ["once", { a: "$(/b)", b: "$(/c)", c: "v" }, { a: "$(/c)", b: "v", c: "v" }],
    ["as the key of a map", { a: { x: "y" }, b: "$(/a)" }, { a: { x: "y" }, b: "x" }],
  ])("%s", (_, document, want) => {
    expect(resolveReferences(document)).toEqual(want);
  });
});

describe("a text stays", () => {
  test.each([
    ["$()", "$()"],
    ["$(a b)", "$(a b)"],
    ["$(/a", "$(/a"],
    ["$(\n)", "$(\n)"],
    ["\\$(/a)", "$(/a)"],
    ["\\$(/a b)", "\\$(/a b)"],
    ["\\$(/a", "\\$(/a"],
    ["\\$( ) \\$(b)", "$( ) $(b)"],
    ["\\$(\n)", "\\$(\n)"],
    ["\\\\$(/a)", "\\$(/a)"],
  ])("%j", (text, want) => {
    expect(resolveReferences(text)).toBe(want);
  });
});

describe("an error says what was not found", () => {
  test.each<[string, TypedJson, string]>([
    ["nothing there", { b: "$(/a)" }, "got nil resolved variable $(/a) at path /b: <nil>"],
    ["null there", { a: null, b: ["$(/a)"] }, "got nil resolved variable $(/a) at path /b/0: <nil>"],
    ["a number", { a: 5n, b: "$(/a)" }, "NotResolvedReferenceErr,reference $(/a) not resolved at path /b"],
    [
      "an operator before a boolean",
      { a: true, b: "$(>/a)" },
      "failed to resolve $(>/a) at path /b: incorrect expression: operator > does not match with value true",
    ],
    [
      "an operator alone",
      { b: "$(>=)" },
      "failed to resolve $(>=) at path /b: expected path, found empty reference",
    ],
    ["in a key", { "$(/a)": 1 }, "got nil resolved variable $(/a) at path : <nil>"],
    [
      "a slash in a key is no step",
      { "a/b": "$(./x)" },
      "got nil resolved variable $(./x) at path /a\\/b: <nil>",
    ],
    [
      "below an anchor",
      { "=(a)": { x: "v", y: "$(./../x)" } },
      "got nil resolved variable $(./../x) at path /=(a)/y: <nil>",
    ],
  ])("%s", (_, document, want) => {
    expect(resolveReferences(document)).toEqual(new EvaluationError(want));
  });
});

test("a document without references is not copied", () => {
  const document = { a: ["x", 1n, { b: null }] };
  expect(resolveReferences(document)).toBe(document);
});

test("hostile texts take linear work", () => {
  const size = 200_000;
  for (const part of ["$(", "$( ", "\\$(", "\\$( ", "$(x"]) {
    const text = part.repeat(size);
    expect(resolveReferences(text)).toBe(text);
  }
  expect(resolveReferences({ a: "v", b: "x$(/a) ".repeat(size) })).toEqual({ a: "v", b: "xv ".repeat(size) });
});

test.each([
  ["", "/"],
  ["/a/./b//c/", "/a/b/c"],
  ["/a/../../b", "/b"],
])("the path `%s` is `%s`", (path, want) => {
  expect(cleanPath(path)).toBe(want);
});
