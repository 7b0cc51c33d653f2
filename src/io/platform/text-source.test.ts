import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import { readText } from "./text-source.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-text-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes: Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

describe("what is read", () => {
  test.each([
    ["plain UTF-8", Buffer.from("café\n"), "café\n"],
    ["a byte order mark is no text", Buffer.from("\ufeffa: b\n"), "a: b\n"],
    [
      "nor is one where another file was put behind",
      Buffer.from("a: b\n---\n\ufeffc: d\n"),
      "a: b\n---\nc: d\n",
    ],
    ["one within a line is text", Buffer.from("a: b\ufeffc\n"), "a: b\ufeffc\n"],
    ["UTF-16, little end first", Buffer.from("\ufeffa: é\n", "utf16le"), "a: é\n"],
    ["Windows line ends stay", Buffer.from("a\r\nb\r\n"), "a\r\nb\r\n"],
    ["a carriage return alone ends a line", Buffer.from("a\rb\r"), "a\nb\n"],
    ["an empty file", Buffer.from(""), ""],
  ])("%s", async (name, bytes, want) => {
    expect(await readText(fileOf(name, bytes), 1000)).toBe(want);
  });

  test("a line end that two pieces share is one line end", async () => {
    const text = `${"x".repeat(256 * 1024 - 1)}\r\n${"y".repeat(10)}\r`;
    expect(await readText(fileOf("pieces", Buffer.from(text)), 1_000_000)).toBe(`${text.slice(0, -1)}\n`);
  });
});

describe("what is refused", () => {
  test("bytes that are no text", async () => {
    const file = fileOf("latin1", Buffer.from("name: caf\xe9\n", "latin1"));
    await expect(readText(file, 1000)).rejects.toMatchObject({ code: "file/unreadable" });
  });

  test("text that stops within a character", async () => {
    const file = fileOf("cut", Buffer.from([0x61, 0xc3]));
    await expect(readText(file, 1000)).rejects.toMatchObject({ code: "file/unreadable" });
  });

  test("more than is allowed", async () => {
    await expect(readText(fileOf("large", Buffer.alloc(100, "a")), 10)).rejects.toMatchObject({
      code: "file/too-large",
    });
  });
});
