/**
 * The architecture's checks. Each takes a root folder, so that the same check runs on the repository, where it must
 * find nothing, and on a copy with a seeded violation, which it must find. Each says how much it looked at.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { bannedNames, layers } from "./layers.ts";
import type { Layer } from "./layers.ts";
import { readSources, walk } from "./source-files.ts";
import type { SourceFile } from "./source-files.ts";

export type CheckResult = { readonly looked: number; readonly violations: readonly string[] };

/** A folder and the sources in it, read once for all checks. */
export type Repository = { readonly root: string; readonly sources: readonly SourceFile[] };

export type Check = { readonly name: string; readonly run: (repository: Repository) => CheckResult };

export function readRepository(root: string): Repository {
  return { root, sources: readSources(root) };
}

type ProjectFile = {
  readonly extends?: string;
  readonly include?: readonly string[];
  readonly references?: readonly { readonly path: string }[];
};

function readProject(root: string, path: string): ProjectFile {
  const file = join(root, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ProjectFile) : {};
}

/** One check of each file; `find` gives the violations without the path. */
function eachFile(
  chosen: (file: SourceFile) => boolean,
  find: (file: SourceFile, root: string) => Iterable<string>,
): Check["run"] {
  return ({ root, sources }) => {
    const files = sources.filter(chosen);
    const violations = files.flatMap((file) => [...find(file, root)].map((text) => `${file.path}: ${text}`));
    return { looked: files.length, violations };
  };
}

/** One check of each layer. */
function eachLayer(find: (layer: Layer, repository: Repository) => Iterable<string>): Check["run"] {
  return (repository) => ({
    looked: layers.length,
    violations: layers.flatMap((layer) =>
      [...find(layer, repository)].map((text) => `${layer.name}: ${text}`),
    ),
  });
}

export const checks: readonly Check[] = [
  { name: "compiler projects refer to what the table allows", run: eachLayer(findReferences) },
  { name: "the root project knows every project, the tests' included", run: findRootReferences },
  { name: "the imports map has the doors and nothing else", run: findImportsMap },
  { name: "every layer is more than a door", run: eachLayer(findShells) },
  { name: "doors are short lists of names", run: eachFile(isDoor, findDoorFaults) },
  { name: "code imports what the table allows", run: eachFile(() => true, findImports) },
  { name: "files are named for what they hold", run: eachFile(() => true, findNames) },
  { name: "every file opens with a comment", run: eachFile(isProduct, findOpening) },
  { name: "the pure rings are synchronous", run: eachFile(isPure, findPromises) },
  { name: "types are asserted in decode functions and tests only", run: eachFile(isProduct, findAssertions) },
];

function* findReferences(layer: Layer, { root }: Repository): Generator<string> {
  const project = readProject(root, `${layer.folder}/tsconfig.json`);
  const world = project.extends?.split("/").at(-1);
  if (world !== `${layer.world}.json`) yield `extends ${world ?? "nothing"} and not ${layer.world}.json`;
  const referred = (project.references ?? []).map(({ path }) => normalize(join(layer.folder, path)));
  const allowed = layers.filter(({ name }) => layer.mayImport.includes(name)).map(({ folder }) => folder);
  for (const folder of referred) if (!allowed.includes(folder)) yield `refers to ${folder}`;
  for (const folder of allowed) if (!referred.includes(folder)) yield `does not refer to ${folder}`;
}

function findRootReferences({ root }: Repository): CheckResult {
  const referred = (readProject(root, "tsconfig.json").references ?? []).map(({ path }) => normalize(path));
  const wanted = [...layers.map(({ folder }) => folder), "src/apps", "tsconfig/test.json"];
  const tests = readProject(root, "tsconfig/test.json").include ?? [];
  return {
    looked: wanted.length,
    violations: [
      ...wanted
        .filter((path) => !referred.includes(path))
        .map((path) => `tsconfig.json does not refer to ${path}`),
      ...["../src/**/*.ts", "../test/**/*.ts"]
        .filter((glob) => !tests.includes(glob))
        .map((glob) => `tsconfig/test.json does not include ${glob}`),
    ],
  };
}

function findImportsMap({ root }: Repository): CheckResult {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly imports?: Readonly<Record<string, unknown>>;
  };
  const wanted = Object.fromEntries(
    layers.map(({ name, folder }) => [
      `#${name}`,
      {
        "@postern/source": `./${folder}/index.ts`,
        default: `./${folder.replace("src/", "dist/")}/index.js`,
      },
    ]),
  );
  const found = manifest.imports ?? {};
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  const differs = [...names].filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(found[name]));
  return {
    looked: names.size,
    violations: differs.map((name) => `package.json: ${name} is not the door of a layer`),
  };
}

