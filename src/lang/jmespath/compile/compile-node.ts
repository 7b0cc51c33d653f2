/**
 * A tree to closures, once; evaluation then only calls them. Whether an unknown key may leave a node as an error or is
 * met as null there is known from where the node stands, so every node is compiled for its place (`lenient`) and no
 * operator has to look at such errors.
 *
 * The rule, fitted to what upstream answers: an unknown key leaves fields, sub-expressions, indexes and the right side
 * of `&&`; it is null inside function arguments, comparisons, `||`, `!`, the left side of `&&`, pipes, projections,
 * filters, slices, multi-selects and expression references.
 */
import type { Json } from "#json";
import type { QueryError } from "../query-error.ts";
import { failed } from "../query-error.ts";
import type { Evaluate } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";
import { Expression, expressionValue } from "../values/expression.ts";
import { compileCall } from "./compile-call.ts";
import { compileComparator } from "./compile-comparator.ts";
import { compileField } from "./compile-field.ts";
import { compileAnd, compileNot, compileOr, compilePipe } from "./compile-logic.ts";
import { compileFilter, compileProjection, compileValueProjection } from "./compile-projection.ts";
import { compileHash, compileList } from "./compile-select.ts";
import { compileIndex, compileSlice } from "./compile-slice.ts";
import { compileSubexpression } from "./compile-subexpression.ts";

/** How the parts of a node are compiled: handed down, so that the files of the kinds do not import each other. */
export type CompileNode = (node: AstNode, lenient: boolean) => Evaluate;

/** @param lenient an unknown key gives null instead of an error */
export function compileNode(node: AstNode, lenient: boolean): Evaluate {
  switch (node.kind) {
    case "field":
      return compileField([node.name], lenient);
    case "subexpression":
      return compileSubexpression(node, lenient, compileNode);
    case "index-expression":
      return compileIndex(node, lenient, compileNode);
    case "projection":
      return compileProjection(node, compileNode);
    case "value-projection":
      return compileValueProjection(node, compileNode);
    case "filter":
      return compileFilter(node, compileNode);
    case "comparator":
      return compileComparator(node, compileNode);
    case "or":
      return compileOr(node, compileNode);
    case "and":
      return compileAnd(node, lenient, compileNode);
    case "not":
      return compileNot(node, compileNode);
    case "pipe":
      return compilePipe(node, compileNode);
    default:
      return compileOther(node);
  }
}

type OtherNode = Extract<
  AstNode,
  {
    readonly kind:
      | "empty"
      | "current"
      | "identity"
      | "reference"
      | "call"
      | "literal"
      | "hash"
      | "list"
      | "pair"
      | "flatten"
      | "index"
      | "slice";
  }
>;

function compileOther(node: OtherNode): Evaluate {
  switch (node.kind) {
    case "current":
    case "identity":
      return itself;
    case "literal":
      return constant(node.value);
    case "reference":
      return constant(expressionValue(new Expression(node.body, compileNode(node.body, true))));
    case "call":
      return compileCall(node, compileNode);
    case "hash":
      return compileHash(node, compileNode);
    case "list":
      return compileList(node, compileNode);
    case "pair":
      return compileNode(node.body, true);
    case "flatten":
      return compileProjection({ kind: "projection", left: node, right: { kind: "identity" } }, compileNode);
    case "index":
    case "slice":
      return compileSlice(node);
    case "empty":
      return constant(failed("Unknown AST node: ASTEmpty"));
  }
}

function itself(value: Json): Json {
  return value;
}

function constant(value: Json | QueryError): Evaluate {
  return () => value;
}
