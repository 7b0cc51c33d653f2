/**
 * An expression as a tree for people, `ASTField { value: "x" }`, in the form that upstream's tool prints (an opened
 * list of children is not closed there either).
 * SPEC: go-jmespath parser.go `ASTNode.PrettyPrint`.
 */
import type { Json } from "#json";
import { isArray, sortedKeys } from "#json";
import { formatFloatV, quoteGo } from "#text";
import { QuerySyntaxError } from "../query-error.ts";
import type { AstNode } from "./ast.ts";
import { childrenOf, nodeNames } from "./ast.ts";
import { parseQuery } from "./parser.ts";

/** The tree with a node a line, or why there is none. */
export function describeQuery(source: string): string | QuerySyntaxError {
  const tree = parseQuery(source);
  return tree instanceof QuerySyntaxError ? tree : describeNode(tree, 0);
}

function describeNode(node: AstNode, indent: number): string {
  const outer = " ".repeat(indent);
  const inner = " ".repeat(indent + 2);
  const value = valueOf(node);
  const children = childrenOf(node);
  let text = `${outer}${nodeNames[node.kind]} {\n`;
  if (value !== undefined) text += `${inner}value: ${value}\n`;
  if (children.length > 0) text += `${inner}children: {\n`;
  for (const child of children) text += describeNode(child, indent + 4);
  return `${text}${outer}}\n`;
}

function valueOf(node: AstNode): string | undefined {
  switch (node.kind) {
    case "field":
      return quoteGo(node.name);
    case "pair":
      return quoteGo(node.key);
    case "call":
      return node.name === undefined ? undefined : goSyntax(node.name);
    case "index":
      return String(node.index);
    case "literal":
      return node.value === null ? undefined : goSyntax(node.value);
    case "comparator":
      return node.operator;
    case "slice":
      return `[${node.bounds.map((bound) => bound ?? "").join(":")}]`;
    default:
      return undefined;
  }
}

/** As Go prints it with `%#v`. */
function goSyntax(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quoteGo(value);
  if (typeof value === "number") return formatFloatV(value);
  if (typeof value === "boolean") return String(value);
  if (isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  const members = sortedKeys(value).map((key) => `${quoteGo(key)}:${goSyntax(value[key] ?? null)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}
