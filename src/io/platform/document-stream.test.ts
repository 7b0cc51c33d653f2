/** Cutting text into documents: the same pieces however the text arrives. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DocumentText } from "./document-stream.ts";
import { DocumentCutter } from "./document-stream.ts";

function cut(chunks: readonly string[], maxLength = 1000): DocumentText[] {
  const cutter = new DocumentCutter("f.yaml", maxLength);
  return [...chunks.flatMap((chunk) => [...cutter.push(chunk)]), ...cutter.end()];
}

function texts(chunks: readonly string[]): string[] {
  return cut(chunks).map(({ text }) => text);
}

describe("documents are cut", () => {
  test.each([
    { name: "at a marker line", text: "a: 1\n---\nb: 2\n", want: ["a: 1\n", "---\nb: 2\n"] },
    { name: "at a marker with a comment", text: "a\n--- # b\nb", want: ["a\n", "--- # b\nb"] },
    { name: "at a Windows marker", text: "a\r\n---\r\nb", want: ["a\r\n", "---\r\nb"] },
    { name: "not at a longer word", text: "a\n---b\nc", want: ["a\n---b\nc"] },
    { name: "not inside of a line", text: "a: ---\nb", want: ["a: ---\nb"] },
    {
      name: "not between a directive and its document",
      text: "%YAML 1.1\n---\na",
      want: ["%YAML 1.1\n---\na"],
    },
    { name: "at a marker that ends the text", text: "a\n---\n", want: ["a\n", "---\n"] },
    { name: "nowhere in nothing", text: "", want: [] },
  ])("$name", ({ text, want }) => {
    expect(texts([text])).toEqual(want);
  });

  test("the same way whatever the reads give, and joined they are the text", () => {
    const piece = fc.constantFrom("a: 1\n", "---\n", "--- x\n", "---y\n", "\n", "-", "--", "# c\r\n", "%Y\n");
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.array(fc.nat(40), { maxLength: 6 }),
        (pieces, at) => {
          const text = pieces.join("");
          const cuts = [
            0,
            ...at.map((value) => Math.min(value, text.length)).sort((a, b) => a - b),
            text.length,
          ];
          const chunks = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
          expect(texts(chunks)).toEqual(texts([text]));
          expect(texts(chunks).join("")).toBe(text);
        },
      ),
    );
  });
});

test("each document knows its line and its offset", () => {
  const documents = cut(["a: 1\nb: 2\n---\nc", ": 3\n---\nd: 4\n"]);
  expect(documents.map((document) => [document.linesBefore(), document.offset])).toEqual([
    [0, 0],
    [2, 10],
    [4, 19],
  ]);
});

test("a document that is too large is passed over, and the next one is read", () => {
  const big = "x".repeat(60);
  const documents = cut(["a: 1\n---\n", big, big, "\n---\nb: 2\n"], 100);
  expect(documents.map(({ text, oversized }) => ({ text, oversized }))).toEqual([
    { text: "a: 1\n", oversized: false },
    { text: "", oversized: true },
    { text: "---\nb: 2\n", oversized: false },
  ]);
  expect(documents.map((document) => document.linesBefore())).toEqual([0, 1, 3]);
});

test("what is kept of a document that is too large stays small", () => {
  const cutter = new DocumentCutter("f", 100);
  let kept = 0;
  for (let count = 0; count < 1000; count++) kept += cutter.push("y".repeat(90)).length;
  expect(kept).toBe(1);
  expect(cutter.end()).toEqual([]);
});
