/**
 * Values as Go prints them with `%v`: what error texts about a wrong type show. Nodes of expression references are
 * shown as the structs that they are in upstream.
 * SPEC: fmt `%v` of `interface{}`, go-jmespath `ASTNode`.
 */
import type { Json } from "#json";
import { isArray, sortedKeys } from "#json";
import { formatFloatV } from "#text";
import type { AstNode, NodeKind } from "../syntax/ast.ts";
import { childrenOf, nodeNames } from "../syntax/ast.ts";
import { tokens } from "../syntax/token.ts";
import { expressionOf } from "./expression.ts";

export function goText(value: Json): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return formatFloatV(value);
  if (typeof value !== "object") return String(value);
  if (isArray(value)) return `[${value.map(goText).join(" ")}]`;
  const expression = expressionOf(value);
  if (expression !== undefined) return `{${nodeText(expression.node)}}`;
  const members = sortedKeys(value).map((key) => `${key}:${goText(value[key] ?? null)}`);
  return `map[${members.join(" ")}]`;
}

const KINDS = Object.keys(nodeNames);
const TOKENS = Object.keys(tokens);

function nodeText(node: AstNode): string {
  const children = childrenOf(node).map(nodeText).join(" ");
  return `{${kindNumber(node.kind)} ${payload(node)} [${children}]}`;
}

function kindNumber(kind: NodeKind): number {
  return KINDS.indexOf(kind);
}

function payload(node: AstNode): string {
  switch (node.kind) {
    case "field":
      return node.name;
    case "call":
      return goText(node.name ?? null);
    case "index":
      return String(node.index);
    case "pair":
      return node.key;
    case "literal":
      return goText(node.value);
    case "comparator":
      return String(TOKENS.indexOf(node.operator));
    case "slice":
      return `[${node.bounds.map((bound) => bound ?? "<nil>").join(" ")}]`;
    default:
      return "<nil>";
  }
}
