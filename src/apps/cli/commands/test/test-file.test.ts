/** Test files: what is read, and what is wrong with the others, each with its place. */
import { describe, expect, test } from "vitest";

import { loadYaml } from "#json";

import { decodeTestFile, type DecodedTest } from "./test-file.ts";

const head = "apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\n";

function decode(text: string): DecodedTest {
  const value = loadYaml(text, "t.yaml").documents[0]?.value ?? null;
  return decodeTestFile(value, { file: "t.yaml", document: 0 });
}

test("every field is read, whatever the case of its key", () => {
  const { test: decoded, diagnostics } = decode(`${head}metadata: {name: t}
Policies: [p.yaml]
RESOURCES: [r.yaml]
targetResources: [t.yaml]
exceptions: [e.yaml]
clusterResources: [c.yaml]
jsonPayload: j.json
httpPayloads: [h.json]
variables: v.yaml
values: {globalValues: {a: b}}
userInfo: u.yaml
context: x.yaml
apiCallResponses: [{urlPath: /a}]
globalContextEntries: [{name: g}]
results:
- {policy: p, rule: r, kind: Pod, result: fail, resources: [a], operation: UPDATE, generatedResource: g.yaml}
- {policy: p, result: skip, resourceSpecs: [{kind: Pod, name: a}], failOnMissingResources: true, isValidatingPolicy: false}
`);
  expect(diagnostics).toEqual([]);
  expect(decoded).toEqual({
    file: "t.yaml",
    document: 0,
    name: "t",
    policies: ["p.yaml"],
    resources: ["r.yaml"],
    targetResources: ["t.yaml"],
    exceptions: ["e.yaml"],
    clusterResources: ["c.yaml"],
    payloads: ["j.json", "h.json"],
    variables: "v.yaml",
    values: { globalValues: { a: "b" } },
    userinfo: "u.yaml",
    context: "x.yaml",
    apiCallResponses: [{ urlPath: "/a" }],
    globalContextEntries: [{ name: "g" }],
    results: [
      {
        policy: "p",
        rule: "r",
        kind: "Pod",
        result: "fail",
        resources: ["a"],
        resourceSpecs: [],
        operation: "UPDATE",
        generatedResources: ["g.yaml"],
        failOnMissingResources: false,
        pointer: "/results/0",
      },
      {
        policy: "p",
        rule: "",
        kind: "",
        result: "skip",
        resources: [],
        resourceSpecs: [{ kind: "Pod", name: "a" }],
        generatedResources: [],
        failOnMissingResources: true,
        pointer: "/results/1",
      },
    ],
  });
});

test("null counts as absent", () => {
  expect(decode(`${head}policies: null\nresults: null\n`).test).toMatchObject({ policies: [], results: [] });
});

describe("what is wrong is said with its place", () => {
  const one = (result: string): string => `${head}results: [${result}]\n`;

  test.each([
    { name: "a text", text: "nothing", at: [["", "test/wrong-type"]] },
    {
      name: "another kind",
      text: "apiVersion: v1\nkind: Pod\n",
      at: [
        ["/kind", "test/not-a-test"],
        ["/apiVersion", "test/not-a-test"],
      ],
    },
    { name: "an unknown field", text: `${head}polices: []\n`, at: [["/polices", "test/unknown-field"]] },
    { name: "a key with a slash", text: `${head}a/b~c: 1\n`, at: [["/a~1b~0c", "test/unknown-field"]] },
    {
      name: "texts that are numbers",
      text: `${head}policies: [1]\n`,
      at: [["/policies", "test/wrong-type"]],
    },
    {
      name: "a text that is a list",
      text: `${head}variables: []\n`,
      at: [["/variables", "test/wrong-type"]],
    },
    { name: "values that are a text", text: `${head}values: v.yaml\n`, at: [["/values", "test/wrong-type"]] },
    { name: "results that are no list", text: `${head}results: {}\n`, at: [["/results", "test/wrong-type"]] },
    { name: "a result that is a text", text: one("x"), at: [["/results/0", "test/wrong-type"]] },
    { name: "no result", text: one("{policy: p}"), at: [["/results/0", "test/missing-field"]] },
    { name: "no policy", text: one("{result: pass}"), at: [["/results/0", "test/missing-field"]] },
    {
      name: "a policy that is a number",
      text: one("{policy: 1, result: pass}"),
      at: [["/results/0/policy", "test/wrong-type"]],
    },
    {
      name: "another word",
      text: one("{policy: p, result: Pass}"),
      at: [["/results/0/result", "test/wrong-value"]],
    },
    {
      name: "another operation",
      text: one("{policy: p, result: pass, operation: CONNECT}"),
      at: [["/results/0/operation", "test/wrong-value"]],
    },
    {
      name: "a switch that is a text",
      text: one("{policy: p, result: pass, failOnMissingResources: 'yes'}"),
      at: [["/results/0/failOnMissingResources", "test/wrong-type"]],
    },
    {
      name: "specs that are no list, and an unknown field in one",
      text: one(
        "{policy: p, result: pass, resourceSpecs: {}}, {policy: p, result: pass, resourceSpecs: [{nam: a}]}",
      ),
      at: [
        ["/results/0/resourceSpecs", "test/wrong-type"],
        ["/results/1/resourceSpecs/0/nam", "test/unknown-field"],
      ],
    },
  ])("$name", ({ text, at }) => {
    const { test: decoded, diagnostics } = decode(text.includes(":") ? text : `"${text}"`);
    expect(decoded).toBeUndefined();
    expect(diagnostics.map(({ pointer, code }) => [pointer, code])).toEqual(at);
  });

  test("a misspelt field has a suggestion", () => {
    expect(decode(`${head}polices: []\n`).diagnostics[0]?.help).toBe("did you mean `policies`?");
  });
});

test.each([
  ["no apiVersion and kind, the name at the top", "name: old\nresults: [{resource: a}]\n", "/name"],
  ["no kind", "apiVersion: cli.kyverno.io/v1alpha1\nmetadata: {name: t}\n", ""],
  ["the name at the top alone", `${head}name: old\n`, "/name"],
])("the deprecated schema is one error with the fix: %s", (_name, text, pointer) => {
  const { diagnostics } = decode(text);
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject({ code: "test/not-a-test", pointer });
  expect(diagnostics[0]?.help).toContain("`kind: Test`");
});
