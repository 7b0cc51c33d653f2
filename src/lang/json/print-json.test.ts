/** Text as Go prints it, equality and pointers, with the laws that tie them together. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase64Text } from "./base64.ts";
import { equalJson } from "./equality.ts";
import type { Json } from "./json.ts";
import { compareKeys } from "./key-order.ts";
import { appendPointer, joinPointer, parsePointer, valueAt } from "./pointer.ts";
import { printJson } from "./print-json.ts";

const json: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);

describe("JSON text", () => {
  test.each([
    [{ b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [0.000001, "0.000001"],
    [1e20, "100000000000000000000"],
    [-0, "-0"],
    [12n, "12"],
    ["\u2028 \u0001 \b \ud800 \u{1f600}", '"\\u2028 \\u0001 \\b \ufffd \u{1f600}"'],
    [{}, "{}"],
    [[], "[]"],
  ])("%#", (value, want) => {
    expect(printJson(value)).toBe(want);
  });

  test("HTML is escaped where asked", () => {
    expect(printJson("<a & b>")).toBe('"<a & b>"');
    expect(printJson("<a & b>", { escapeHtml: true })).toBe('"\\u003ca \\u0026 b\\u003e"');
  });

  test("indented as Go's MarshalIndent", () => {
    expect(printJson({ a: [1, {}], b: { c: 2 } }, { indent: 2 })).toBe(
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": {\n    "c": 2\n  }\n}',
    );
  });

  test("keys are in the order of their UTF-8 bytes", () => {
    const keys = ["\u{1f600}", "\uffff", "a", "B", "aa", ""];
    const bytes = (key: string): string => Buffer.from(key, "utf8").toString("hex");
    expect(keys.toSorted(compareKeys)).toEqual(keys.toSorted((a, b) => (bytes(a) < bytes(b) ? -1 : 1)));
  });

  test("equal values have equal texts, and only they", () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(printJson(left) === printJson(right)).toBe(equalJson(left, right));
        expect(equalJson(left, JSON.parse(printJson(left)) as Json)).toBe(true);
      }),
    );
  });
});

describe("equality", () => {
  test.each<[Json, Json, boolean]>([
    [{ a: 1, b: [1] }, { b: [1], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ toString: 1 }, {}, false],
    [{}, { toString: 1 }, false],
    [{}, [], false],
    [null, {}, false],
    ["1", 1, false],
    [0, -0, true],
  ])("%j and %j: %s", (left, right, want) => {
    expect(equalJson(left, right)).toBe(want);
    expect(equalJson(right, left)).toBe(want);
  });
});

describe("pointers", () => {
  test("steps and text are inverse", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("~", "/", "0", "1", "a") })), (steps) => {
        expect(parsePointer(joinPointer(steps))).toEqual(steps);
      }),
    );
  });

  test("a text without a leading slash is none", () => {
    expect(parsePointer("a/b")).toBeUndefined();
  });

  test("values are found by own members and plain indices only", () => {
    const root = { "a/b": [{ c: 1 }] };
    expect(valueAt(root, "/a~1b/0/c")).toBe(1);
    expect(valueAt(root, "")).toBe(root);
    expect(
      ["/toString", "/a~1b/00", "/a~1b/-1", "/a~1b/0/c/d", "x"].map((pointer) => valueAt(root, pointer)),
    ).toEqual(Array.from({ length: 5 }));
    expect(appendPointer("/a", 3)).toBe("/a/3");
  });
});

describe("base64", () => {
  test("decodes what Node encodes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const wellFormed = Buffer.from(text, "utf8").toString("utf8");
        expect(decodeBase64Text(Buffer.from(wellFormed).toString("base64"))).toBe(wellFormed);
      }),
    );
  });

  test("bytes that are no UTF-8 become replacement characters, one each", () => {
    expect(decodeBase64Text(Buffer.from([0xff, 0x61, 0xc3, 0xed, 0xa0, 0x80]).toString("base64"))).toBe(
      "\ufffda\ufffd\ufffd\ufffd\ufffd",
    );
  });

  test.each(["a", "ab=", "a===", "@@@@", "YQ="])("%s is none", (text) => {
    expect(decodeBase64Text(text)).toBeUndefined();
  });
});
