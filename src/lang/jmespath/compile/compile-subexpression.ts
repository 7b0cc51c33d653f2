/** `left.right`: fields run together into one chain; everything else sees what the left side gave. */
import { QueryError } from "../query-error.ts";
import type { Evaluate } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";
import { compileField } from "./compile-field.ts";
import type { CompileNode } from "./compile-node.ts";

type Subexpression = Extract<AstNode, { readonly kind: "subexpression" }>;

export function compileSubexpression(node: Subexpression, lenient: boolean, compile: CompileNode): Evaluate {
  const { base, keys } = splitChain(node);
  if (keys.length === 0) return compose(node, lenient, compile);
  const fields = compileField(keys, lenient);
  if (base === undefined) return fields;
  const start = compile(base, lenient);
  return (value, run) => {
    const from = start(value, run);
    return from instanceof QueryError ? from : fields(from, run);
  };
}

/** The fields at the end of the expression, and what stands before them unless they are all. */
function splitChain(node: AstNode): { readonly base: AstNode | undefined; readonly keys: readonly string[] } {
  const keys: string[] = [];
  let base: AstNode | undefined = node;
  while (base?.kind === "subexpression" && base.right.kind === "field") {
    keys.unshift(base.right.name);
    base = base.left;
  }
  if (base?.kind === "field") {
    keys.unshift(base.name);
    base = undefined;
  }
  return { base: base?.kind === "current" ? undefined : base, keys };
}

/** WHY: the left side is compiled strictly even here: functions on the right must not see the null of a missing key. */
function compose(node: Subexpression, lenient: boolean, compile: CompileNode): Evaluate {
  const left = compile(node.left, false);
  const right = compile(node.right, lenient);
  return (value, run) => {
    const from = left(value, run);
    if (!(from instanceof QueryError)) return right(from, run);
    return lenient && from.kind === "unknown-key" ? null : from;
  };
}
