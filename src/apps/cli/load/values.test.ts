/** Values: what is read, what is refused, and which of them wins. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#json";
import { loadOne } from "#json";
import { wholeFile } from "./problem.ts";
import { compileValues, decodeValues, operationIn, parseSet } from "./values.ts";

function decode(text: string): ReturnType<typeof decodeValues> {
  return decodeValues(loadOne(text, "values.yaml").value as JsonObject, wholeFile("values.yaml", text), 0);
}

const text = `apiVersion: cli.kyverno.io/v1alpha1
kind: Values
globalValues:
  request.operation: UPDATE
  mode: global
policies:
- name: pol
  resources:
  - name: web
    values: {mode: own}
  rules:
  - name: r
    values: {dictionary.data.env: test}
    foreachValues: {element: [a, b], one: c}
namespaceSelector:
- name: shop
  labels: {team: a, level: 3}
namespaces:
- metadata: {name: shop, labels: {team: z}}
- metadata: {name: other, labels: {team: b}}
subresources:
- subresource: {name: pods/exec, kind: PodExecOptions, version: v1}
  parentResource: {name: pods, kind: Pod, version: v1}
`;

test("a values file is read whole", () => {
  const { values, problems } = decode(text);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(values.namespaceLabels)).toEqual({
    shop: { team: "a", level: "3" },
    other: { team: "b" },
  });
  expect(values.subresources).toEqual([
    { kind: "PodExecOptions", name: "exec", parent: { group: "", version: "v1", kind: "Pod" } },
  ]);
});

describe("the strongest value wins", () => {
  const valuesFor = compileValues(decode(text).values, { set: "1" });

  test.each([
    ["pol", "web", "own"],
    ["pol", "other", "global"],
    ["another", "web", "global"],
  ])("for %s and %s", (policy, resource, mode) => {
    expect(valuesFor(policy, resource)?.variables).toMatchObject({ mode, set: "1" });
  });

  test("rules and foreach belong to the policy", () => {
    expect(valuesFor("pol", "other")).toMatchObject({
      rules: { r: { "dictionary.data.env": "test" } },
      foreach: { r: { element: ["a", "b"], one: ["c"] } },
    });
    expect(valuesFor("another", "web")?.rules).toEqual({});
  });

  test("set wins over all", () => {
    expect(compileValues(decode(text).values, { mode: "set" })("pol", "web")?.variables["mode"]).toBe("set");
  });

  test("nothing given is nothing", () => {
    expect(compileValues(decode("kind: Values").values, {})("pol", "web")).toBeUndefined();
  });
});

test("a policy may stand in the file twice", () => {
  const twice = `policies:
- {name: p, resources: [{name: a, values: {x: 1}}]}
- {name: p, resources: [{name: b, values: {x: 2}}]}`;
  const valuesFor = compileValues(decode(twice).values, {});
  expect([valuesFor("p", "a")?.variables, valuesFor("p", "b")?.variables]).toEqual([{ x: 1 }, { x: 2 }]);
});

test.each([
  ["policies: {}", "/policies", "input/wrong-type"],
  ["globalValues: []", "/globalValues", "input/wrong-type"],
  ["policys: []", "/policys", "input/unknown-field"],
  ["policies: [{name: 1}]", "/policies/0/name", "input/wrong-type"],
  ["policies: [{name: a, resource: []}]", "/policies/0/resource", "input/unknown-field"],
])("%s is a problem at %s", (given, pointer, code) => {
  const { problems } = decode(given);
  expect(problems.map(({ diagnostic }) => [diagnostic.pointer, diagnostic.code])).toEqual([[pointer, code]]);
});

test.each([
  [["a=b", "c.d = e=f"], { a: "b", "c.d": "e=f" }],
  [["a=1", "a=2"], { a: "1" }],
  [["a"], "`--set a`: write it as name=value"],
  [["=a"], "`--set =a`: write it as name=value"],
  [["request.object.x=1"], "`--set request.object.x=1`: the resource itself cannot be set, edit its file"],
])("set %j", (items, want) => {
  expect(parseSet(items)).toEqual(want);
});

test.each([
  [{ "request.operation": "DELETE" }, "DELETE"],
  [{ request: { operation: "UPDATE" } }, "UPDATE"],
  [{ request: "x" }, undefined],
  [undefined, undefined],
])("the operation in %j is %s", (variables, want) => {
  expect(operationIn(variables)).toBe(want);
});
