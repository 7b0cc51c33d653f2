/** `[1]` and `[1:5:2]`: positions in a list; on anything that is no list they give null. */
import type { Json } from "#json";
import { isArray } from "#json";
import { QueryError, failed } from "../query-error.ts";
import type { Evaluate, QueryRun } from "../query-run.ts";
import type { AstNode, SliceBounds } from "../syntax/ast.ts";
import type { CompileNode } from "./compile-node.ts";

type IndexExpression = Extract<AstNode, { readonly kind: "index-expression" }>;

export function compileIndex(node: IndexExpression, lenient: boolean, compile: CompileNode): Evaluate {
  const left = compile(node.left, lenient);
  const right = compile(node.right, lenient);
  return (value, run) => {
    const list = left(value, run);
    return list instanceof QueryError ? list : right(list, run);
  };
}

export function compileSlice(node: Extract<AstNode, { readonly kind: "index" | "slice" }>): Evaluate {
  if (node.kind === "index") {
    const { index } = node;
    return (value) => (isArray(value) ? (value[index < 0 ? index + value.length : index] ?? null) : null);
  }
  const { bounds } = node;
  if (bounds[2] === 0) {
    const error = failed("Invalid slice, step cannot be 0");
    return (value) => (isArray(value) ? error : null);
  }
  return (value, run) => (isArray(value) ? slice(value, bounds, run) : null);
}

function slice(list: readonly Json[], bounds: SliceBounds, run: QueryRun): Json {
  const step = bounds[2] ?? 1;
  const start =
    bounds[0] === undefined ? (step > 0 ? 0 : list.length - 1) : clamp(bounds[0], list.length, step);
  const stop = bounds[1] === undefined ? (step > 0 ? list.length : -1) : clamp(bounds[1], list.length, step);
  run.budget.charge(list.length);
  const taken: Json[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) taken.push(list[at] ?? null);
  return taken;
}

function clamp(bound: number, length: number, step: number): number {
  const position = bound < 0 ? bound + length : bound;
  if (position < 0) return step < 0 ? -1 : 0;
  if (position < length) return position;
  return step < 0 ? length - 1 : length;
}
