/** From names to files, in a folder that is made for the test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFiles } from "./find-files.ts";
import { compileGlobSegment } from "./glob.ts";
import { readText } from "./text-source.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "postern-find-"));
  const files = [
    "b.yaml",
    "a.yml",
    "note.txt",
    "sub/c.yaml",
    "sub/deep/d.yaml",
    ".git/e.yaml",
    "sub/.f.yaml",
    "x[1].yaml",
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "a: 1\n");
  }
  writeFileSync(
    join(folder, "utf16.txt"),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("kind: Pöd", "utf16le")]),
  );
  writeFileSync(join(folder, "bom.txt"), "\ufeffkind: Pöd");
});

afterAll(() => rmSync(folder, { recursive: true }));

function find(path: string): readonly string[] {
  return findFiles(join(folder, path), { extensions: [".yaml", ".yml"] }).map((file) =>
    relative(folder, file),
  );
}

describe("names stand for files", () => {
  test.each([
    {
      name: "a folder for its YAML files, by name, hidden ones aside",
      path: "",
      want: ["a.yml", "b.yaml", "sub/c.yaml", "sub/deep/d.yaml", "x[1].yaml"],
    },
    { name: "a file for itself, whatever it is called", path: "note.txt", want: ["note.txt"] },
    { name: "a star within a folder", path: "*.yaml", want: ["b.yaml", "x[1].yaml"] },
    {
      name: "two stars through all folders",
      path: "**/*.yaml",
      want: ["b.yaml", "x[1].yaml", "sub/c.yaml", "sub/deep/d.yaml"],
    },
    {
      name: "a pattern for a folder takes what is in it",
      path: "su?",
      want: ["sub/c.yaml", "sub/deep/d.yaml"],
    },
    { name: "alternatives", path: "{a,b}.{yml,yaml}", want: ["a.yml", "b.yaml"] },
    { name: "a file whose name looks like a pattern", path: "x[1].yaml", want: ["x[1].yaml"] },
  ])("$name", ({ path, want }) => {
    expect(find(path)).toEqual(want);
  });

  test("standard input for itself", () => {
    expect(findFiles("-", { extensions: [] })).toEqual(["-"]);
  });

  test.each([
    ["missing.yaml", "file/unreadable", "there is no such file"],
    ["b.yaml/c.yaml", "file/unreadable", "a part of the path is not a folder"],
    ["*.nothing", "file/no-match", "no file matches"],
  ])("%s is a fault that says why", (path, code, message) => {
    expect(() => find(path)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});

describe("patterns for names", () => {
  test.each([
    ["*", "anything", true],
    ["a*c", "abc", true],
    ["a*c", "abd", false],
    ["a.c", "abc", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["{a,b*}.yaml", "bcd.yaml", true],
    ["a+(b)$", "a+(b)$", true],
  ])("%s on %s is %s", (pattern, name, want) => {
    expect(compileGlobSegment(pattern)(name)).toBe(want);
  });
});

test.each(["utf16.txt", "bom.txt"])("%s is read by its byte order mark", async (file) => {
  expect(await readText(join(folder, file), 1000)).toBe("kind: Pöd");
});

test("a file that is too large for memory is refused", async () => {
  await expect(readText(join(folder, "bom.txt"), 3)).rejects.toMatchObject({ code: "file/too-large" });
});
