/**
 * Projections: something done to every element. Nulls are left out; what is no list (for `*` no object) gives null. A
 * list that loses nothing is handed on as it is, and `[]` is walked in place, without a flat copy in between.
 */
import type { Json } from "#json";
import { isArray } from "#json";
import { QueryError } from "../query-error.ts";
import type { Evaluate, QueryRun } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";
import { isPlainObject } from "../values/expression.ts";
import { isPairList } from "../values/pair-list.ts";
import { isTruthy } from "../values/truth.ts";
import type { CompileNode } from "./compile-node.ts";

type Node<Kind extends AstNode["kind"]> = Extract<AstNode, { readonly kind: Kind }>;

export function compileProjection(node: Node<"projection">, compile: CompileNode): Evaluate {
  if (node.left.kind === "flatten") return compileFlatten(node.left.body, node.right, compile);
  const left = compile(node.left, true);
  const right = compile(node.right, true);
  if (node.right.kind === "identity") {
    return (value, run) => {
      const list = left(value, run);
      if (list instanceof QueryError) return list;
      return isArray(list) ? withoutNulls(list, run) : null;
    };
  }
  return (value, run) => {
    const list = left(value, run);
    if (list instanceof QueryError) return list;
    if (!isArray(list)) return null;
    const results: Json[] = [];
    return project(list, right, run, results) ?? results;
  };
}

function compileFlatten(body: AstNode, right: AstNode, compile: CompileNode): Evaluate {
  const left = compile(body, true);
  const each = compile(right, true);
  return (value, run) => {
    const list = left(value, run);
    if (list instanceof QueryError) return list;
    if (!isArray(list)) return null;
    const results: Json[] = [];
    for (const item of list) {
      const failure = isArray(item)
        ? project(item, each, run, results)
        : projectOne(item, each, run, results);
      if (failure !== undefined) return failure;
    }
    return results;
  };
}

export function compileValueProjection(node: Node<"value-projection">, compile: CompileNode): Evaluate {
  const left = compile(node.left, true);
  const right = compile(node.right, true);
  return (value, run) => {
    const object = left(value, run);
    if (object instanceof QueryError) return object;
    if (!isPlainObject(object)) return null;
    const values = Object.values(object);
    const results: Json[] = [];
    return (
      projectNulls(values.length, right, run, results) ?? project(values, right, run, results) ?? results
    );
  };
}

export function compileFilter(node: Node<"filter">, compile: CompileNode): Evaluate {
  const left = compile(node.left, true);
  const condition = compile(node.condition, true);
  const right = compile(node.right, true);
  return (value, run) => {
    const list = left(value, run);
    if (list instanceof QueryError) return list;
    if (!isArray(list)) return null;
    const results: Json[] = [];
    for (const item of list) {
      const kept = condition(item, run);
      if (kept instanceof QueryError) return kept;
      const failure = isTruthy(kept) ? projectOne(item, right, run, results) : undefined;
      if (failure !== undefined) return failure;
    }
    run.budget.charge(list.length);
    return results;
  };
}

/**
 * Upstream projects as many nulls as there are values before the values themselves. Nothing is seen of them unless the
 * right side makes something of null.
 */
function projectNulls(count: number, each: Evaluate, run: QueryRun, results: Json[]): QueryError | undefined {
  if (count === 0) return undefined;
  const result = each(null, run);
  if (result instanceof QueryError) return result;
  if (result === null) return undefined;
  run.budget.charge(count);
  for (let index = 0; index < count; index++) results.push(result);
  return undefined;
}

/** Adds what `each` gives for the elements; an error if one fails. */
function project(
  list: readonly Json[],
  each: Evaluate,
  run: QueryRun,
  results: Json[],
): QueryError | undefined {
  run.budget.charge(list.length);
  for (const item of list) {
    const result = each(item, run);
    if (result === null) continue;
    if (result instanceof QueryError) return result;
    results.push(result);
  }
  return undefined;
}

function projectOne(item: Json, each: Evaluate, run: QueryRun, results: Json[]): QueryError | undefined {
  const result = each(item, run);
  if (result instanceof QueryError) return result;
  if (result !== null) results.push(result);
  return undefined;
}

function withoutNulls(list: readonly Json[], run: QueryRun): Json {
  run.budget.charge(list.length);
  if (list.includes(null)) return list.filter((item) => item !== null);
  return isPairList(list) ? [...list] : list;
}
