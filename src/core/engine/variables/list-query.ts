/** The list of a foreach: a query that may itself have variables. */
import { plainText, type Json } from "#json";

import type { EvaluationContext } from "../context/evaluation-context.ts";
import type { Scope } from "../context/scope.ts";
import { isEvaluationError, type EvaluationError } from "../evaluation-error.ts";
import { compileScopedQuery } from "./scoped-query.ts";
import { compileTemplate } from "./template.ts";

export type ListQuery = (context: EvaluationContext) => Json | EvaluationError;

export function compileListQuery(list: string, scope: Scope): ListQuery {
  const template = compileTemplate(list, scope);
  if (template.constant) {
    const query = compileScopedQuery(list, scope);
    return (context) => context.query(query);
  }
  return (context) => {
    const text = template.render(context);
    if (isEvaluationError(text)) return text;
    return context.query(compileScopedQuery(plainText(text), scope));
  };
}
