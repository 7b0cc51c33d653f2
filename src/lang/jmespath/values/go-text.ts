/**
 * Values as Go prints them with `%v`: what error texts about a wrong type show. Nodes of expression references are
 * shown as the structs that they are in upstream.
 * SPEC: fmt `%v` of `interface{}`, go-jmespath `ASTNode`.
 */
import type { Json, JsonObject } from "#json";
import { isArray, sortedKeys } from "#json";
import { formatFloatV } from "#text";
import type { AstNode, NodeKind } from "../syntax/ast.ts";
import { childrenOf, nodeNames } from "../syntax/ast.ts";
import { tokens } from "../syntax/token.ts";
import { expressionOf } from "./expression.ts";

/** Texts of values are cut off here: they end up in messages, and values may be larger than what is worth to be read. */
const LONGEST = 16_384;

export function goText(value: Json): string {
  const printer = new Printer();
  printer.print(value);
  return printer.text;
}

class Printer {
  text = "";

  print(value: Json): void {
    if (this.text.length > LONGEST) return;
    if (value === null) this.text += "<nil>";
    else if (typeof value === "number") this.text += formatFloatV(value);
    else if (typeof value !== "object") this.text += String(value);
    else if (isArray(value)) this.#items(value);
    else this.#members(value);
  }

  #items(items: readonly Json[]): void {
    this.text += "[";
    for (const [index, item] of items.entries()) {
      if (this.text.length > LONGEST) return;
      if (index > 0) this.text += " ";
      this.print(item);
    }
    this.text += "]";
  }

  #members(value: JsonObject): void {
    const expression = expressionOf(value);
    if (expression !== undefined) {
      this.text += `{${nodeText(expression.node)}}`;
      return;
    }
    this.text += "map[";
    for (const [index, key] of sortedKeys(value).entries()) {
      if (this.text.length > LONGEST) return;
      this.text += `${index > 0 ? " " : ""}${key}:`;
      this.print(value[key] ?? null);
    }
    this.text += "]";
  }
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
