/** Wildcards in the keys of labels and annotations. */
import { describe, expect, test } from "vitest";

import { Budget } from "#diag";
import { withInt64, type Json } from "#json";

import { compilePattern, type PatternOutcome, type PatternProgram } from "./compile-pattern.ts";

function run(program: PatternProgram, resource: Json): PatternOutcome {
  return program.match(resource, new Budget(100_000));
}

function labels(pattern: Json, resource: Json): PatternOutcome {
  return run(compilePattern(withInt64({ metadata: { labels: pattern } })), {
    metadata: { labels: resource },
  });
}

test.each([
  { name: "the key is found", pattern: { "app*": "x" }, resource: { "app.io/name": "x" }, want: "pass" },
  {
    name: "its value differs",
    pattern: { "app*": "x" },
    resource: { "app.io": "y" },
    want: "/metadata/labels/app.io/",
  },
  { name: "no key matches", pattern: { "app*": "x" }, resource: { b: "x" }, want: "/metadata/labels/app*/" },
  {
    name: "only keys with texts are found",
    pattern: { "app*": "x" },
    resource: { app1: 1, app2: "x" },
    want: "pass",
  },
  {
    name: "the first in order is taken",
    pattern: { "app*": "x" },
    resource: { app2: "y", app1: "x" },
    want: "pass",
  },
  {
    name: "anchors stay",
    pattern: { "=(app*)": "x" },
    resource: { app1: "y" },
    want: "/metadata/labels/app1/",
  },
  {
    name: "forbidden keys",
    pattern: { "X(app*)": "x" },
    resource: { app1: "y" },
    want: "/metadata/labels/app1/",
  },
  {
    name: "several wildcards",
    pattern: { "a*": "1", "b*": "2" },
    resource: { ax: "1", bx: "2" },
    want: "pass",
  },
  {
    name: "one of several fails",
    pattern: { "a*": "1", "b*": "2" },
    resource: { ax: "1", bx: "3" },
    want: "/metadata/labels/bx/",
  },
  { name: "what is no text is not compared", pattern: { a: 1, b: "x" }, resource: { b: "x" }, want: "pass" },
  { name: "nor beside wildcards", pattern: { a: 1, "b*": "x" }, resource: { b: "x" }, want: "pass" },
  { name: "but where there are no labels", pattern: { a: 1 }, resource: null, want: "/metadata/labels/" },
  { name: "nor any with wildcards", pattern: { "a*": "1" }, resource: "x", want: "/metadata/labels/" },
])("$name", ({ pattern, resource, want }) => {
  const got = labels(pattern, resource);
  expect(got.kind === "fail" ? got.path : got.kind).toBe(want);
});

describe("elsewhere a wildcard is a key like any other", () => {
  test.each<[string, Json, Json]>([
    ["below spec", { spec: { labels: { "a*": "x" } } }, { spec: { labels: { ab: "x" } } }],
    ["below other metadata", { metadata: { other: { "a*": "x" } } }, { metadata: { other: { ab: "x" } } }],
    ["below a list", { metadata: [{ labels: { "a*": "x" } }] }, { metadata: [{ labels: { ab: "x" } }] }],
    ["below labels", { metadata: { labels: { k: { "a*": "x" } } } }, { metadata: { labels: [] } }],
  ])("%s", (_, pattern, resource) => {
    expect(run(compilePattern(pattern), resource).kind).toBe("fail");
  });
});

test("metadata is metadata at any depth, under any anchor", () => {
  const pattern = { spec: { "=(template)": { "=(metadata)": { "=(annotations)": { "a*": "x" } } } } };
  const resource = (value: string): Json => ({
    spec: { template: { metadata: { annotations: { abc: value } } } },
  });
  expect(run(compilePattern(pattern), resource("x")).kind).toBe("pass");
  expect(run(compilePattern(pattern), resource("y"))).toMatchObject({
    path: "/spec/template/metadata/annotations/abc/",
  });
});

test("what was learnt from one resource does not leak into the next, however many there are", () => {
  const program = compilePattern({ metadata: { labels: { "a*": "x", "b*": "y" } } });
  for (let round = 0; round < 100; round += 1) {
    const good = { metadata: { labels: { [`a${round}`]: "x", [`b${round % 7}`]: "y" } } };
    const bad = { metadata: { labels: { [`a${round}`]: "x", [`b${round % 7}`]: "z" } } };
    expect(run(program, good).kind).toBe("pass");
    expect(run(program, bad)).toMatchObject({ path: `/metadata/labels/b${round % 7}/` });
  }
});
