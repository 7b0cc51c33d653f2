/**
 * `&expression` as a value: it may be passed around, returned, printed (`{}`), and is neither an object nor anything
 * else to type checks. It travels as an object without own keys that carries the compiled expression under a symbol.
 */
import type { Json, JsonObject } from "#json";
import { isObject } from "#json";
import type { Evaluate } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";

const CARRIED = Symbol("expression");

export class Expression {
  readonly node: AstNode;
  /** An unknown key inside gives null. */
  readonly evaluate: Evaluate;

  constructor(node: AstNode, evaluate: Evaluate) {
    this.node = node;
    this.evaluate = evaluate;
  }
}

export function expressionValue(expression: Expression): JsonObject {
  const carrier: JsonObject & { readonly [CARRIED]: Expression } = { [CARRIED]: expression };
  return carrier;
}

export function expressionOf(value: Json): Expression | undefined {
  if (!isObject(value) || !(CARRIED in value)) return undefined;
  const carried = value[CARRIED];
  return carried instanceof Expression ? carried : undefined;
}

/** An object in the sense of the language's type checks. */
export function isPlainObject(value: Json): value is JsonObject {
  return isObject(value) && !(CARRIED in value);
}
