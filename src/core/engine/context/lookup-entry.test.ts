import { describe, expect, test } from "vitest";

import type { Json } from "#json";
import type { ContextEntry, ContextSource } from "#policy";
import { noFacts, requestFor } from "../../../../test/support/policies.ts";
import type { Fact } from "../request.ts";
import { createProbe } from "../probe.ts";

const request = requestFor({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });

function asked(source: ContextSource, text: string, facts: Readonly<Record<string, Fact>>): unknown {
  const entry: ContextEntry = { name: "e", source };
  const probe = createProbe({ request, facts: { ...noFacts, lookups: new Map(Object.entries(facts)) } });
  probe.load([entry]);
  const answer = probe.query(text);
  return "error" in answer ? `error: ${answer.error}` : answer.value;
}

const value = (data: Json): Fact => ({ kind: "value", value: data });
const gone: Fact = { kind: "error", reason: "not-found", message: "gone" };
const call = {
  kind: "apiCall",
  method: "GET",
  urlPath: "/api/v1/{{ request.object.metadata.name }}",
} as const;
const callKey = 'apiCall {"method":"GET","urlPath":"/api/v1/web"}';
const global = { kind: "globalReference", name: "g" } as const;
const image = { kind: "imageRegistry", reference: "nginx:1" } as const;

describe("lookups", () => {
  test.each<readonly [string, ContextSource, string, string, Fact, unknown]>([
    [
      "a ConfigMap has data and metadata, in `default`",
      { kind: "configMap", name: "m" },
      "e",
      'configMap {"name":"m","namespace":"default"}',
      value({ data: { a: "b" }, kind: "x" }),
      { data: { a: "b" }, metadata: {} },
    ],
    ["variables name what is called", call, "e", callKey, value([1]), [1]],
    ["a query on the answer", { ...call, jmesPath: "items[0]" }, "e", callKey, value({ items: [7] }), 7],
    [
      "one that fails",
      { ...call, jmesPath: "none.x" },
      "e",
      callKey,
      value({}),
      expect.stringContaining(
        "error: failed to store data for APICall: failed to apply JMESPath none.x for context entry e: ",
      ),
    ],
    ["a call that fails", call, "e", callKey, gone, "error: failed to fetch data for APICall: gone"],
    [
      "its default, which the query leaves alone",
      { ...call, jmesPath: "a", default: { d: 1 } },
      "e",
      callKey,
      gone,
      { d: 1 },
    ],
    ["a global entry", { ...global, jmesPath: "a" }, "e", 'globalReference {"name":"g"}', value({ a: 1 }), 1],
    [
      "a global entry that is not there",
      global,
      "e",
      'globalReference {"name":"g"}',
      gone,
      "error: failed to marshal APICall data for context entry e: gone",
    ],
    ["image data", image, "e.tag", 'imageData {"reference":"nginx:1"}', value({ tag: "1" }), "1"],
    [
      "image data that are not there",
      image,
      "e",
      'imageData {"reference":"nginx:1"}',
      gone,
      "error: failed to fetch image descriptor: nginx:1, error: gone",
    ],
    [
      "what is unset is unknown",
      call,
      "e",
      callKey,
      { kind: "unset" },
      expect.stringContaining('Unknown key "e"'),
    ],
  ])("%s", (...[, source, text, key, fact, want]) => {
    expect(asked(source, text, { [key]: fact })).toEqual(want);
  });

  test("without an answer evaluation waits", () => {
    expect(asked(call, "e", {})).toBe("error: a lookup has no answer");
  });

  test("a variable that fails names the entry", () => {
    expect(asked({ ...call, urlPath: "{{ none }}" }, "e", {})).toContain(
      "error: failed to fetch data for APICall: failed to substitute variables in context entry e {{ none }}: failed to resolve none at path /urlPath: ",
    );
  });

  const configMap = { kind: "configMap", name: "m" } as const;
  const wrapped = "error: failed to retrieve config map for context entry e: ";
  test.each<readonly [string, ContextSource, string]>([
    [
      "the name of a ConfigMap fails",
      { ...configMap, name: "{{ none }}" },
      'failed to substitute variables in context e configMap.name {{ none }}: failed to resolve none at path : JMESPath query failed: Unknown key "none" in path',
    ],
    [
      "the name is no string",
      { ...configMap, name: "{{ `1` }}" },
      "failed to substitute variables in context e configMap.name {{ `1` }}: expected string, got int64",
    ],
    [
      "the namespace fails",
      { ...configMap, namespace: "{{ none }}" },
      'failed to substitute variables in context e configMap.namespace {{ none }}: failed to resolve none at path : JMESPath query failed: Unknown key "none" in path',
    ],
  ])("%s", (_, source, cause) => {
    expect(asked(source, "e", {})).toBe(`${wrapped}${cause}`);
  });

  test("a ConfigMap that is not there is named", () => {
    const facts = { 'configMap {"name":"m","namespace":"default"}': gone };
    expect(asked(configMap, "e", facts)).toBe(`${wrapped}failed to get configmap default/m : gone`);
  });

  test("a default stands for a call whose variables fail, and is data", () => {
    const source = { ...call, urlPath: "{{ none }}", default: "{{ none }}" };
    expect(asked(source, "e", {})).toBe("{{ none }}");
  });

  test("a query with variables that fail", () => {
    const failing = "{{ none }}";
    const facts = { [callKey]: value([1]), 'imageData {"reference":"nginx:1"}': value({}) };
    expect(asked({ ...call, jmesPath: failing }, "e", facts)).toContain(
      "error: failed to substitute variables in context entry e JMESPath {{ none }}: ",
    );
    expect(asked({ ...image, jmesPath: failing }, "e", facts)).toContain(
      "error: failed to substitute variables in context entry e {{ none }}: ",
    );
    expect(asked({ ...image, jmesPath: "x" }, "e", facts)).toBe(
      'error: failed to apply JMESPath (x) results to context entry e, error: Unknown key "x" in path',
    );
  });
});
