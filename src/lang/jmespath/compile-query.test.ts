import { describe, expect, test } from "vitest";
import { Budget, Interruption } from "#diag";
import type { Json } from "#json";
import { compileQuery, isSyntaxError } from "./compile-query.ts";
import { functionTable } from "./functions/table.ts";
import { QueryError, QuerySyntaxError } from "./query-error.ts";
import type { QueryRun } from "./query-run.ts";

function createRun(steps = 100_000): QueryRun {
  return {
    budget: new Budget(steps),
    nowMs: 1_700_000_000_000,
    random: () => 0.5,
    externalHost: (host) => host.endsWith(".example"),
  };
}

function ask(source: string, data: Json = {}, run: QueryRun = createRun()): Json | QueryError {
  const compiled = compileQuery(source);
  if (isSyntaxError(compiled)) throw new Error(compiled.message);
  return compiled.evaluate(data, run);
}

function complaint(source: string, data: Json = {}): string {
  const answer = ask(source, data);
  return answer instanceof QueryError ? `${answer.kind}: ${answer.message}` : "no error";
}

describe("an unknown key", () => {
  const data = { a: { b: 1 }, list: [{ k: 1 }, {}], none: null };

  test.each([
    ["nope", 'unknown-key: Unknown key "nope" in path'],
    ["a.nope", 'unknown-key: Unknown key "nope" in path'],
    ["nope[0]", 'unknown-key: Unknown key "nope" in path'],
    ["nope.{x: y}", 'unknown-key: Unknown key "nope" in path'],
    ["nope.length(@)", 'unknown-key: Unknown key "nope" in path'],
    ["a && nope", 'unknown-key: Unknown key "nope" in path'],
    ["(nope)", 'unknown-key: Unknown key "nope" in path'],
  ])("leaves %s as an error", (source, error) => {
    expect(complaint(source, data)).toBe(error);
  });

  test.each<[string, Json]>([
    ["none.x", null],
    ["a.b.c", null],
    ["nope || 'd'", "d"],
    ["nope || other", null],
    ["nope.length(@) || 'd'", "d"],
    ["nope && a", null],
    ["!nope", true],
    ["nope == `null`", true],
    ["nope > `1`", null],
    ["nope | @", null],
    ["a | nope", null],
    ["nope[*].x", null],
    ["nope[].x", null],
    ["nope[?x]", null],
    ["nope[1:]", null],
    ["nope.*", null],
    ["list[*].k", [1]],
    ["list[?k]", [{ k: 1 }]],
    ["[nope]", [null]],
    ["{x: nope}", { x: null }],
    ["not_null(nope, 'd')", "d"],
    ["map(&k, list)", [1, null]],
  ])("is null inside %s", (source, want) => {
    expect(ask(source, data)).toEqual(want);
  });
});

describe("members that every object inherits", () => {
  test.each(["constructor", "toString", "hasOwnProperty", "__proto__", "a.valueOf"])(
    "%s is unknown",
    (key) => {
      expect(complaint(key, { a: {} })).toContain("unknown-key");
    },
  );

  test("are found where the document has them", () => {
    expect(ask("constructor.__proto__", JSON.parse('{"constructor":{"__proto__":1}}') as Json)).toBe(1);
  });

  test("can be made by multi-selects, merge and items without harm", () => {
    const made = ask('merge({"__proto__": `1`}, {constructor: `2`})');
    expect(JSON.stringify(made)).toBe('{"__proto__":1,"constructor":2}');
    expect(JSON.stringify(ask("items(@, '__proto__', 'v')", { k: 1 }))).toBe('[{"__proto__":"k","v":1}]');
  });

  test("a list has no field length", () => {
    expect(ask("l.length", { l: [1] })).toBeNull();
  });
});

describe("values", () => {
  test("are shared with the document, not copied", () => {
    const data = { list: [{ a: 1 }, { a: 2 }] };
    expect(ask("list[*]", data)).toBe(data.list);
    expect(ask("list[0]", data)).toBe(data.list[0]);
  });

  test("sort_by, sort and reverse leave the document as it is", () => {
    const data = { list: [3, 1, 2] };
    expect(ask("sort_by(list, &@)", data)).toEqual([1, 2, 3]);
    expect(ask("sort(list)", data)).toEqual([1, 2, 3]);
    expect(ask("reverse(list)", data)).toEqual([2, 1, 3]);
    expect(data.list).toEqual([3, 1, 2]);
  });

  test("numbers, zero included, count as true; empty things do not", () => {
    expect(ask("[`0`, '', `[]`, `{}`, `null`][?!@]")).toEqual(["", [], {}]);
  });
});

