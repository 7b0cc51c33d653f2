/**
 * The tree of an expression. Upstream's names and numbers of the nodes, and the order of their children, are data
 * here: `postern jp parse` prints them and error texts of expression references show them.
 * SPEC: go-jmespath parser.go `ASTNode`, `astNodeType`.
 */
import type { Json } from "#json";
import type { Comparison } from "./token.ts";

export type SliceBounds = readonly [number | undefined, number | undefined, number | undefined];

export type AstNode =
  | { readonly kind: "empty" }
  | {
      readonly kind: "comparator";
      readonly operator: Comparison;
      readonly left: AstNode;
      readonly right: AstNode;
    }
  | { readonly kind: "current" }
  | { readonly kind: "reference"; readonly body: AstNode }
  | { readonly kind: "call"; readonly name: Json | undefined; readonly args: readonly AstNode[] }
  | { readonly kind: "field"; readonly name: string }
  | {
      readonly kind: "filter";
      readonly left: AstNode;
      readonly right: AstNode;
      readonly condition: AstNode;
    }
  | { readonly kind: "flatten"; readonly body: AstNode }
  | { readonly kind: "identity" }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "index-expression"; readonly left: AstNode; readonly right: AstNode }
  | { readonly kind: "pair"; readonly key: string; readonly body: AstNode }
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "hash"; readonly pairs: readonly PairNode[] }
  | { readonly kind: "list"; readonly items: readonly AstNode[] }
  | { readonly kind: "or"; readonly left: AstNode; readonly right: AstNode }
  | { readonly kind: "and"; readonly left: AstNode; readonly right: AstNode }
  | { readonly kind: "not"; readonly body: AstNode }
  | { readonly kind: "pipe"; readonly left: AstNode; readonly right: AstNode }
  | { readonly kind: "projection"; readonly left: AstNode; readonly right: AstNode }
  | { readonly kind: "subexpression"; readonly left: AstNode; readonly right: AstNode }
  | { readonly kind: "slice"; readonly bounds: SliceBounds }
  | { readonly kind: "value-projection"; readonly left: AstNode; readonly right: AstNode };

export type PairNode = { readonly kind: "pair"; readonly key: string; readonly body: AstNode };

export type NodeKind = AstNode["kind"];

/** Upstream's name of each kind, in the order of its numbers. */
export const nodeNames: Readonly<Record<NodeKind, string>> = {
  empty: "ASTEmpty",
  comparator: "ASTComparator",
  current: "ASTCurrentNode",
  reference: "ASTExpRef",
  call: "ASTFunctionExpression",
  field: "ASTField",
  filter: "ASTFilterProjection",
  flatten: "ASTFlatten",
  identity: "ASTIdentity",
  index: "ASTIndex",
  "index-expression": "ASTIndexExpression",
  pair: "ASTKeyValPair",
  literal: "ASTLiteral",
  hash: "ASTMultiSelectHash",
  list: "ASTMultiSelectList",
  or: "ASTOrExpression",
  and: "ASTAndExpression",
  not: "ASTNotExpression",
  pipe: "ASTPipe",
  projection: "ASTProjection",
  subexpression: "ASTSubexpression",
  slice: "ASTSlice",
  "value-projection": "ASTValueProjection",
};

export function childrenOf(node: AstNode): readonly AstNode[] {
  switch (node.kind) {
    case "call":
      return node.args;
    case "hash":
      return node.pairs;
    case "list":
      return node.items;
    case "filter":
      return [node.left, node.right, node.condition];
    case "reference":
    case "flatten":
    case "pair":
    case "not":
      return [node.body];
    case "empty":
    case "current":
    case "identity":
    case "field":
    case "index":
    case "literal":
    case "slice":
      return [];
    default:
      return [node.left, node.right];
  }
}
