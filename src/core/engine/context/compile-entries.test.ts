import { describe, expect, test } from "vitest";

import type { Json } from "#json";
import type { ContextEntry } from "#policy";
import { noFacts, objectOf, requestFor } from "../../../../test/support/policies.ts";
import { createProbe, type ProbeStart } from "../probe.ts";
import type { GivenValues } from "../request.ts";

const pod = objectOf(`
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: c1, image: "nginx:1"}]}
`);

type Variable = { readonly value?: Json; readonly jmesPath?: string; readonly default?: Json };

function variable(name: string, source: Variable): ContextEntry {
  return { name, source: { kind: "variable", ...source } };
}

function asked(entries: readonly ContextEntry[], text: string, more: Partial<ProbeStart> = {}): unknown {
  const probe = createProbe({ request: requestFor(pod), facts: noFacts, ...more });
  probe.load(entries);
  const answer = probe.query(text);
  return "error" in answer ? `error: ${answer.error}` : answer.value;
}

describe("variables", () => {
  test.each<[string, Variable, unknown]>([
    ["a value", { value: [1] }, [1]],
    ["with variables in it", { value: "{{ request.object.metadata.name }}!" }, "web!"],
    ["a query on the value", { value: { a: { b: 2 } }, jmesPath: "a.b" }, 2],
    ["a query on the context", { jmesPath: "request.object.metadata.name" }, "web"],
    ["a query that variables make", { value: { a: 1 }, jmesPath: "{{ 'a' }}" }, 1],
    ["the default stands for a query that fails", { jmesPath: "request.none", default: 1 }, 1],
    ["and for one on a value", { value: { a: 1 }, jmesPath: "none.x", default: 1 }, 1],
    ["and for one that finds nothing", { jmesPath: "`null`", default: 1 }, 1],
    ["a default alone", { default: "d" }, "d"],
    [
      "not for a value",
      { value: "{{ request.none }}", default: 1 },
      expect.stringContaining("error: failed to substitute variables in context entry v "),
    ],
    ["nothing at all", {}, "error: failed to add context entry for variable v since it evaluated to nil"],
    [
      "no query",
      { value: {}, jmesPath: "a b" },
      expect.stringContaining("failed to compile JMESPath: a b, error: "),
    ],
  ])("%s", (_, source, want) => {
    expect(asked([variable("v", source)], "v")).toEqual(want);
  });

  test("an entry sees those before it only, and an entry that nothing names is not read", () => {
    const later = [variable("a", { value: "{{ b }}" }), variable("b", { value: 1 })];
    expect(asked(later, "a")).toContain('Unknown key "b"');
    expect(asked([variable("b", { value: 1 }), variable("a", { value: "{{ b }}" })], "a")).toBe(1);
    expect(asked([variable("a", {})], "request.object.metadata.name")).toBe("web");
  });

  test.each([
    ["v", true],
    ["x || v", true],
    ["'v'", true],
    ["request.v", false],
    ["vv", false],
    ["av", false],
    ["v2", false],
  ])("whether %s names v: %s", (text, names) => {
    const failing = asked([variable("v", {})], text);
    expect(typeof failing === "string" && failing.includes("evaluated to nil")).toBe(names);
  });

  test("the size of all entries together has a limit", () => {
    const entries = [variable("a", { value: "1234" }), variable("b", { value: "ä" })];
    expect(asked(entries, "[a, b]", { maxBytes: 10 })).toEqual(["1234", "ä"]);
    expect(asked(entries, "[a, b]", { maxBytes: 9 })).toBe(
      "error: context size limit exceeded: 10 bytes exceeds limit of 9 bytes",
    );
  });
});

test("images of the resource are known without a declaration", () => {
  expect(asked([], "images.containers.c1.tag")).toBe("1");
});

describe("given values", () => {
  const given = (variables: GivenValues["variables"]): Partial<ProbeStart> => ({
    facts: { ...noFacts, given: { variables, rules: {}, foreach: {} } },
  });

  test.each<[string, GivenValues["variables"], string, unknown]>([
    ["a name", { a: 1 }, "a", 1],
    [
      "a path keeps what is beside it",
      { "request.object.metadata.x": 1 },
      "request.object.metadata",
      { name: "web", x: 1 },
    ],
    ["a quoted step", { 'a."b.c"': 1 }, 'a."b.c"', 1],
    ["through what is no map", { "request.operation.x": 1 }, "request.operation", { x: 1 }],
  ])("%s", (_, variables, text, want) => {
    expect(asked([], text, given(variables))).toEqual(want);
  });
});

test("random() hangs on the seed alone", () => {
  const drawn = (seed: number): unknown => asked([], "random('[a-z]{20}')", { facts: { ...noFacts, seed } });
  expect(drawn(1)).toBe(drawn(1));
  expect(drawn(1)).not.toBe(drawn(2));
});