describe("functions", () => {
  test.each<[string, string]>([
    ["nofunc(a)", "failed: unknown function: nofunc"],
    ["nofunc(abs('x'))", 'failed: Invalid type for: x, expected: []jmespath.JpType{"number"}'],
    ["length(`1`, `2`)", "failed: incorrect number of args"],
    [
      'abs(`{"b":[1,null],"a":1e6}`)',
      'failed: Invalid type for: map[a:1e+06 b:[1 <nil>]], expected: []jmespath.JpType{"number"}',
    ],
    [
      "abs(&a.b)",
      'failed: Invalid type for: {{20 <nil> [{5 a []} {5 b []}]}}, expected: []jmespath.JpType{"number"}',
    ],
    ["regex_match('(', 'a')", "failed: error parsing regexp: missing closing ): `(`"],
    ["not_null()", "failed: invalid arity"],
    ['sort_by(`[1, "a"]`, &abs(@))', "failed: error in sort_by comparison"],
    ['max_by(`[1, "a"]`, &abs(@))', 'failed: Invalid type for: a, expected: []jmespath.JpType{"number"}'],
    ["merge(a)", "failed: merge takes objects, not <nil>"],
    ["sort_by(items(`{\"a\":1}`, 'k', 'v'), &k)", "no error"],
  ])("%s complains", (source, want) => {
    const got = complaint(source);
    if (want === "no error") expect(got).toContain("project it first");
    else expect(got).toBe(want);
  });

  test("a pattern may come from the document", () => {
    const source = "l[*].regex_match(p, 'abc')";
    expect(ask(source, { l: [{ p: "^a" }, { p: "^b" }, { p: "^a" }] })).toEqual([true, false, true]);
    expect(ask("pattern_match(p, 'abc')", { p: "a*" })).toBe(true);
    expect(ask("semver_compare('1.2.3', r)", { r: ">1.0.0" })).toBe(true);
  });

  test("the present and chance are the run's", () => {
    expect(ask("time_now_utc()")).toBe("2023-11-14T22:13:20Z");
    expect(ask("random('[a-c]x{2}(y|z)\\d')")).toBe("bxxz5");
    expect(ask("time_since('', '2023-11-14T22:13:10Z', '')")).toBe("10s");
  });

  test("host names are resolved by the run, addresses are not", () => {
    expect(ask("is_external_url('https://a.example/x')")).toBe(true);
    expect(ask("is_external_url('https://a.internal:443')")).toBe(false);
    expect(ask("is_external_url('https://[::1]:443')")).toBe(false);
    expect(ask("is_external_url('https://198.51.100.1')")).toBe(true);
  });

  test("all 76 are described", () => {
    expect(functionTable).toHaveLength(76);
    expect(functionTable.find(({ name }) => name === "replace")?.signature).toBe(
      "replace(string, string, string, number) string",
    );
    expect(functionTable.find(({ name }) => name === "merge")?.signature).toBe("merge(object...) object");
    for (const { note } of functionTable) expect(note).not.toBe("");
  });
});

describe("work is bounded", () => {
  const list = Array.from({ length: 1000 }, (_, index) => `item ${index}`);

  test.each([
    "l[*].to_upper(@)",
    "sort(l)",
    "join(',', l)",
    "l[?@ == 'x']",
    "map(&regex_replace_all('i', @, 'xxxx'), l)",
    "to_string(l)",
    "l[::2]",
    `[@,@]${" | [@,@]".repeat(40)} | to_string(@)`,
    `[@,@]${" | [@,@]".repeat(40)}`,
    `([@,@]${" | [@,@]".repeat(40)}) == ([@,@]${" | [@,@]".repeat(40)})`,
    "random('(ab?){500}')",
  ])("%s ends when the budget does", (source) => {
    expect(() => ask(source, { l: list }, createRun(200))).toThrow(Interruption);
  });

  test("replacements that double a text are stopped before it is built", () => {
    const source = `a${" | replace_all(@, 'a', 'aa')".repeat(60)}`;
    expect(() => ask(source, { a: "a" }, createRun(1_000_000))).toThrow(Interruption);
  });

  test("an error text of an enormous value is cut off", () => {
    const source = `[@,@]${" | [@,@]".repeat(40)} | abs(@)`;
    expect(complaint(source).length).toBeLessThan(100_000);
  });
});

describe("syntax errors", () => {
  test.each<[string, string, number | undefined]>([
    ["", "SyntaxError: Incomplete expression", 0],
    ["a.é", "SyntaxError: Unknown char: '\\u00e9'", 3],
    ["'é' 🙂", "SyntaxError: Unknown char: '\\U0001f642'", 8],
    ["a[b]", "SyntaxError: Expected tStar, received: tUnquotedIdentifier", 2],
    ["`{a`", "invalid character 'a' looking for beginning of object key string", undefined],
    ['"a"(b)', "SyntaxError: Can't have quoted identifier as function Name.", 0],
    [
      "a[99999999999999999999]",
      'strconv.Atoi: parsing "99999999999999999999": value out of range',
      undefined,
    ],
  ])("of `%s` are upstream's", (source, message, offset) => {
    const compiled = compileQuery(source);
    expect(compiled).toBeInstanceOf(QuerySyntaxError);
    expect(compiled).toMatchObject({ message });
    expect(isSyntaxError(compiled) ? compiled.offset : -1).toBe(offset);
  });

  test.each([
    ["brackets", "(".repeat(100_000)],
    ["negations", "!".repeat(100_000)],
    ["lists", "[".repeat(100_000)],
    ["steps", `a${".b".repeat(100_000)}`],
    ["literals", `\`${"[".repeat(100_000)}\``],
  ])("deep %s are refused, not followed", (_, source) => {
    expect(compileQuery(source)).toBeInstanceOf(QuerySyntaxError);
  });

  test("`[1` parses and fails when it is reached, as upstream's", () => {
    expect(complaint("[1")).toBe("failed: Unknown AST node: ASTEmpty");
  });
});
