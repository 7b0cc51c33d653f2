/** Both forms of label selectors, and Kyverno's with wildcards. */
import { describe, expect, test } from "vitest";
import type { LabelSelector } from "./label-selector.ts";
import { compileLabelSelector, compileLabelTest } from "./label-selector.ts";
import { labelKeyError, labelValueError } from "./label-syntax.ts";
import { parseSelector } from "./parse.ts";
import type { Labels } from "./requirement.ts";
import { requirementError } from "./requirement.ts";

describe("a selector as text", () => {
  test.each<{ text: string; prints?: string; matches: readonly Labels[]; refuses: readonly Labels[] }>([
    { text: "", matches: [{}, { a: "b" }], refuses: [] },
    { text: "a", matches: [{ a: "" }], refuses: [{}, { b: "a" }] },
    { text: "!a", matches: [{}], refuses: [{ a: "" }] },
    { text: "a=b", matches: [{ a: "b" }], refuses: [{}, { a: "c" }] },
    { text: "a == b", prints: "a==b", matches: [{ a: "b" }], refuses: [{ a: "" }] },
    { text: "a!=b", matches: [{}, { a: "c" }], refuses: [{ a: "b" }] },
    { text: "a=", matches: [{ a: "" }], refuses: [{}, { a: "b" }] },
    {
      text: "a in (c,b)",
      prints: "a in (b,c)",
      matches: [{ a: "b" }, { a: "c" }],
      refuses: [{}, { a: "d" }],
    },
    { text: "a notin (b,c)", matches: [{}, { a: "d" }], refuses: [{ a: "b" }] },
    { text: "a in ()", matches: [{ a: "" }], refuses: [{}, { a: "b" }] },
    { text: "a in (b,,c)", prints: "a in (,b,c)", matches: [{ a: "" }, { a: "c" }], refuses: [{}] },
    { text: "a in (,)", prints: "a in ()", matches: [{ a: "" }], refuses: [{ a: "b" }] },
    { text: "a>1,a<3", matches: [{ a: "2" }], refuses: [{}, { a: "1" }, { a: "3" }, { a: "x" }] },
    { text: "in in (in,notin)", matches: [{ in: "notin" }], refuses: [{ in: "x" }] },
    { text: "b,!c,a=1", prints: "a=1,b,!c", matches: [{ a: "1", b: "" }], refuses: [{ a: "1" }] },
    { text: "a.b/c=d\n", prints: "a.b/c=d", matches: [{ "a.b/c": "d" }], refuses: [{}] },
    { text: "toString", matches: [{ toString: "x" }], refuses: [{}] },
  ])("$text", ({ text, prints, matches, refuses }) => {
    const selector = parseSelector(text);
    if ("error" in selector) throw new Error(selector.error);
    expect(selector.text).toBe(prints ?? text);
    for (const labels of matches) expect([labels, selector.matches(labels)]).toEqual([labels, true]);
    for (const labels of refuses) expect([labels, selector.matches(labels)]).toEqual([labels, false]);
  });

  test.each([
    ["=b", "found '=', expected: !, identifier, or 'end of string'"],
    ["a,", "found '', expected: identifier after ','"],
    ["a=b c", "found 'c', expected: ',' or 'end of string'"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["!!a", "unable to parse requirement: found '!', expected: identifier"],
    ["a=(", "unable to parse requirement: found '(', expected: identifier"],
    ["a in b", "unable to parse requirement: found 'b' expected: '('"],
    ["a in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ["a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ["a in (b,=)", "unable to parse requirement: found '=', expected: ',', or identifier"],
    ["a in (b", "unable to parse requirement: found '', expected: ',' or ')'"],
    [
      "a>x",
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ["/a", 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
    ["a\0b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ])("%j is refused", (text, error) => {
    expect(parseSelector(text)).toEqual({ error });
  });
});

describe("a selector as an object", () => {
  test("null selects nothing, the empty one everything", () => {
    const nothing = compileLabelSelector(null);
    const everything = compileLabelSelector({});
    if ("error" in nothing || "error" in everything) throw new Error("both are valid");
    expect([nothing.matches({}), everything.matches({ a: "b" })]).toEqual([false, true]);
  });

  test("all of its parts must hold", () => {
    const selector = compileLabelSelector({
      matchLabels: { a: "b" },
      matchExpressions: [
        { key: "c", operator: "In", values: ["d", "e"] },
        { key: "f", operator: "DoesNotExist" },
        { key: "g", operator: "NotIn", values: ["h"] },
        { key: "a", operator: "Exists" },
      ],
    });
    if ("error" in selector) throw new Error(selector.error);
    expect(selector.text).toBe("a=b,a,c in (d,e),!f,g notin (h)");
    expect(selector.matches({ a: "b", c: "e" })).toBe(true);
    expect(selector.matches({ a: "b", c: "e", f: "" })).toBe(false);
    expect(selector.matches({ a: "b", c: "e", g: "h" })).toBe(false);
    expect(selector.matches({ a: "b" })).toBe(false);
  });

  test.each<[LabelSelector, string]>([
    [{ matchExpressions: [{ key: "a", operator: "Gt" }] }, '"Gt" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: "a", operator: "In", values: [] }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: "a", operator: "Exists", values: ["<b>"] }] },
      `[values: Invalid value: ["\\u003cb\\u003e"]: values set must be empty for exists and does not exist, values[0][a]: Invalid value: "<b>": ${labelValueError("<b>")}]`,
    ],
  ])("%j is refused", (spec, error) => {
    expect(compileLabelSelector(spec)).toEqual({ error });
    expect(compileLabelTest(spec).error({})).toBe(error);
    expect(compileLabelTest(spec).matches({ a: "b" })).toBe(false);
  });
});

describe("a selector with wildcards", () => {
  test.each<{ spec: LabelSelector; labels: Labels; matches: boolean; error?: string }>([
    { spec: { matchLabels: { "a*": "b?" } }, labels: { ab: "bc" }, matches: true },
    { spec: { matchLabels: { "a*": "b?" } }, labels: { ab: "b" }, matches: false },
    { spec: { matchLabels: { a: "*" } }, labels: { a: "" }, matches: true },
    { spec: { matchLabels: { a: "*" } }, labels: {}, matches: false },
    { spec: { matchLabels: { "a*": "*", c: "d" } }, labels: { ab: "b" }, matches: false },
    { spec: { matchLabels: { "a*": "*", c: "d" } }, labels: { ab: "b", c: "d" }, matches: true },
    {
      spec: { matchLabels: { a: "b *" } },
      labels: {},
      matches: false,
      error: `values[0][a]: Invalid value: "b 0": ${labelValueError("b 0")}`,
    },
    {
      spec: { matchLabels: { a: "*" } },
      labels: { a: "not valid" },
      matches: false,
      error: `values[0][a]: Invalid value: "not valid": ${labelValueError("not valid")}`,
    },
  ])("$spec on $labels", ({ spec, labels, matches, error }) => {
    const compiled = compileLabelTest(spec);
    expect([compiled.matches(labels), compiled.error(labels)]).toEqual([matches, error]);
  });

  test("does not look at wildcards in expressions", () => {
    const compiled = compileLabelTest({ matchExpressions: [{ key: "a", operator: "In", values: ["*"] }] });
    expect(compiled.error({ a: "b" })).toContain('Invalid value: "*"');
  });
});

describe("labels", () => {
  const long = "x".repeat(64);

  test.each([
    ["a", undefined],
    ["a.b-c_D/e", "prefix part a lowercase RFC 1123 subdomain must consist"],
    ["example.com/Name_1", undefined],
    ["", "name part must be non-empty; name part must consist"],
    [long, "name part must be no more than 63 bytes"],
    [`${"a".repeat(254)}/b`, "prefix part must be no more than 253 bytes"],
    ["a/b/c", "a valid label key must consist"],
    ["a/", "name part must be non-empty; name part must consist"],
  ])("have keys like %s", (key, want) => {
    const error = labelKeyError(key);
    expect(want === undefined ? error : error?.slice(0, want.length)).toBe(want);
  });

  test("have values that are short and plain", () => {
    expect([labelValueError(""), labelValueError("a.b"), labelValueError(long)]).toEqual([
      undefined,
      undefined,
      "must be no more than 63 bytes",
    ]);
    expect(labelValueError(`${long}-`)).toContain("; a valid label must be an empty string");
  });

  test("are compared with as many values as the operator takes", () => {
    expect(requirementError({ key: "a", operator: "=", values: [] })).toBe(
      "values: Invalid value: null: exact-match compatibility requires one single value",
    );
    expect(requirementError({ key: "a", operator: "gt", values: ["1", "2"] })).toBe(
      "values: Invalid value: [\"1\",\"2\"]: for 'Gt', 'Lt' operators, exactly one value is required",
    );
  });
});
