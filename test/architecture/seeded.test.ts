/**
 * A gate that finds nothing may be a gate that looks at nothing. Here every kind of violation is planted in a copy of
 * the repository, and the gate that is meant for it must find it: the architecture's checks, the type-aware linter
 * (also inside of tests, whose types it sees only through the root project's reference) and the compiler.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checks, readRepository } from "./checks.ts";

const root = resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "postern-seeded-"));
for (const name of [
  "src",
  "tsconfig",
  "tsconfig.json",
  "package.json",
  ".oxlintrc.json",
  ".oxfmtrc.json",
  "knip.json",
]) {
  cpSync(join(root, name), join(copy, name), { recursive: true });
}
mkdirSync(join(copy, "test"));
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

afterAll(() => rmSync(copy, { recursive: true }));

type Seed = { readonly path: string; readonly text: string | ((old: string) => string) };

/** Plants the seed, runs the gate, and leaves the copy as it was. */
function withSeed<T>({ path, text }: Seed, gate: () => T): T {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  const old = typeof text === "function" ? readFileSync(file, "utf8") : undefined;
  writeFileSync(file, typeof text === "string" ? text : text(old ?? ""));
  try {
    return gate();
  } finally {
    if (old === undefined) rmSync(file);
    else writeFileSync(file, old);
  }
}

describe("the architecture's checks find", () => {
  const opening = "/** A seed. */\n";

  test.each<Seed & { readonly want: string }>([
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}import { x } from "#engine";\n`,
      want: "is above or beside",
    },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}import type { X } from "#engine";\n`,
      want: "is above",
    },
    { path: "src/lang/json/seed.ts", text: `${opening}export { x } from "#nothing";\n`, want: "is no door" },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}import { a } from "../diag/budget.ts";\n`,
      want: "leaves its layer",
    },
    { path: "src/lang/json/seed.ts", text: `${opening}import { a } from "./index.ts";\n`, want: "own door" },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}import { a } from "./nowhere.ts";\n`,
      want: "does not exist",
    },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}import { join } from "node:path";\n`,
      want: "in a pure layer",
    },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}import { RE2JS } from "re2js";\n`,
      want: "package not allowed",
    },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}const x = await import("commander");\n`,
      want: "package not allowed",
    },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}export async function f(): Promise<void> {}\n`,
      want: "async",
    },
    { path: "src/lang/json/seed.ts", text: `${opening}await x;\n`, want: "awaits" },
    {
      path: "src/lang/json/seed.ts",
      text: `${opening}export const x = y as string;\n`,
      want: "asserts `y as string`",
    },
    { path: "src/lang/json/seed.ts", text: "export const x = 1;\n", want: "does not open with a comment" },
    { path: "src/lang/json/utils.ts", text: opening, want: "`utils` says nothing" },
    { path: "src/lang/json/types.test.ts", text: opening, want: "`types` says nothing" },
    { path: "src/lang/json/helpers/a.ts", text: opening, want: "`helpers` says nothing" },
    { path: "src/lang/json/camelCase.ts", text: opening, want: "not kebab-case" },
    {
      path: "src/lang/diag/index.ts",
      text: (old) => `${old}export * from "./budget.ts";\n`,
      want: "exports everything",
    },
    { path: "src/lang/diag/index.ts", text: (old) => `${old}export const x = 1;\n`, want: "holds code" },
    { path: "src/lang/diag/index.ts", text: (old) => old + "\n".repeat(60) + old, want: "lines" },
    {
      path: "src/lang/json/tsconfig.json",
      text: (old) => old.replace("pure.json", "node.json"),
      want: "extends node.json",
    },
    {
      path: "src/lang/json/tsconfig.json",
      text: (old) => old.replace("../../lang/diag", "../../core/k8s"),
      want: "refers to src/core/k8s",
    },
    {
      path: "tsconfig.json",
      text: (old) => old.replace("./tsconfig/test.json", "./src/apps"),
      want: "does not refer to tsconfig/test.json",
    },
    {
      path: "tsconfig/test.json",
      text: (old) => old.replace("../test/**/*.ts", "../none/*.ts"),
      want: "does not include",
    },
    {
      path: "package.json",
      text: (old) => old.replace('"#diag"', '"#diag/*"'),
      want: "#diag/* is not the door",
    },
  ])("$want: $path", (seed) => {
    const found = withSeed(seed, () => {
      const repository = readRepository(copy);
      return checks.flatMap((check) => check.run(repository).violations);
    });
    expect(found.join("\n")).toContain(seed.want);
  });
});

/** Plants all seeds, a file each, runs the gate once, and gives its lines by the seed's file. */
function linesBySeed(seeds: readonly Seed[], gate: () => string): (path: string) => string {
  const plant = (rest: readonly Seed[]): string => {
    const [first, ...others] = rest;
    return first === undefined ? gate() : withSeed(first, () => plant(others));
  };
  const lines = plant(seeds).split("\n");
  return (path) => lines.filter((line) => line.includes(path)).join("\n");
}

function seedsOf(cases: readonly (readonly [string, string])[], path: (index: number) => string): Seed[] {
  return cases.map(([, code], index) => ({ path: path(index), text: `/** A seed. */\n${code}\n` }));
}

