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
      expect.stringContaining("error: failed to apply JMESPath none.x for context entry e: "),
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
      "error: failed to fetch data for global context entry: gone",
    ],
    ["image data", image, "e.tag", 'imageData {"reference":"nginx:1"}', value({ tag: "1" }), "1"],
    [
      "image data that are not there",
      image,
      "e",
      'imageData {"reference":"nginx:1"}',
      gone,
      "error: failed to fetch image data for nginx:1 in context entry e: gone",
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
      "error: failed to substitute variables in context entry e: failed to resolve none at path ",
    );
  });
});
