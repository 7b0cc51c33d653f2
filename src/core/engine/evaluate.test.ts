import { describe, expect, test } from "vitest";

import { answersOf, noFacts, objectOf, programOf, requestFor } from "../../../test/support/policies.ts";
import { evaluate } from "./evaluate.ts";
import type { Fact, Facts } from "./request.ts";
import type { TraceStep } from "./trace.ts";

const pod = objectOf(`
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {team: a}}
spec: {containers: [{name: c1, image: nginx:1}, {name: c2, image: "redis:latest"}]}
`);

function rule(name: string, body: string, more = ""): string {
  return `- name: ${name}\n  match: {any: [{resources: {kinds: [Pod]}}]}\n${more}  validate: ${body}`;
}

const failing = "{message: m, pattern: {metadata: {name: other}}}";
const passing = '{message: m, pattern: {metadata: {name: "?*"}}}';

function withLookups(lookups: Readonly<Record<string, Fact>>): Facts {
  return { ...noFacts, lookups: new Map(Object.entries(lookups)) };
}

describe("order and selection", () => {
  test("rules answer in their order, and one that does not match gives no answer", () => {
    const other = rule("b", passing).replace("[Pod]", "[Service]");
    const program = programOf([rule("a", failing), other, rule("c", passing)].join("\n"));
    expect(answersOf(program, requestFor(pod))).toEqual([
      "a: fail: validation error: m. rule a failed at path /metadata/name/",
      "c: pass: validation rule 'c' passed.",
    ]);
  });

  test("applyRules One stops after the first pass or fail, not after a skip", () => {
    const skipping = "{message: m, pattern: {spec: {(hostNetwork): true}}}";
    const rules = [rule("a", skipping), rule("b", failing), rule("c", passing)].join("\n");
    const program = programOf(rules, { spec: "  applyRules: One" });
    expect(
      answersOf(program, requestFor(pod)).map((answer) => answer.split(":").slice(0, 2).join(":")),
    ).toEqual(["a: skip", "b: fail"]);
  });

  test("a pattern has no answer on DELETE, a deny rule has", () => {
    const program = programOf([rule("a", failing), rule("b", "{message: gone, deny: {}}")].join("\n"));
    const request = requestFor(pod, { operation: "DELETE", object: null, oldObject: pod });
    expect(answersOf(program, request)).toEqual(["b: fail: gone"]);
  });
});

