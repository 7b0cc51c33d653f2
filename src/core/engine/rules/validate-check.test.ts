import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { answersOf, noFacts, objectOf, programOf, requestFor } from "../../../../test/support/policies.ts";
import { evaluate } from "../evaluate.ts";

const pod = objectOf(`
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {team: a}}
spec:
  names: [x, y]
  containers:
  - {name: c1, image: "nginx:1", ports: [{p: 1}, {p: 2}]}
  - {name: c2, image: "redis:latest", ports: [{p: 3}]}
`);

function answer(body: string, more = "", object: JsonObject = pod): readonly string[] {
  const rule = `- name: r\n  match: {any: [{resources: {kinds: [Pod]}}]}\n${more}  validate: ${body}`;
  return answersOf(programOf(rule), requestFor(object));
}

const condition = (value: string, message = ""): string =>
  `{key: "{{ request.object.metadata.name }}", operator: Equals, value: ${value}${message === "" ? "" : `, message: ${message}`}}`;

describe("messages", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "a message gets its period",
      "{message: m, pattern: {metadata: {name: x}}}",
      ["r: fail: validation error: m. rule r failed at path /metadata/name/"],
    ],
    [
      "not a second one",
      "{message: m., pattern: {metadata: {name: x}}}",
      ["r: fail: validation error: m. rule r failed at path /metadata/name/"],
    ],
    [
      "none",
      "{pattern: {metadata: {name: x}}}",
      ["r: fail: validation error: rule r failed at path /metadata/name/"],
    ],
    [
      "its variables",
      '{message: "{{ request.object.metadata.name }}", pattern: {metadata: {name: x}}}',
      ["r: fail: validation error: web. rule r failed at path /metadata/name/"],
    ],
    [
      "its variables that cannot be resolved",
      '{message: "{{ request.object.none }}", pattern: {metadata: {name: x}}}',
      [
        expect.stringContaining(
          "r: fail: validation error: variables substitution error in rule r execution error: ",
        ),
      ],
    ],
    [
      "anyPattern: the one that passes is named",
      "{message: m, anyPattern: [{metadata: {name: x}}, {metadata: {name: web}}]}",
      ["r: pass: validation rule 'r' anyPattern[1] passed."],
    ],
    [
      "anyPattern: all failures",
      "{message: m, anyPattern: [{metadata: {name: x}}, {kind: y}]}",
      [
        "r: fail: validation error: m. rule r[0] failed at path /metadata/name/ rule r[1] failed at path /kind/",
      ],
    ],
    [
      "anyPattern without a message",
      "{anyPattern: [{kind: y}]}",
      ["r: fail: validation error: rule r[0] failed at path /kind/"],
    ],
    [
      "anyPattern: a failure beside a skip is a failure",
      "{message: m, anyPattern: [{spec: {(hostNetwork): true}}, {kind: y}]}",
      ["r: fail: validation error: m. rule r[1] failed at path /kind/"],
    ],
    [
      "anyPattern: all are skipped",
      "{message: m, anyPattern: [{spec: {(hostNetwork): true}}]}",
      [expect.stringContaining("r: skip: rule r[0] skipped: ")],
    ],
    [
      "a variable of a pattern that cannot be resolved",
      '{message: m, pattern: {metadata: {name: "{{ request.object.none }}"}}}',
      [
        expect.stringContaining(
          "r: error: variable substitution failed: failed to resolve request.object.none at path ",
        ),
      ],
    ],
    [
      "one of an anyPattern",
      '{message: m, anyPattern: [{kind: Pod}, {kind: "{{ request.object.none }}"}]}',
      [expect.stringContaining("r: error: variable substitution failed: ")],
    ],
    [
      "deny that does not hold",
      `{message: m, deny: {conditions: {any: [${condition("x")}]}}}`,
      ["r: pass: validation rule 'r' passed."],
    ],
    [
      "deny: messages of the conditions that held follow",
      `{message: m, deny: {conditions: {all: [${condition("web", "one")}, ${condition("w*", "two")}]}}}`,
      ["r: fail: m; one; two"],
    ],
    [
      "deny: they stand alone",
      `{deny: {conditions: {any: [${condition("x", "one")}, ${condition("web", "two")}]}}}`,
      ["r: fail: two"],
    ],
    [
      "deny without any message",
      `{deny: {conditions: {any: [${condition("web")}]}}}`,
      ["r: fail: validation error: rule r failed"],
    ],
    [
      "deny: the old list means all",
      `{message: m, deny: {conditions: [${condition("web")}, ${condition("x")}]}}`,
      ["r: pass: validation rule 'r' passed."],
    ],
    [
      "deny: an empty any is false",
      "{message: m, deny: {conditions: {any: []}}}",
      ["r: pass: validation rule 'r' passed."],
    ],
    ["deny: an empty all is true", "{message: m, deny: {conditions: {all: []}}}", ["r: fail: m"]],
    [
      "deny: any and all",
      `{message: m, deny: {conditions: {any: [${condition("web")}], all: [${condition("x")}]}}}`,
      ["r: pass: validation rule 'r' passed."],
    ],
  ])("%s", (_, body, want) => {
    expect(answer(body)).toEqual(want);
  });
});

