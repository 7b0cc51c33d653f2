/**
 * Documents that rot are tested: the page of error codes against the catalogue in both directions, the map's layer
 * table against the data, links against files, commands against the scripts.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue } from "#diag";
import { layers } from "./layers.ts";

const root = resolve(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Rows of all tables of a page, as cells without their padding. */
function tableRows(page: string): string[][] {
  return page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| -"))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf("|"))
        .split("|")
        .map((cell) => cell.trim()),
    );
}

test("docs/reference/errors.md lists every code with the catalogue's sentence, and no other", () => {
  const documented = tableRows(read("docs/reference/errors.md"))
    .filter(([code]) => code?.startsWith("`") === true)
    .map(([code, sentence]) => `| ${code} | ${sentence} |`);
  const known = Object.entries(catalogue).map(([code, sentence]) => `| \`${code}\` | ${sentence} |`);
  expect(known.length).toBeGreaterThan(0);
  expect(documented.filter((row) => !known.includes(row))).toEqual([]);
  expect(known.filter((row) => !documented.includes(row))).toEqual([]);
});

test("codes are area/reason", () => {
  expect(
    Object.keys(catalogue).filter((code) => !/^[a-z0-9]+\/[a-z0-9]+(?:-[a-z0-9]+)*$/.test(code)),
  ).toEqual([]);
});

test("ARCHITECTURE.md's table of layers is the table of the checks", () => {
  const rows = tableRows(read("ARCHITECTURE.md")).filter(([name]) =>
    layers.some((layer) => `\`${layer.name}\`` === name),
  );
  const wanted = layers.map(({ name, mayImport, packages, world }) => [
    `\`${name}\``,
    mayImport.join(", ") || "-",
    packages.join(", ") || "-",
    world,
  ]);
  expect(rows.map(([name, imports, packages, world]) => [name, imports, packages, world])).toEqual(wanted);
});

describe("length", () => {
  test.each([
    ["ARCHITECTURE.md", 200],
    ["AGENTS.md", 60],
  ])("%s has at most %d lines", (path, lines) => {
    expect(read(path).trimEnd().split("\n").length).toBeLessThanOrEqual(lines);
  });
});

describe("links lead somewhere", () => {
  const pages = [
    ...readdirSync(root).filter((name) => name.endsWith(".md")),
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];

  test("there are pages", () => {
    expect(pages.length).toBeGreaterThan(5);
  });

  test.each(pages)("%s", (page) => {
    const targets = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      (match) => match[1] ?? "",
    );
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });
});

describe("commands", () => {
  const manifest = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

  test("the README's test commands are the ones that CI runs", () => {
    const steps = [...read(".ci/run").matchAll(/\bstep (n\w+ [\w .:/-]+)/g)].map((match) => match[1] ?? "");
    expect(steps).toEqual(["npm ci", "npm test", "node scripts/control-plane.js", "npm run test:e2e"]);
    expect(read("README.md")).toContain("npm ci && npm test");
    expect(read("README.md")).toContain("npm run test:e2e");
  });

  test.each(["README.md", "CONTRIBUTING.md", "AGENTS.md"])("%s names scripts that exist", (page) => {
    const named = [...read(page).matchAll(/npm run ([a-z0-9:]+)/g)].map((match) => match[1] ?? "");
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});

test("CHANGELOG.md keeps a changelog and explains its star", () => {
  const changelog = read("CHANGELOG.md");
  expect(changelog).toContain("## [Unreleased]");
  expect(changelog).toMatch(/★/);
});