describe("lookups", () => {
  const context = (...entries: readonly string[]): string => `  context: [${entries.join(", ")}]\n`;
  const map = (name: string, source: string): string =>
    `{name: ${name}, configMap: {name: ${source}, namespace: shop}}`;
  const key = (name: string): string => `configMap {"name":"${name}","namespace":"shop"}`;
  const denyIf = (text: string): string =>
    `{message: "got {{ ${text} }}", deny: {conditions: {any: [{key: "{{ ${text} }}", operator: Equals, value: "x"}]}}}`;
  const value = (data: string): Fact => ({ kind: "value", value: { data: { k: data }, metadata: {} } });

  test("one pass names the lookups of all rules and of all entries that do not hang on each other", () => {
    const program = programOf(
      [
        rule("a", denyIf("one.data.k"), context(map("one", "first"), map("two", "second"))),
        rule("b", denyIf("three.data.k"), context(map("three", "third"))),
      ].join("\n"),
    );
    expect(answersOf(program, requestFor(pod))).toEqual(
      [key("first"), key("second"), key("third")].map((k) => `needs ${k}`),
    );
  });

  test("all elements of a foreach name their lookups in one pass, and none is a POST", () => {
    const entry = (more: string): string =>
      `{name: image, apiCall: {urlPath: "/images/{{ element.name }}"${more}}}`;
    const each = (more: string): string =>
      `{message: m, foreach: [{list: request.object.spec.containers, context: [${entry(more)}], deny: {conditions: {any: [{key: "{{ image }}", operator: Equals, value: bad}]}}}]}`;
    const call = (name: string, more: string): string => `apiCall {${more}"urlPath":"/images/${name}"}`;
    const get = programOf(rule("a", each("")));
    const keys = ["c1", "c2"].map((name) => call(name, '"method":"GET",'));
    expect(answersOf(get, requestFor(pod))).toEqual(keys.map((name) => `needs ${name}`));
    const facts = withLookups({
      [keys[0] ?? ""]: { kind: "value", value: "good" },
      [keys[1] ?? ""]: { kind: "value", value: "bad" },
    });
    expect(answersOf(get, requestFor(pod), facts)).toEqual(["a: fail: validation failure: m"]);
    const post = programOf(rule("a", each(", method: POST, data: [{key: k, value: v}]")));
    expect(answersOf(post, requestFor(pod))).toHaveLength(1);
  });

  test("an entry that hangs on another one is named in the next pass", () => {
    const program = programOf(
      rule("a", denyIf("two.data.k"), context(map("one", "first"), map("two", '"{{ one.data.k }}"'))),
    );
    expect(answersOf(program, requestFor(pod))).toEqual([`needs ${key("first")}`]);
    expect(answersOf(program, requestFor(pod), withLookups({ [key("first")]: value("next") }))).toEqual([
      `needs ${key("next")}`,
    ]);
    const facts = withLookups({ [key("first")]: value("next"), [key("next")]: value("x") });
    expect(answersOf(program, requestFor(pod), facts)).toEqual(["a: fail: got x"]);
  });

  test("an entry that nothing names is never looked up", () => {
    const program = programOf(rule("a", passing, context(map("one", "first"))));
    expect(answersOf(program, requestFor(pod))).toEqual(["a: pass: validation rule 'a' passed."]);
  });

  test("a POST is not made before it is needed", () => {
    const post =
      "{name: two, apiCall: {method: POST, service: {url: https://s}, data: [{key: a, value: b}]}}";
    const program = programOf(rule("a", denyIf("one.data.k"), context(map("one", "first"), post)));
    expect(answersOf(program, requestFor(pod))).toEqual([`needs ${key("first")}`]);
  });

  test("a lookup that failed is an error of the rule, in upstream's words", () => {
    const program = programOf(rule("a", denyIf("one.data.k"), context(map("one", "first"))));
    const facts = withLookups({
      [key("first")]: { kind: "error", reason: "not-found", message: "not found" },
    });
    expect(answersOf(program, requestFor(pod), facts)[0]).toContain(
      "a: error: failed to check deny conditions: failed to substitute variables in condition key: failed to resolve one.data.k at path : failed to retrieve config map",
    );
  });

  test("what is unset stays unknown, and a given value stands for it", () => {
    const program = programOf(rule("a", denyIf("one.data.k"), context(map("one", "first"))));
    const unset = withLookups({ [key("first")]: { kind: "unset" } });
    expect(answersOf(program, requestFor(pod), unset)[0]).toContain('Unknown key "one" in path');
    const given = { variables: {}, rules: { a: { "one.data.k": "x" } }, foreach: {} };
    expect(answersOf(program, requestFor(pod), { ...unset, given })).toEqual(["a: fail: got x"]);
  });
});

describe("budget", () => {
  test("a rule that spends too much is an error, and the rules after it have nothing left", () => {
    const loop = rule(
      "a",
      `{message: m, deny: {conditions: {any: [{key: "x{{ v }}", operator: Equals, value: y}]}}}`,
      "  context: [{name: v, variable: {value: \"\\\\{{ v }}{{ 'a' }}\"}}]\n",
    );
    const program = { ...programOf(loop), budget: 3 };
    expect(answersOf(program, requestFor(pod))).toEqual([
      "a: error: the evaluation was stopped: it needs more than 3 steps",
    ]);
  });

  test("a variable that holds itself ends", () => {
    const body =
      '{message: m, deny: {conditions: {any: [{key: "x{{ request.object.metadata.annotations.loop }}", operator: Equals, value: y}]}}}';
    const looping = {
      ...pod,
      metadata: {
        name: "web",
        annotations: { loop: "{{ request.object.metadata.annotations.loop }}{{ 'a' }}" },
      },
    };
    const [answer] = answersOf(programOf(rule("a", body)), requestFor(looping));
    expect(answer).toContain("a: error: the evaluation was stopped");
  });
});

