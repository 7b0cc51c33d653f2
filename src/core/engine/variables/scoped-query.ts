/**
 * A query together with what it loads: compiled once where its text is fixed, when it is met where variables make it.
 */
import { compileQuery, isSyntaxError, type CompiledQuery } from "#jmespath";

import type { DeclaredEntry, Scope } from "../context/scope.ts";
import { EvaluationError } from "../evaluation-error.ts";

export type ScopedQuery = {
  readonly source: string;
  /** What is wrong with the text, where it is no query. */
  readonly query: CompiledQuery | EvaluationError;
  readonly triggers: readonly DeclaredEntry[];
  /** It may yield its root, which is changed afterwards: it needs one of its own. */
  readonly takesRoot: boolean;
};

/** White space around the text does not count; an empty one is no query. */
export function compileScopedQuery(text: string, scope: Scope): ScopedQuery {
  const source = text.trim();
  return {
    source,
    query: compileText(source),
    triggers: scope.triggeredBy(source),
    takesRoot: source.includes("@"),
  };
}

function compileText(source: string): CompiledQuery | EvaluationError {
  if (source === "") return new EvaluationError("invalid query (nil)");
  const query = compileQuery(source);
  if (isSyntaxError(query)) return new EvaluationError(`incorrect query ${source}: ${query.message}`);
  return query;
}
