/**
 * The sources as the architecture tests see them: every file below `src` with what it imports, parsed by oxc-parser.
 * Nothing is resolved and nothing is run.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseSync } from "oxc-parser";
import { layers } from "./layers.ts";
import type { Layer } from "./layers.ts";

export type AstNode = { readonly type: string; readonly [field: string]: unknown };

export type SourceFile = {
  /** Below the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  /** Undefined for what lies in no layer, as `src/apps/bin.ts`. */
  readonly layer: Layer | undefined;
  readonly imports: readonly string[];
  readonly body: readonly AstNode[];
  /** Offset and text of the first comment. */
  readonly firstComment: { readonly start: number; readonly text: string } | undefined;
};

export function readSources(root: string): SourceFile[] {
  const folder = join(root, "src");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted()
    .map((path) => readSource(root, path));
}

function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const { module, program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? "does not parse"}`);
  const [first] = comments;
  return {
    path,
    text,
    isTest: path.endsWith(".test.ts"),
    layer: layers.find((layer) => path.startsWith(`${layer.folder}/`)),
    imports: [
      ...module.staticImports.map((found) => found.moduleRequest.value),
      ...module.staticExports.flatMap((found) =>
        found.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
      ),
      ...module.dynamicImports.map((found) =>
        text.slice(found.moduleRequest.start + 1, found.moduleRequest.end - 1),
      ),
    ],
    body: program.body as unknown as readonly AstNode[],
    firstComment: first === undefined ? undefined : { start: first.start, text: first.value },
  };
}

/** Every node below `nodes`, the outer before the inner, with the names of the functions around it. */
export function* walk(
  nodes: unknown,
  around: readonly string[] = [],
): Generator<{ readonly node: AstNode; readonly around: readonly string[] }> {
  if (Array.isArray(nodes)) for (const node of nodes) yield* walk(node, around);
  if (typeof nodes !== "object" || nodes === null || !("type" in nodes)) return;
  const node = nodes as AstNode;
  yield { node, around };
  const name = nameOf(node);
  const inner = name === undefined ? around : [...around, name];
  for (const [field, value] of Object.entries(node)) {
    if (field !== "type" && typeof value === "object" && value !== null) yield* walk(value, inner);
  }
}

/** Of functions, methods and variables that hold them. */
function nameOf(node: AstNode): string | undefined {
  const named = node["id"] ?? (node.type === "MethodDefinition" ? node["key"] : undefined);
  if (typeof named !== "object" || named === null || !("name" in named)) return undefined;
  return typeof named.name === "string" ? named.name : undefined;
}