describe("exceptions", () => {
  const exception = (spec: string): string => `---
apiVersion: kyverno.io/v2
kind: PolicyException
metadata: {name: x, namespace: shop}
spec:
  exceptions: [{policyName: p, ruleNames: ["a*"]}]
  ${spec}`;

  test.each([
    ["matches", "match: {any: [{resources: {kinds: [Pod], names: [web]}}]}", "skip"],
    ["is for another name", "match: {any: [{resources: {kinds: [Pod], names: [db]}}]}", "fail"],
    [
      "has conditions that hold",
      'match: {any: [{resources: {kinds: [Pod]}}]}\n  conditions: {any: [{key: "{{ request.object.metadata.labels.team }}", operator: Equals, value: a}]}',
      "skip",
    ],
    [
      "has conditions that do not",
      'match: {any: [{resources: {kinds: [Pod]}}]}\n  conditions: {any: [{key: "{{ request.object.metadata.labels.team }}", operator: Equals, value: b}]}',
      "fail",
    ],
  ])("one that %s", (_, spec, status) => {
    const program = programOf(rule("a1", failing), { more: exception(spec) });
    const verdict = evaluate(program, requestFor(pod), noFacts);
    expect(verdict.kind === "verdict" && verdict.rules[0]?.status).toBe(status);
    if (status === "skip") {
      expect(verdict.kind === "verdict" && verdict.rules[0]?.exceptions).toEqual(["shop/x"]);
    }
  });
});

describe("existing violations", () => {
  const update = (
    old: typeof pod,
    operation: "CREATE" | "UPDATE" = "UPDATE",
  ): ReturnType<typeof requestFor> => requestFor(pod, { operation, oldObject: old });
  const good = { ...pod, metadata: { name: "other", namespace: "shop" } };

  test.each([
    {
      name: "an object that was in violation before is let through",
      action: "Enforce",
      allow: true,
      old: pod,
      status: "skip",
    },
    { name: "one that was not is refused", action: "Enforce", allow: true, old: good, status: "fail" },
    {
      name: "nothing is let through where the rule says so",
      action: "Enforce",
      allow: false,
      old: pod,
      status: "fail",
    },
    {
      name: "an audited failure is reported as it is",
      action: "Audit",
      allow: true,
      old: pod,
      status: "fail",
    },
  ])("$name", ({ action, allow, old, status }) => {
    const body = failing.replace("{", `{failureAction: ${action}, allowExistingViolations: ${allow}, `);
    const verdict = evaluate(programOf(rule("a", body)), update(old), noFacts);
    expect(verdict.kind === "verdict" && verdict.rules[0]?.status).toBe(status);
  });

  test("a rule for somebody's updates does not excuse them: the old object is a stranger's", () => {
    const named = `- name: a\n  match: {any: [{resources: {kinds: [Pod]}, subjects: [{kind: User, name: eve}]}]}\n  validate: ${failing.replace("{", "{failureAction: Enforce, ")}`;
    const request = { ...update(pod), userInfo: { username: "eve", groups: [] } };
    const verdict = evaluate(programOf(named), request, noFacts);
    expect(verdict.kind === "verdict" && verdict.rules[0]?.status).toBe("fail");
  });
});

test("a rule type that is not evaluated yet is an error, never a pass", () => {
  const mutate =
    "- name: a\n  match: {any: [{resources: {kinds: [Pod]}}]}\n  mutate: {patchStrategicMerge: {metadata: {labels: {x: z}}}}";
  expect(answersOf(programOf(mutate), requestFor(pod))).toEqual(["a: error: mutate is not supported yet"]);
});

test("a traced program says step by step what it did, and answers the same", () => {
  const rules = [
    rule("a", passing).replace("[Pod]", "[Service]"),
    rule("b", failing, "  preconditions: {all: [{key: a, operator: Equals, value: a}]}\n"),
    rule("c", passing, "  preconditions: {all: [{key: a, operator: Equals, value: b}]}\n"),
  ].join("\n");
  const steps: string[] = [];
  const sink = { emit: (step: TraceStep) => void steps.push(`${step.rule} ${step.step}: ${step.outcome}`) };
  const verdict = evaluate(programOf(rules, { traced: true }), requestFor(pod), noFacts, sink);
  expect(steps).toEqual([
    "a match: rule a not matched:\n 1. no resource matched",
    "b precondition: went on",
    "b check: fail: validation error: m. rule b failed at path /metadata/name/",
    "c precondition: skip: preconditions not met",
  ]);
  expect(verdict).toEqual(evaluate(programOf(rules), requestFor(pod), noFacts));
});
