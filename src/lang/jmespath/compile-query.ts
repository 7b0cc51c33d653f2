/**
 * The language's front: a text to something that can be evaluated many times. Compiling never throws and evaluating
 * throws nothing but `Interruption`; results share parts of the document and of the expression and must not be changed.
 */
import type { Json } from "#json";
import { compileNode } from "./compile/compile-node.ts";
import type { QueryError } from "./query-error.ts";
import { QuerySyntaxError } from "./query-error.ts";
import type { QueryRun } from "./query-run.ts";
import { parseQuery } from "./syntax/parser.ts";

export type CompiledQuery = {
  readonly source: string;
  /** @throws Interruption when the budget is spent or a lookup's answer is not here yet */
  readonly evaluate: (root: Json, run: QueryRun) => Json | QueryError;
};

export function compileQuery(source: string): CompiledQuery | QuerySyntaxError {
  const tree = parseQuery(source);
  if (tree instanceof QuerySyntaxError) return tree;
  return { source, evaluate: compileNode(tree, false) };
}

export function isSyntaxError(compiled: CompiledQuery | QuerySyntaxError): compiled is QuerySyntaxError {
  return compiled instanceof QuerySyntaxError;
}