function* findShells(layer: Layer, { sources }: Repository): Generator<string> {
  const files = sources.filter((file) => file.layer?.name === layer.name && !file.isTest);
  if (!files.some(isDoor)) yield "has no door";
  if (files.length < 2) yield "is an empty shell";
}

function isDoor(file: SourceFile): boolean {
  return file.layer !== undefined && file.path === `${file.layer.folder}/index.ts`;
}

function* findDoorFaults(file: SourceFile): Generator<string> {
  const lines = file.text.trimEnd().split("\n").length;
  if (lines > 60) yield `${lines} lines`;
  if (file.body.length === 0) yield "exports nothing";
  for (const statement of file.body) {
    if (statement.type === "ExportAllDeclaration") yield "exports everything of a file";
    else if (statement.type !== "ExportNamedDeclaration" || statement["source"] === null) yield "holds code";
  }
}

const testPackages = ["vitest", "fast-check", "@bufbuild/cel"];

function* findImports(file: SourceFile, root: string): Generator<string> {
  for (const request of file.imports) {
    const fault = request.startsWith(".") ? relativeFault(file, request, root) : absoluteFault(file, request);
    if (fault !== undefined) yield `imports ${request}: ${fault}`;
  }
}

function relativeFault(file: SourceFile, request: string, root: string): string | undefined {
  const target = normalize(join(dirname(file.path), request));
  const home = file.layer?.folder ?? "src/apps";
  if (file.isTest && target.startsWith("test/support/")) return undefined;
  if (!target.startsWith(`${home}/`)) return "leaves its layer";
  if (file.layer !== undefined && !file.isTest && target === `${home}/index.ts`)
    return "goes through its own door";
  if (!request.endsWith(".ts")) return "has no extension";
  return existsSync(join(root, target)) ? undefined : "does not exist";
}

function absoluteFault(file: SourceFile, request: string): string | undefined {
  const { layer } = file;
  if (request.startsWith("#")) return doorFault(layer, request.slice(1));
  if (request.startsWith("node:")) {
    return layer === undefined || layer.world === "node" || file.isTest ? undefined : "in a pure layer";
  }
  const allowed = [...(layer?.packages ?? []), ...(file.isTest ? testPackages : [])];
  return allowed.includes(request) ? undefined : "package not allowed here";
}

/** What lies in no layer, `bin.ts`, stands above them all. */
function doorFault(layer: Layer | undefined, name: string): string | undefined {
  if (layer?.mayImport.includes(name) === true) return undefined;
  if (!layers.some((other) => other.name === name)) return "is no door";
  return layer === undefined ? undefined : "is above or beside";
}

function* findNames(file: SourceFile): Generator<string> {
  for (const part of file.path.split("/").slice(1)) {
    const name = part.replace(/(?:(?:\.[a-z]+)?\.test)?\.ts$/, "");
    if (bannedNames.includes(name)) yield `\`${name}\` says nothing`;
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) yield `\`${name}\` is not kebab-case`;
  }
}

function* findOpening(file: SourceFile): Generator<string> {
  const opening = file.firstComment;
  if (opening === undefined || file.text.slice(0, opening.start).replace(/^#!.*/, "").trim() !== "") {
    yield "does not open with a comment";
  } else if (opening.text.split("\n").length > 14) yield "opens with an essay";
}

function isPure(file: SourceFile): boolean {
  return file.layer?.world === "pure" && !file.isTest;
}

function* findPromises(file: SourceFile): Generator<string> {
  for (const { node } of walk(file.body)) {
    if (node["async"] === true) yield "has an async function";
    if (node.type === "AwaitExpression" || node["await"] === true) yield "awaits";
    if (node.type === "ImportExpression") yield "imports dynamically";
  }
}

function isProduct(file: SourceFile): boolean {
  return !file.isTest;
}

function* findAssertions(file: SourceFile): Generator<string> {
  for (const { node, around } of walk(file.body)) {
    if (node.type !== "TSAsExpression" || around.some((name) => name.startsWith("decode"))) continue;
    const text = file.text.slice(Number(node["start"]), Number(node["end"]));
    if (!text.endsWith(" as const")) yield `asserts \`${text.slice(-60).replaceAll(/\s+/g, " ")}\``;
  }
}
