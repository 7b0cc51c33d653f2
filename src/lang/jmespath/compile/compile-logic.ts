/** `||`, `&&`, `!` and pipes. Which of them pass an unknown key on is in `compile-node.ts`. */
import { QueryError } from "../query-error.ts";
import type { Evaluate } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";
import { isTruthy } from "../values/truth.ts";
import type { CompileNode } from "./compile-node.ts";

type Node<Kind extends AstNode["kind"]> = Extract<AstNode, { readonly kind: Kind }>;

export function compileOr(node: Node<"or">, compile: CompileNode): Evaluate {
  const left = compile(node.left, true);
  const right = compile(node.right, true);
  return (value, run) => {
    const first = left(value, run);
    if (first instanceof QueryError) return first;
    return isTruthy(first) ? first : right(value, run);
  };
}

export function compileAnd(node: Node<"and">, lenient: boolean, compile: CompileNode): Evaluate {
  const left = compile(node.left, true);
  const right = compile(node.right, lenient);
  return (value, run) => {
    const first = left(value, run);
    if (first instanceof QueryError) return first;
    return isTruthy(first) ? right(value, run) : first;
  };
}

export function compileNot(node: Node<"not">, compile: CompileNode): Evaluate {
  const body = compile(node.body, true);
  return (value, run) => {
    const result = body(value, run);
    return result instanceof QueryError ? result : !isTruthy(result);
  };
}

export function compilePipe(node: Node<"pipe">, compile: CompileNode): Evaluate {
  const left = compile(node.left, true);
  const right = compile(node.right, true);
  return (value, run) => {
    const result = left(value, run);
    return result instanceof QueryError ? result : right(result, run);
  };
}