describe("preconditions", () => {
  const body = "{message: m, pattern: {metadata: {name: web}}}";
  const when = (text: string): string => `  preconditions: {all: [${text}]}\n`;

  test.each([
    ["met", condition("web"), "r: pass: validation rule 'r' passed."],
    ["not met", condition("x"), "r: skip: preconditions not met"],
    ["not met, with a message", condition("x", "other"), "r: skip: preconditions not met; other"],
    [
      "not to be evaluated",
      '{key: "{{ request.object.none }}", operator: Equals, value: x}',
      'r: error: failed to evaluate preconditions: failed to substitute variables in condition key: failed to resolve request.object.none at path : JMESPath query failed: Unknown key "none" in path',
    ],
  ])("%s", (_, text, want) => {
    expect(answer(body, when(text))).toEqual([want]);
  });
});

describe("foreach", () => {
  const each = (entry: string): readonly string[] => answer(`{message: m, foreach: [${entry}]}`);

  test.each<[string, string, readonly string[]]>([
    [
      "all elements pass",
      '{list: request.object.spec.containers, pattern: {name: "c?"}}',
      ["r: pass: rule passed"],
    ],
    [
      "the first that fails decides",
      '{list: request.object.spec.containers, pattern: {image: "!*:latest"}}',
      ["r: fail: validation failure: validation error: m. rule r failed at path /image/"],
    ],
    [
      "elements are known to conditions",
      '{list: request.object.spec.containers, deny: {conditions: {any: [{key: "{{ element.name }}-{{ elementIndex }}", operator: Equals, value: c2-1}]}}}',
      ["r: fail: validation failure: m"],
    ],
    ["a list that is not there gives no answer", "{list: request.object.spec.none, pattern: {a: b}}", []],
    [
      "a list that is no list is one element",
      "{list: request.object.metadata, pattern: {name: web}}",
      ["r: pass: rule passed"],
    ],
    [
      "an element that is no map leaves the resource",
      "{list: request.object.spec.names, pattern: {metadata: {name: web}}}",
      ["r: pass: rule passed"],
    ],
    [
      "a map does so on demand",
      "{list: request.object.spec.containers, elementScope: false, pattern: {metadata: {name: web}}}",
      ["r: pass: rule passed"],
    ],
    [
      "what is no map cannot be held against on demand",
      "{list: request.object.spec.names, elementScope: true, pattern: {a: b}}",
      [
        "r: error: failed to process foreach: cannot use elementScope=true foreach rules for elements that are not maps, expected type=map got type=string",
      ],
    ],
    [
      "elements whose preconditions are not met, or cannot be evaluated, are passed over",
      '{list: request.object.spec.containers, preconditions: {all: [{key: "{{ element.none }}", operator: Equals, value: x}]}, pattern: {name: z}}',
      [],
    ],
    [
      "preconditions choose",
      '{list: request.object.spec.containers, preconditions: {all: [{key: "{{ element.name }}", operator: Equals, value: c1}]}, pattern: {image: "!*:latest"}}',
      ["r: pass: rule passed"],
    ],
    [
      "an entry of its own is loaded anew for each element",
      '{list: request.object.spec.containers, context: [{name: v, variable: {value: "{{ element.name }}"}}], deny: {conditions: {any: [{key: "{{ v }}", operator: Equals, value: c2}]}}}',
      ["r: fail: validation failure: m"],
    ],
    [
      "nested: each level has its names",
      '{list: request.object.spec.containers, foreach: [{list: element.ports, deny: {conditions: {any: [{key: "{{ element0.name }}:{{ element1.p }}:{{ element.p }}", operator: Equals, value: "c2:3:3"}]}}}]}',
      ["r: fail: validation failure: validation failure: m"],
    ],
    [
      "nested: all pass",
      "{list: request.object.spec.containers, foreach: [{list: element.ports, pattern: {p: '>0'}}]}",
      ["r: pass: rule passed"],
    ],
  ])("%s", (_, entry, want) => {
    expect(each(entry)).toEqual(want);
  });

  test("a list that cannot be evaluated is an error only where nothing was checked", () => {
    const broken = '{list: "length(`1`)", pattern: {a: b}}';
    expect(each(broken)[0]).toContain("r: error: failed to evaluate list: ");
    expect(each(`${broken}, {list: request.object.spec.containers, pattern: {name: "?*"}}`)).toEqual([
      "r: pass: rule passed",
    ]);
  });
});

test("report properties are rendered, and left out where a variable fails", () => {
  const rule = `- name: r
  match: {any: [{resources: {kinds: [Pod]}}]}
  reportProperties: {name: "{{ request.object.metadata.name }}", labels: "{{ request.object.metadata.labels }}", none: "{{ request.none }}"}
  validate: {message: m, pattern: {kind: Pod}}`;
  const verdict = evaluate(programOf(rule), requestFor(pod), noFacts);
  expect(verdict).toMatchObject({ rules: [{ properties: { name: "web", labels: '{"team":"a"}' } }] });
  expect(JSON.stringify(verdict)).not.toContain("none");
});

test.each(["podSecurity: {level: baseline}", 'cel: {expressions: [{expression: "true"}]}'])(
  "what is not evaluated yet is an error: %s",
  (check) => {
    expect(answer(`{message: m, ${check}}`)[0]).toMatch(/^r: error: validate\.\w+ is not supported yet$/);
  },
);
