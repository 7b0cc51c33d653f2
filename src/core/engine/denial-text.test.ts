import fc from "fast-check";
import { expect, test } from "vitest";
import { loadYaml } from "#json";
import { denialText } from "./denial-text.ts";

const resource = { kind: "Pod", namespace: "default", name: "nginx" };

function expectRule(message: string, rule = "r"): { toBe: (yaml: string) => void } {
  const text = denialText(resource, new Map([["p", new Map([[rule, message]])]]));
  return {
    toBe: (yaml) =>
      expect(text).toBe(
        `\n\nresource Pod/default/nginx was blocked due to the following policies \n\np:\n${yaml}\n`,
      ),
  };
}

test("a message with a colon is quoted, and folded beyond column 80", () => {
  expectRule(
    "validation error: label 'app.kubernetes.io/name' is required. Rule autogen-check-for-labels failed at path /spec/template/metadata/labels/app.kubernetes.io/name/",
    "autogen-check-for-labels",
  ).toBe(
    "  autogen-check-for-labels: 'validation error: label ''app.kubernetes.io/name'' is\n" +
      "    required. Rule autogen-check-for-labels failed at path /spec/template/metadata/labels/app.kubernetes.io/name/'",
  );
});

test.each([
  { name: "plain", message: "no root", yaml: "  r: no root" },
  {
    name: "plain and long",
    message: `${"word ".repeat(20)}end`,
    yaml: `  r: ${"word ".repeat(15)}word\n    word word word word end`,
  },
  { name: "two spaces are never a fold", message: `${"x".repeat(90)}  y`, yaml: `  r: ${"x".repeat(90)}  y` },
  { name: "empty", message: "", yaml: '  r: ""' },
  { name: "a boolean", message: "true", yaml: '  r: "true"' },
  { name: "a number", message: "1.5", yaml: '  r: "1.5"' },
  { name: "a comment sign", message: "use #1 or a #2", yaml: "  r: 'use #1 or a #2'" },
  { name: "a leading star", message: "*:latest is bad", yaml: "  r: '*:latest is bad'" },
  { name: "trailing space", message: "no ", yaml: "  r: 'no '" },
  { name: "braces inside", message: "image {x} is bad", yaml: "  r: image {x} is bad" },
  { name: "lines", message: "one\ntwo: 2", yaml: "  r: |-\n    one\n    two: 2" },
  { name: "lines with a last break", message: "one\n\ntwo\n", yaml: "  r: |\n    one\n\n    two" },
  { name: "lines that end in space", message: "one \ntwo", yaml: '  r: "one \\ntwo"' },
  { name: "indented lines", message: "  one\ntwo", yaml: "  r: |2-\n      one\n    two" },
  { name: "a control character", message: "a\u0001b", yaml: '  r: "a\\x01b"' },
  { name: "a tab and a quote", message: 'a\t"b"', yaml: '  r: "a\\t\\"b\\""' },
  { name: "an emoji", message: "no \u{1F600}", yaml: '  r: "no \\U0001F600"' },
])("a message: $name", ({ message, yaml }) => {
  expectRule(message).toBe(yaml);
});

test("policies and rules are sorted, digits as numbers", () => {
  const rules = new Map([
    ["r10", "x"],
    ["r2", "x"],
    ["ra", "x"],
    ["r", "x"],
    ["r-1", "x"],
  ]);
  const text = denialText(
    resource,
    new Map([
      ["b", rules],
      ["a", new Map([["z", "no"]])],
    ]),
  );
  expect(text.split("\n\n").at(-1)).toBe('a:\n  z: "no"\nb:\n  r: x\n  r-1: x\n  r2: x\n  r10: x\n  ra: x\n');
});

test("names that YAML would misread are quoted", () => {
  const text = denialText(resource, new Map([["123", new Map([["a: b", "x"]])]]));
  expect(text).toContain("\n\n\"123\":\n  'a: b': x\n");
});

test("whatever the messages are, the text is YAML that says them", () => {
  const part = fc.constantFrom(
    "a",
    "validation error:",
    "b ",
    " ",
    "  ",
    "'",
    '"',
    "#x",
    "- ",
    "\n",
    "\t",
    "{",
    "*",
    "é",
    "\u{1F600}",
    "1",
    ":",
    "true",
    "%",
  );
  const message = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(""));
  const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
  const denials = fc.dictionary(name, fc.dictionary(name, message, { minKeys: 1, maxKeys: 3 }), {
    minKeys: 1,
    maxKeys: 3,
  });
  fc.assert(
    fc.property(denials, (given) => {
      const rules = Object.entries(given).map(
        ([policy, texts]) => [policy, new Map(Object.entries(texts))] as const,
      );
      const text = denialText(resource, new Map(rules));
      const [document] = loadYaml(text.slice(text.indexOf("policies \n") + 10), "-").documents;
      expect(document?.value).toEqual(given);
    }),
    { numRuns: 1000 },
  );
});
