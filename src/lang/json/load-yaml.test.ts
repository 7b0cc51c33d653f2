/** Reading: what Kubernetes would read, one document at a time, whatever the text is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "./json.ts";
import { loadYaml, readYaml, yamlLimits } from "./load-yaml.ts";
import { printJson } from "./print-json.ts";
import { printYaml } from "./print-yaml.ts";

function valuesOf(text: string): Json[] {
  return loadYaml(text, "f.yaml").documents.map((document) => document.value);
}

function complaintsOf(text: string): string[] {
  return loadYaml(text, "f.yaml").diagnostics.map(
    ({ code, span, message }) => `${code} ${span?.start.line}:${span?.start.column} ${message}`,
  );
}

describe("several documents in a file", () => {
  test.each([
    { name: "split at marker lines", text: "a: 1\n---\nb: 2\n", want: [{ a: 1 }, { b: 2 }] },
    {
      name: "leading and doubled markers count nothing",
      text: "---\n---\na: 1\n---\n# only a comment\n",
      want: [{ a: 1 }],
    },
    { name: "CRLF", text: "a: 1\r\n---\r\nb: 2\r\n", want: [{ a: 1 }, { b: 2 }] },
    { name: "content on the marker line", text: "--- {a: 1}\n--- 2\n", want: [{ a: 1 }, 2] },
    {
      name: "end markers",
      text: "a: 1\n...\n---\nb: 2\n...\nc: 3\n...\n",
      want: [{ a: 1 }, { b: 2 }, { c: 3 }],
    },
    {
      name: "directives stay with their document",
      text: "%YAML 1.1\n---\na: 1\n---\nb: 2\n",
      want: [{ a: 1 }, { b: 2 }],
    },
    { name: "a longer line of dashes is no marker", text: "a: |\n  x\n----\n", want: [] },
    { name: "byte order mark", text: "\ufeffa: 1", want: [{ a: 1 }] },
    { name: "JSON between YAML", text: 'a: 1\n---\n{"b": 2}\n---\n[3]\n', want: [{ a: 1 }, { b: 2 }, [3]] },
    { name: "nothing", text: "\n# nothing\n", want: [] },
  ])("$name", ({ text, want }) => {
    expect(valuesOf(text)).toEqual(want);
  });

  test("a broken document takes no other with it, and keeps its index", () => {
    const { documents, diagnostics } = loadYaml("a: 1\n---\nb: [\n---\nc: 3\n", "f.yaml");
    expect(documents).toEqual([
      { value: { a: 1 }, index: 0 },
      { value: { c: 3 }, index: 2 },
    ]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: "yaml/syntax", file: "f.yaml", document: 1 });
  });

  test("documents can be taken one at a time", () => {
    const steps = readYaml("a: 1\n---\n[\n---\nb: 2\n", "f.yaml");
    expect(steps.next().value).toMatchObject({ document: { value: { a: 1 } } });
    expect(steps.next().value).toMatchObject({ diagnostics: [{ document: 1 }] });
    expect(steps.next().value).toMatchObject({ document: { index: 2 } });
  });
});

describe("mappings", () => {
  test.each([
    ["y: 2\n1: a\n1.5: b\n1e6: c\n0x10: d\nyes: e", '{"1":"a","1.5":"b","16":"d","1e+06":"c","true":"e"}'],
    ["x: &a {b: 1, c: 2}\nz:\n  <<: *a\n  b: 3", '{"x":{"b":1,"c":2},"z":{"b":3,"c":2}}'],
    ["x: &a {b: 1, c: 2}\nz:\n  b: 3\n  <<: *a", '{"x":{"b":1,"c":2},"z":{"b":1,"c":2}}'],
    ["<<: [{a: 1}, {a: 2, b: 3}]", '{"a":1,"b":3}'],
    ["'<<': 1", '{"<<":1}'],
    ["__proto__: {a: 1}", '{"__proto__":{"a":1}}'],
    ["a: {\n  b: [\n  1\n]\n}\nc: 'x\n\ny'\n", '{"a":{"b":[1]},"c":"x\\ny"}'],
  ])("%j", (text, want) => {
    expect(printJson(valuesOf(text)[0] ?? null)).toBe(want);
  });

  test("a key that stands twice is reported at its second place, and the last value is kept", () => {
    expect(complaintsOf("a: 1\nb:\n  c: 1\n  c: 2\n")).toEqual([
      "yaml/duplicate-key 4:3 key `c` stands twice in this mapping",
    ]);
    expect(valuesOf("b:\n  c: 1\n  c: 2\n")).toEqual([{ b: { c: 2 } }]);
  });

  test.each<[string, readonly string[]]>([
    ['{"a": 1, "b": {"c": 1, "c": 2}}', ["yaml/duplicate-key 1:25 key `c` stands twice in this mapping"]],
    ['{"a": 1,\n\t"a": 2}', ["yaml/duplicate-key 2:3 key `a` stands twice in this mapping"]],
    ['{"a": 1, "\\u0061": 2}', ["yaml/duplicate-key 1:11 key `a` stands twice in this mapping"]],
    ['[{"a": ":"}, {"a": "\\":\\\\"}, {}]', []],
  ])("JSON is no different: %s", (text, want) => {
    expect(complaintsOf(text)).toEqual(want);
    expect(valuesOf(text)).toEqual([JSON.parse(text)]);
  });

  test("a merged key that is written again is no duplicate, twice written it is", () => {
    expect(complaintsOf("x: &a {b: 1}\ny: {<<: *a, b: 2}\n")).toEqual([]);
    expect(complaintsOf("x: &a {b: 1}\ny: {<<: *a, b: 2, b: 3}\n")).toHaveLength(1);
  });
});

describe("block texts", () => {
  test.each([
    ["a: |\n  x", "x"],
    ["a: |\n  x\n", "x\n"],
    ["a: |+\n  x\n\n", "x\n\n"],
    ["a: |-\n  x\n", "x"],
    ["a: >\n  x\n  y\n", "x y\n"],
  ])("%j", (text, want) => {
    expect(valuesOf(text)).toEqual([{ a: want }]);
  });
});

describe("tags", () => {
  test.each([
    ["a: !!str 12", "12"],
    ["a: !!str", ""],
    ['a: !!int "3"', 3],
    ["a: !!float 3", 3],
    ["a: !!bool yes", true],
    ["a: !!null ~", null],
    ["a: ! 12", "12"],
    ["a: !own 12", "12"],
    ["a: !!binary aGFsbG8=", "hallo"],
    ["a: !<tag:yaml.org,2002:str> 1", "1"],
  ])("%s", (text, want) => {
    expect(valuesOf(text)).toEqual([{ a: want }]);
  });
});

describe("what Kubernetes refuses is one diagnostic with its place", () => {
  const deep = yamlLimits.maxDepth + 1;
  test.each([
    ["a:\n\t- b", "yaml/syntax 2:1"],
    ["a: @x", "yaml/syntax 1:4"],
    ["ok: 1\na: .nan", "yaml/syntax 2:4 `.nan` is no number that JSON has"],
    ["a: !!int x", "yaml/syntax 1:4 `x` does not fit the tag `!!int`"],
    ["a: *x", "yaml/syntax 1:5 unknown anchor `x`"],
    ["a: &x [*x]", "yaml/syntax 1:9 anchor `x` contains itself"],
    ["<<: 3", "yaml/syntax 1:1 a merge key needs a mapping"],
    ["[a]: 1", "yaml/syntax 1:1 a key must be a text"],
    ["~: 1", "yaml/syntax 1:1 a key must be a text"],
    ['{"a": 1e400}', "yaml/syntax 1:1 the document has a number that is out of range"],
    ['{"a": 1,}}', "yaml/syntax"],
    ["[".repeat(deep), "yaml/too-large 1:"],
    [
      "[".repeat(deep) + "]".repeat(deep),
      "yaml/too-large 1:1 the document is nested deeper than 1000 levels",
    ],
    ["- ".repeat(deep), "yaml/too-large 1:"],
    ["x".repeat(yamlLimits.maxLength + 1), "yaml/too-large 1:1 the document is larger than 16 MiB"],
  ])("%#", (text, want) => {
    const complaints = complaintsOf(text);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(want);
    expect(valuesOf(text)).toEqual([]);
  });

  test.each([
    ['{"a": 1}\n{"a": 2}\n', true],
    ["[1]\n[2]\n", true],
    ["a: [1]]\n", false],
  ])("what to do about values that follow each other: %j", (text, helped) => {
    const [diagnostic] = loadYaml(text, "f.json").diagnostics;
    expect(diagnostic?.code).toBe("yaml/syntax");
    expect(diagnostic?.help?.includes("put a line `---` between") ?? false).toBe(helped);
  });

  test("an alias bomb", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 12; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(", ")}]`);
    }
    expect(complaintsOf(lines.join("\n"))[0]).toMatch(
      /^yaml\/too-large .* expand to more than 100000 values$/,
    );
  });

  test("many lines left of their bracket are repaired without hanging", () => {
    const text = `a: [\n${"x,\n".repeat(3000)}]\n`;
    const { documents, diagnostics } = loadYaml(text, "f.yaml");
    expect(documents.length + diagnostics.length).toBe(1);
  });
});

const json: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 5, stringUnit: "binary" })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);

describe("properties", () => {
  test("JSON text means the same as a document", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(valuesOf(JSON.stringify(value))).toEqual([value]);
      }),
    );
  });

  test("printed YAML reads back as the same value", () => {
    fc.assert(
      fc.property(json, (value) => {
        const back = valuesOf(printYaml(value));
        expect(printJson(back[0] ?? null)).toBe(printJson(value));
      }),
    );
  });

  const shard = fc.constantFrom(
    ..."a|: |- |\n|  |\t|'|\"|{|}|[|]|,|&a |*a|<<: |? |! |!!int |%|@|# |---\n|...\n|>\n|\\|1|y|.inf|\r\n|\u0000|\ud800".split(
      "|",
    ),
    "|",
  );

  test("no text makes it throw, and a text that gives nothing gives a diagnostic", () => {
    fc.assert(
      fc.property(fc.array(shard, { maxLength: 40 }), (shards) => {
        const text = shards.join("");
        const { documents, diagnostics } = loadYaml(text, "f.yaml");
        const indices = [
          ...documents.map(({ index }) => index),
          ...diagnostics.map(({ document }) => document ?? -1),
        ];
        expect(indices).not.toContain(-1);
        const steps = [...readYaml(text, "f.yaml")];
        expect(steps.every((step) => step.document !== undefined || step.diagnostics.length > 0)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
