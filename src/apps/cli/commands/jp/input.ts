/** Where `jp` gets its document and its expressions: files, arguments, standard input. */
import type { Json } from "#json";
import { loadYaml } from "#json";
import type { World } from "#platform";
import { STDIN, readText } from "#platform";
import { UsageError } from "../../command.ts";
import { wholeFile } from "../../load/problem.ts";
import { renderProblem } from "../../render/diagnostic.ts";
import { paintFor } from "../../render/paint.ts";

const MAX_INPUT = 64 * 1024 * 1024;
const MAX_QUERY_FILE = 1024 * 1024;

/** The first document of a YAML or JSON file; `undefined` where it is broken, which has been said then. */
export async function readDocument(world: World, file: string, color: string): Promise<Json | undefined> {
  const text = await readText(file, MAX_INPUT);
  const { documents, diagnostics } = loadYaml(text, file);
  const paint = paintFor(world.stderr, world.env, color);
  for (const diagnostic of diagnostics) {
    world.stderr.write(renderProblem({ diagnostic, source: wholeFile(file, text) }, paint));
  }
  return diagnostics.some(({ severity }) => severity === "error") ? undefined : (documents[0]?.value ?? null);
}

/** A file of expressions: one a line, `#` starts a comment line. */
export async function readExpressions(file: string): Promise<readonly string[]> {
  const text = await readText(file, MAX_QUERY_FILE);
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Expressions from arguments and files; standard input where there are none and it is no terminal. */
export async function gatherExpressions(
  world: World,
  operands: readonly string[],
  files: readonly string[],
  stdinIsFree: boolean,
): Promise<readonly string[]> {
  const fromFiles = await Promise.all(files.map((file) => readExpressions(file)));
  const expressions = [...fromFiles.flat(), ...operands];
  if (expressions.length > 0) return expressions;
  if (stdinIsFree && !world.stdinIsTty()) return readExpressions(STDIN);
  throw new UsageError("no expression: give one in quotes");
}
