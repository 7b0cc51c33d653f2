/**
 * Reference pages say what the code says: each page is, to the letter, what its tables give, so neither side can have
 * something that the other lacks. That the pages tell anything at all is checked apart.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { describeCommands } from "#cli";
import type { DescribedCommand } from "#cli";
import { functionTable } from "#jmespath";
import { suites } from "../conformance/suites/index.ts";
import { cliPage } from "./cli-page.ts";
import { markdownTable } from "./markdown-table.ts";
import { renderPages } from "./pages.ts";

const root = resolve(import.meta.dirname, "../..");

/** What stands in code spans that open with `start`, each once. */
function spans(page: string, start: string): readonly string[] {
  const found = [...page.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
  return [...new Set(found.filter((text) => text.startsWith(start)))].toSorted();
}

test("pages are what their tables give (`npm run reference` writes them)", async () => {
  for (const { path, text } of await renderPages()) {
    expect(readFileSync(resolve(root, path), "utf8"), path).toBe(text);
  }
});

test("docs/reference/cli.md has a heading for every command, and no other", async () => {
  const headings = readFileSync(resolve(root, "docs/reference/cli.md"), "utf8").match(/^## .*$/gm);
  const commands = await describeCommands();
  expect(commands.length).toBeGreaterThan(5);
  expect(headings).toEqual(commands.map(({ title }) => `## ${title}`));
});

test("every flag of a command is on the page, by every name", async () => {
  for (const described of await describeCommands()) {
    const names = described.flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
    const shown = spans(cliPage([described]), "--").map((text) => text.slice(2).replace(/[ =].*/, ""));
    expect(names.filter((name) => !shown.includes(name))).toEqual([]);
  }
});

test("every function is on its page once", () => {
  const rows = readFileSync(resolve(root, "docs/reference/jmespath.md"), "utf8").match(/^\| `[^`]+`/gm) ?? [];
  const names = rows.map((row) => row.slice(3, row.indexOf("(")));
  expect(names.length).toBeGreaterThan(70);
  expect(names).toEqual(functionTable.map(({ name }) => name));
});

test("a flag that cannot be served is told apart from those that can", () => {
  const described: DescribedCommand = {
    title: "postern try",
    summary: "Try.",
    command: {
      name: "try",
      summary: "Try.",
      operands: "",
      flags: [],
      examples: [],
      run: async () => 0,
    },
    flags: [
      { name: "one", kind: "list", summary: "first" },
      { name: "two", kind: "switch", summary: "second", unavailable: "not yet" },
      { name: "three", kind: "switch", summary: "always so", hidden: true },
    ],
  };
  const page = cliPage([described]);
  expect(page).toMatch(/^\| `--one <value>` +\| first; may be repeated; commas divide values/m);
  expect(page).toMatch(/exit code 2[^]*^\| `--two` +\| not yet/m);
  expect(page).toContain("- `--three` (always so)");
});

test("tables are padded, and bars in cells are escaped", () => {
  expect(markdownTable(["a", "bc"], [["x|y", "z"]])).toEqual([
    "| a    | bc  |",
    "| ---- | --- |",
    "| x\\|y | z   |",
  ]);
});

test("docs/reference/compatibility.md names every deviation of every suite, and no other", async () => {
  const page = readFileSync(resolve(root, "docs/reference/compatibility.md"), "utf8");
  const rows = page.slice(page.indexOf("\n## What the suites say")).match(/^\| `.*$/gm) ?? [];
  const documented = rows.flatMap((row) => {
    const [names, ids] = row
      .slice(1)
      .split("|")
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""));
    return (names ?? []).flatMap((name) => (ids ?? []).map((id) => `${name}: ${id}`));
  });
  const known: string[] = [];
  for (const [name, load] of Object.entries(suites)) {
    const { suite } = await load();
    known.push(...suite.deviations.map(({ id }) => `${name}: ${id}`));
  }
  expect(known.length).toBeGreaterThan(5);
  expect(documented.toSorted()).toEqual(known.toSorted());
});