function run(command: string, args: readonly string[]): string {
  return spawnSync(join(root, "node_modules/.bin", command), args, { cwd: copy, encoding: "utf8" }).stdout;
}

describe("the linter finds", () => {
  const pure = [
    ["no-restricted-globals", "export const at: number = new Date().getTime();"],
    ["no-restricted-globals", "export const x: unknown = Promise.resolve(1);"],
    ["no-restricted-globals", 'export const x: RegExp = new RegExp("a");'],
    ["no-restricted-properties", "export const x: number = Math.random();"],
    ["no-restricted-imports", 'export { Budget } from "../diag/budget.ts";'],
    ["no-shadow", "export function f(a: number): number[] { return [1].map((a) => a); }"],
    ["no-explicit-any", "export function f(a: any): void { a; }"],
    ["no-default-export", "export default 1;"],
    ["no-non-null-assertion", "export function f(a?: string): string { return a!; }"],
    ["max-params", "export function f(a: 1, b: 1, c: 1, d: 1, e: 1): unknown { return [a, b, c, d, e]; }"],
    ["max-depth", "export function f(a: boolean): void { if (a) { if (a) { if (a) { if (a) f(a); } } } }"],
    ["complexity", `export function f(a: number): void { ${"if (a) f(a);".repeat(13)} }`],
    ["max-lines-per-function", `export function f(a: number): void {\n${"  f(a);\n".repeat(61)}}`],
    ["max-lines", `export const x: string[] = [\n${'  "a",\n'.repeat(401)}];`],
    [
      "switch-exhaustiveness-check",
      'export function f(a: "x" | "y"): void { switch (a) { case "x": f(a); } }',
    ],
    [
      "preserve-caught-error",
      'export function f(): void { try { f(); } catch (error) { throw new Error("x"); } }',
    ],
    ["no-cycle", 'export { b as a } from "./seed-17.ts";'],
    ["no-cycle", 'export { a as b } from "./seed-16.ts";'],
    ["", "export const x = 1;"],
  ] as const;
  const typed = [
    ["no-floating-promises", "async function f(): Promise<void> {}\nf();"],
    ["await-thenable", "export async function f(): Promise<void> { await 1; }"],
    ["no-misused-promises", "[1].forEach(async () => {});"],
    [
      "switch-exhaustiveness-check",
      'export function f(a: "x" | "y"): void { switch (a) { case "x": f(a); } }',
    ],
    ["", 'import { resolve } from "node:path";\nresolve("a").trim();'],
  ] as const;
  const purePath = (index: number): string => `src/lang/json/seed-${index}.ts`;
  const testPath = (index: number): string => `test/seed-${index}.test.ts`;
  const found = linesBySeed([...seedsOf(pure, purePath), ...seedsOf(typed, testPath)], () =>
    run("oxlint", ["--type-aware", "--tsconfig", "tsconfig.json", "-f", "unix", "src/lang/json", "test"]),
  );

  test.each(pure.map(([rule], index) => ({ rule, path: purePath(index) })))(
    "$rule in a pure ring: $path",
    (seed) => {
      expect(found(seed.path)).toMatch(seed.rule === "" ? /^$/ : new RegExp(`\\(${seed.rule}\\)`));
    },
  );

  test.each(typed.map(([rule], index) => ({ rule, path: testPath(index) })))(
    "$rule inside of a test, which needs its types: $path",
    (seed) => {
      expect(found(seed.path)).toMatch(seed.rule === "" ? /^$/ : new RegExp(`\\(${seed.rule}\\)`));
    },
  );
});

describe("the compiler refuses in a pure layer", () => {
  const refused = [
    ["TS2591", 'import { join } from "node:path";\nexport const x: string = join("a");'],
    ["TS2584", 'console.log("x");\nexport const x = 1;'],
    ["TS2304", "setTimeout(() => {}, 1);\nexport const x = 1;"],
    ["TS6307", 'import type { Gvk } from "#k8s";\nexport type X = Gvk;'],
    ["TS2307", 'import { Budget } from "#diag/budget.ts";\nexport const x: Budget = new Budget(1);'],
  ] as const;
  const path = (index: number): string => `src/lang/json/seed-${index}.ts`;
  const found = linesBySeed(seedsOf(refused, path), () =>
    run("tsc", ["-b", "--pretty", "false", "src/lang/json"]),
  );

  test.each(refused.map(([code], index) => ({ code, path: path(index) })))("$code", (seed) => {
    // TS6307 stands at the file that is not part of the project.
    const lines = found(seed.code === "TS6307" ? "TS6307" : seed.path);
    expect(lines).toContain(seed.code);
  });
});

describe("the other gates find", () => {
  const seed: Seed = { path: "src/lang/json/seed.ts", text: "/** A seed. */\nexport  const x = 1;\n" };

  test("oxfmt: a file that is not formatted", () => {
    expect(withSeed(seed, () => run("oxfmt", ["--check", "src/lang/json"]))).toContain(
      "src/lang/json/seed.ts",
    );
  });

  test("knip: a file that nobody imports", () => {
    expect(withSeed(seed, () => run("knip", ["--include", "files"]))).toContain("src/lang/json/seed.ts");
  });
});
