/** The run of `postern jp query`: what an expression gives for a document, with the functions and the rules that policies have. */
import { existsSync } from "node:fs";
import { Budget, Interruption } from "#diag";
import type { QueryRun } from "#jmespath";
import { QueryError, compileQuery, isSyntaxError } from "#jmespath";
import type { Json } from "#json";
import { isArray, isObject, sortedKeys } from "#json";
import type { World } from "#platform";
import { STDIN } from "#platform";
import type { CommandInput } from "../../command.ts";
import { UsageError, exitCodes } from "../../command.ts";
import { colorChoice, harmless, harmlessLines, paintFor } from "../../render/paint.ts";
import { gatherExpressions, readDocument } from "./input.ts";

export async function runQuery(world: World, input: CommandInput): Promise<number> {
  const file = input.text("input") ?? STDIN;
  const { texts, files } = splitQueries(input.list("query"));
  const operands = [...texts, ...input.operands];
  const expressions = await gatherExpressions(world, operands, files, file !== STDIN);
  if (file === STDIN && world.stdinIsTty())
    throw new UsageError("no document: name one with `-i` or pipe one in");
  const document = await readDocument(world, file, colorChoice(input));
  if (document === undefined) return exitCodes.wrongInput;
  const paint = paintFor(world.stdout, world.env, colorChoice(input));
  let code: number = exitCodes.fine;
  for (const expression of expressions) {
    world.stdout.write(`${paint.dim(`# ${expression}`)}\n`);
    const answer = evaluateQuery(expression, document, world);
    if (answer.kind === "value") world.stdout.write(`${printAnswer(answer.value, input)}\n`);
    else {
      code = exitCodes.wrongInput;
      await world.stdout.flush();
      world.stderr.write(`postern jp query: ${harmless(answer.message)}\n`);
    }
  }
  return code;
}

/** Upstream's `-q` takes expressions as well as files. */
function splitQueries(given: readonly string[]): {
  readonly texts: readonly string[];
  readonly files: readonly string[];
} {
  const files = given.filter((item) => existsSync(item));
  return { files, texts: given.filter((item) => !files.includes(item)) };
}

type Answer =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "error"; readonly message: string };

const MAX_STEPS = 50_000_000;

function evaluateQuery(expression: string, document: Json, world: World): Answer {
  const compiled = compileQuery(expression);
  if (isSyntaxError(compiled)) return { kind: "error", message: compiled.message };
  try {
    const value = compiled.evaluate(document, createRun(world));
    if (value instanceof QueryError) return { kind: "error", message: value.message };
    return { kind: "value", value };
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return { kind: "error", message: "the expression does more work than is allowed" };
  }
}

function createRun(world: World): QueryRun {
  let state = world.seed();
  return {
    budget: new Budget(MAX_STEPS),
    nowMs: world.nowMs(),
    random: () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    },
    externalHost: () => new QueryError("failed", "hosts are not looked up here"),
  };
}

function printAnswer(value: Json, input: CommandInput): string {
  if (input.on("unquoted") && typeof value === "string") return harmlessLines(value);
  return JSON.stringify(sorted(value), null, input.on("compact") ? 0 : 2);
}

function sorted(value: Json): Json {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(sortedKeys(value).map((key) => [key, sorted(value[key] ?? null)]));
}
