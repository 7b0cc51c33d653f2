/** `[a, b]` and `{x: a, y: b}`: new lists and objects, null where there is nothing to select from. */
import type { Json } from "#json";
import { QueryError } from "../query-error.ts";
import type { Evaluate } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";
import type { CompileNode } from "./compile-node.ts";

type Node<Kind extends AstNode["kind"]> = Extract<AstNode, { readonly kind: Kind }>;

export function compileList(node: Node<"list">, compile: CompileNode): Evaluate {
  const items = node.items.map((item) => compile(item, true));
  return (value, run) => {
    if (value === null) return null;
    run.budget.charge(items.length);
    const results: Json[] = [];
    for (const item of items) {
      const result = item(value, run);
      if (result instanceof QueryError) return result;
      results.push(result);
    }
    return results;
  };
}

/** WHY: keys are defined, not assigned: one may be `__proto__`. */
export function compileHash(node: Node<"hash">, compile: CompileNode): Evaluate {
  const pairs = node.pairs.map(({ key, body }) => ({ key, evaluate: compile(body, true) }));
  return (value, run) => {
    if (value === null) return null;
    run.budget.charge(pairs.length);
    const entries: [string, Json][] = [];
    for (const { key, evaluate } of pairs) {
      const result = evaluate(value, run);
      if (result instanceof QueryError) return result;
      entries.push([key, result]);
    }
    return Object.fromEntries(entries);
  };
}
