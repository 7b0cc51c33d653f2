/** Values of tests in their places. */
import { expect, test } from "vitest";

import type { Json, JsonObject } from "#json";

import { givenRoot, splitPath } from "./given-values.ts";

test.each<[path: string, parts: readonly string[]]>([
  ["a", ["a"]],
  ["a.b.c", ["a", "b", "c"]],
  ['a."b.c".d', ["a", "b.c", "d"]],
  ["", [""]],
])("%s", (path, parts) => {
  expect(splitPath(path)).toEqual(parts);
});

test.each<[values: Record<string, Json>, root: JsonObject]>([
  [{ v: 1 }, { request: { operation: "CREATE", object: { a: 1 } }, v: 1 }],
  [{ "request.operation": "UPDATE" }, { request: { operation: "UPDATE", object: { a: 1 } } }],
  [{ "request.object.b": 2 }, { request: { operation: "CREATE", object: { a: 1, b: 2 } } }],
  [{ "request.operation.x": 1 }, { request: { operation: { x: 1 }, object: { a: 1 } } }],
  [
    { 'm.data."a.b"': "x" },
    { request: { operation: "CREATE", object: { a: 1 } }, m: { data: { "a.b": "x" } } },
  ],
])("%j", (values, root) => {
  const before: JsonObject = { request: { operation: "CREATE", object: { a: 1 } } };
  expect(givenRoot(before, values)).toEqual(root);
  expect(before).toEqual({ request: { operation: "CREATE", object: { a: 1 } } });
});

test("the root itself where nothing is given", () => {
  const root = { a: 1 };
  expect(givenRoot(root, undefined)).toBe(root);
});
