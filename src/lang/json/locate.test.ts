/** Places: line and column of keys and values, in YAML and JSON, behind aliases, and near what is missing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, isObject } from "./json.ts";
import type { Json } from "./json.ts";
import { locate, locateNearest } from "./locate.ts";
import { appendPointer } from "./pointer.ts";

const text = `# a comment
first: 1
---
spec:
  containers:
    - name: x
      image: 'y'
    - {name: z, ports: [80, 443]}
  'q/w~': 3
  "y": 4
  y: 5
base: &base
  level: low
over:
  <<: *base
  deep: *base
`;

/** The text under the place, up to the end of its first line. */
function textAt(pointer: string, part: "key" | "value", source = text, index = 1): string | undefined {
  const span = locate(source, index, pointer, part);
  return span === undefined ? undefined : source.slice(span.start.offset, span.end.offset).split("\n")[0];
}

describe("values and keys", () => {
  test.each([
    { pointer: "/spec", key: "spec", value: "containers:" },
    { pointer: "/spec/containers/0/name", key: "name", value: "x" },
    { pointer: "/spec/containers/0/image", key: "image", value: "'y'" },
    { pointer: "/spec/containers/1", key: "{", value: "{name: z, ports: [80, 443" },
    { pointer: "/spec/containers/1/ports/1", key: "443", value: "443" },
    { pointer: "/spec/q~1w~0", key: "'q/w~'", value: "3" },
    { pointer: "/spec/y", key: '"y"', value: "4" },
    { pointer: "/spec/true", key: "y", value: "5" },
    { pointer: "/over/level", key: "level", value: "low" },
    { pointer: "/over/deep/level", key: "level", value: "low" },
  ])("$pointer", ({ pointer, key, value }) => {
    expect([textAt(pointer, "key"), textAt(pointer, "value")]).toEqual([key, value]);
  });

  test("lines and columns count from 1 over the whole file", () => {
    expect(locate(text, 1, "/spec/containers/0/image")?.start).toEqual({
      line: 7,
      column: 14,
      offset: text.indexOf("'y'"),
    });
    expect(locate(text, 0, "/first")?.start).toMatchObject({ line: 2, column: 8 });
  });

  test("JSON", () => {
    const source = '{\n  "a": {"b/c": [1, "x"]},\n\t"d": null\n}';
    expect(textAt("/a/b~1c/1", "value", source, 0)).toBe('"x"');
    expect(textAt("/d", "key", source, 0)).toBe('"d"');
    expect(locate(source, 0, "/d")?.start).toMatchObject({ line: 3, column: 7 });
  });

  test("lines that had to be indented to be read keep their own places", () => {
    const source = "a: {\nb: 1,\n c: 2\n}\nd: 3\n";
    expect(locate(source, 0, "/a/b")?.start).toMatchObject({ line: 2, column: 4 });
    expect(locate(source, 0, "/a/c")?.start).toMatchObject({ line: 3, column: 5 });
    expect(locate(source, 0, "/d")?.start).toMatchObject({ line: 5, column: 4 });
  });
});

describe("what is not there", () => {
  test.each(["/nothing", "/spec/containers/2", "/spec/containers/01", "/spec/containers/0/name/x", "spec"])(
    "%s",
    (pointer) => {
      expect(locate(text, 1, pointer)).toBeUndefined();
    },
  );

  test("no such document, or a broken one", () => {
    expect(locate(text, 2, "")).toBeUndefined();
    expect(locate("a: [", 0, "")).toBeUndefined();
  });

  test.each([
    ["/spec/containers/0/securityContext/runAsUser", 6],
    ["/spec/containers/9", 5],
    ["/spec/zzz", 4],
    ["/over/deep/none", 16],
  ])("the nearest of %s is on line %d", (pointer, line) => {
    expect(locateNearest(text, 1, pointer)?.start.line).toBe(line);
  });
});

function* pointers(value: Json, base = ""): Generator<string> {
  yield base;
  if (isArray(value))
    for (const [index, item] of value.entries()) yield* pointers(item, appendPointer(base, index));
  if (isObject(value))
    for (const [key, item] of Object.entries(value)) yield* pointers(item, appendPointer(base, key));
}

test("every pointer of a JSON document has its place, and the place holds the value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const source = JSON.stringify({ root: value }, null, 1);
      for (const pointer of pointers(JSON.parse(source) as Json)) {
        const span = locate(source, 0, pointer);
        expect(span, pointer).toBeDefined();
      }
    }),
  );
});
