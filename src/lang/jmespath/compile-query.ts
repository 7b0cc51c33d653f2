/**
 * The language's front: a text to something that can be evaluated many times. Compiling never throws and evaluating
 * throws nothing but `Interruption`; results share parts of the document and of the expression and must not be changed.
 */
import type { Json } from "#json";
import { compileNode } from "./compile/compile-node.ts";
import { QueryError, QuerySyntaxError } from "./query-error.ts";
import type { Evaluate, QueryRun } from "./query-run.ts";
import type { AstNode } from "./syntax/ast.ts";
import { childrenOf } from "./syntax/ast.ts";
import { parseQuery } from "./syntax/parser.ts";
import { chargeValue } from "./values/charge-value.ts";

export type CompiledQuery = {
  readonly source: string;
  /** @throws Interruption when the budget is spent or a lookup's answer is not here yet */
  readonly evaluate: (root: Json, run: QueryRun) => Json | QueryError;
};

export function compileQuery(source: string): CompiledQuery | QuerySyntaxError {
  const tree = parseQuery(source);
  if (tree instanceof QuerySyntaxError) return tree;
  const evaluate = compileNode(tree, false);
  return { source, evaluate: countSelections(tree) > MAX_SELECTIONS ? charged(evaluate) : evaluate };
}

/** With this many multi-selects at most, a result cannot be so many times larger than the document that it matters. */
const MAX_SELECTIONS = 6;

function countSelections(node: AstNode): number {
  const own = node.kind === "list" || node.kind === "hash" ? 1 : 0;
  return childrenOf(node).reduce((sum, child) => sum + countSelections(child), own);
}

/** Whoever gets the result will walk it. */
function charged(evaluate: Evaluate): Evaluate {
  return (root, run) => {
    const result = evaluate(root, run);
    if (!(result instanceof QueryError)) chargeValue(result, run.budget);
    return result;
  };
}

export function isSyntaxError(compiled: CompiledQuery | QuerySyntaxError): compiled is QuerySyntaxError {
  return compiled instanceof QuerySyntaxError;
}
