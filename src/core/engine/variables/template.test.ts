import { describe, expect, test } from "vitest";

import { isObject, type Json, type JsonObject } from "#json";
import { noFacts, requestFor } from "../../../../test/support/policies.ts";
import { createProbe, probeDocument } from "../probe.ts";

const root: JsonObject = {
  request: { object: { metadata: { name: "web" } }, operation: "CREATE" },
  text: "plain",
  name: "text",
  count: 3,
  map: { b: 1, a: "<x>" },
  list: [1, "two"],
  nothing: null,
  nested: "{{ text }}",
  holder: { inner: "{{ text }}", list: ["{{ count }}"] },
  itself: { again: "{{ itself }}" },
  many: ["{{ many }}", "{{ many }}"],
  dollar: "$& $1",
};

function rendered(document: Json, more: JsonObject = {}): unknown {
  const answer = probeDocument({ root: { ...root, ...more }, document, as: "document" });
  return "error" in answer ? `error: ${answer.error}` : answer.value;
}

describe("strings", () => {
  test.each<[string, Json, unknown]>([
    ["no variable", "a { b } c", "a { b } c"],
    ["a variable alone keeps its type", "{{ count }}", 3],
    ["null too", "{{ nothing }}", null],
    ["a map too", "{{ map }}", { a: "<x>", b: 1 }],
    ["inside of text it is its text", "n={{ count }}", "n=3"],
    ["a map is JSON with escaped HTML", "m={{ map }}", 'm={"a":"\\u003cx\\u003e","b":1}'],
    ["a list is JSON", "l={{list}}!", 'l=[1,"two"]!'],
    ["null is null", "x{{ nothing }}", "xnull"],
    ["two in one text", "{{ text }}-{{ count }}", "plain-3"],
    ["the same one twice", "{{ text }}{{ text }}", "plainplain"],
    ["a multi-select hash", "{{ {a: text} }}", { a: "plain" }],
    ["variables make variables", "{{ {{ name }} }}", "plain"],
    ["what is put in is data", "a {{ dollar }} b", "a $& $1 b"],
    ["escaped", "\\{{ text }}", "{{ text }}"],
    ["escaped beside a real one", "\\{{ text }} {{ text }}", "{{ text }} plain"],
    ["inside of text the result is searched again", "a {{ nested }}", "a plain"],
    ["alone a string is kept as it is", "{{ nested }}", "{{ text }}"],
    ["a shallow one is not searched again", "a {{- nested }}", "a {{ text }}"],
    ["a shallow one alone has any type", "{{- count }}", 3],
    [
      "a shallow one inside of text is a string",
      "a {{- count }}",
      "error: failed to resolve count at path : a shallow variable inside of text must be a string",
    ],
    [
      "an unknown name",
      "{{ missing }}",
      'error: failed to resolve missing at path : JMESPath query failed: Unknown key "missing" in path',
    ],
    ["a default for it", "{{ missing || 'x' }}", "x"],
    ["the place is named", { a: ["{{ request.none }}"] }, expect.stringContaining("at path /a/0: ")],
    ["a slash in a key is escaped", { "a/b": "{{ none }}" }, expect.stringContaining("at path /a\\/b: ")],
    ["an empty query", "{{ }}", expect.stringContaining("error: failed to resolve")],
    ["no query", "{{ a b }}", expect.stringContaining("incorrect query a b: ")],
  ])("%s", (_, document, want) => {
    expect(rendered(document)).toEqual(want);
  });

  test("small exponents have Go's two digits", () => {
    expect(rendered("x{{ tiny }}", { tiny: 1e-7 })).toBe("x1e-07");
  });

  test("on DELETE the old object stands for the object", () => {
    const request = { operation: "DELETE", oldObject: { a: "old" } };
    expect(rendered("{{ request.object.a }}", { request })).toBe("old");
    expect(rendered("{{ request.object.a }}", { request: { ...request, operation: "UPDATE" } })).toContain(
      "error: ",
    );
  });

  test("{{@}} is the place in the resource behind the rule's own parts, and in the target where there is one", () => {
    const document = { validate: { pattern: { metadata: { name: "{{@}}" } } } };
    const answer = { validate: { pattern: { metadata: { name: "web" } } } };
    expect(rendered(document)).toMatchObject(answer);
    expect(rendered(document, { target: { metadata: { name: "goal" } } })).toEqual({
      validate: { pattern: { metadata: { name: "goal" } } },
    });
  });
});

describe("documents", () => {
  test.each<[string, Json, unknown]>([
    ["keys are substituted", { "{{ text }}": 1 }, { plain: 1 }],
    ["a key that is null stays as written", { "{{ nothing }}": 1 }, { "{{ nothing }}": 1 }],
    [
      "a key must be a string",
      { "{{ count }}": 1 },
      'error: expected string after substituting variables in key "{{ count }}"',
    ],
    ["a key that fails", { "{{ none }}": 1 }, expect.stringContaining("error: failed to resolve none")],
    ["values that a variable yields hold variables", "{{ holder }}", { inner: "plain", list: [3] }],
    ["parts without variables stay", [{ a: 1 }, "{{ text }}", null], [{ a: 1 }, "plain", null]],
    ["an error in a list", ["{{ none }}"], expect.stringContaining("at path /0: ")],
  ])("%s", (_, document, want) => {
    expect(rendered(document)).toEqual(want);
  });

  test("a value that holds itself is an error, not a stack without end", () => {
    const error = "error: values of variables hold variables more than 16 levels deep";
    expect(rendered("{{ itself }}")).toBe(error);
    expect(rendered("{{ many }}")).toBe(error);
  });
});

describe("elements", () => {
  const probe = (): ReturnType<typeof createProbe> =>
    createProbe({ request: requestFor({ apiVersion: "v1", kind: "Pod", metadata: {} }), facts: noFacts });

  test.each([0, 1, 2, 3])("nesting %i has its own names", (nesting) => {
    const steps = probe();
    steps.element({ data: "e", index: 4, nesting });
    const document = `{{ element }} {{ elementIndex }} {{ element${nesting} }} {{ elementIndex${nesting} }}`;
    expect(steps.document(document, "document")).toEqual({ value: "e 4 e 4" });
  });

  test("a frame never leaks: what a query yielded of its root does not change with the next element", () => {
    for (const text of ["@", "[@]", "{root: @}", "merge(@, `{}`)", "@ || `1`"]) {
      const steps = probe();
      steps.element({ data: "first", index: 0, nesting: 0 });
      const before = steps.query(text);
      const shown = JSON.stringify(before);
      expect(shown).toContain("first");
      steps.element({ data: "second", index: 1, nesting: 0 });
      steps.query(text);
      expect(JSON.stringify(before), text).toBe(shown);
    }
  });

  test("an inner element hides the outer one only under the common name", () => {
    const steps = probe();
    steps.element({ data: "outer", index: 0, nesting: 0 });
    steps.checkpoint();
    steps.element({ data: "inner", index: 1, nesting: 1 });
    expect(steps.query("[element, element0, element1, elementIndex]")).toEqual({
      value: ["inner", "outer", "inner", 1],
    });
    steps.restore();
    expect(steps.query("element")).toEqual({ value: "outer" });
    expect("error" in steps.query("element1")).toBe(true);
  });
});

test("the root of a probe is not changed by entries", () => {
  const steps = createProbe({ root });
  steps.load([{ name: "v", source: { kind: "variable", value: { k: 1 } } }]);
  expect(steps.query("v")).toEqual({ value: { k: 1 } });
  expect(isObject(root["v"] ?? null)).toBe(false);
});
