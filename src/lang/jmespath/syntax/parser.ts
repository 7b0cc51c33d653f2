/**
 * Tokens to a tree, by binding powers. Where upstream lets odd expressions through (`[1` parses to an empty node,
 * `{a:b c:d}` to two pairs), so does this: policies that are out there parse, and errors are theirs to the letter.
 *
 * INVARIANT: after the first error every token reads as the end, so that all loops end; the first error is the answer.
 * SPEC: go-jmespath parser.go.
 */
import type { Json } from "#json";
import { QuerySyntaxError } from "../query-error.ts";
import { isError, parseJson } from "../values/parse-json.ts";
import { bytesBefore } from "../values/utf8.ts";
import type { AstNode, PairNode, SliceBounds } from "./ast.ts";
import { tokenize } from "./lexer.ts";
import type { Token, TokenKind } from "./token.ts";
import { tokens } from "./token.ts";

export function parseQuery(source: string): AstNode | QuerySyntaxError {
  const found = tokenize(source);
  if (found instanceof QuerySyntaxError) return found;
  return new Parser(source, found).parse();
}

/** How deep expressions may nest, and how many steps may follow one another: evaluation recurses along both. */
const MAX_DEPTH = 500;
const MAX_STEPS = 2000;

const EMPTY: AstNode = { kind: "empty" };
const IDENTITY: AstNode = { kind: "identity" };

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #next = 0;
  #depth = 0;
  #steps = 0;
  #error: QuerySyntaxError | undefined;

  constructor(source: string, found: readonly Token[]) {
    this.#source = source;
    this.#tokens = found;
    this.#end = { kind: "tEOF", text: "", at: source.length };
  }

  parse(): AstNode | QuerySyntaxError {
    const tree = this.#expression(0);
    if (this.#error !== undefined) return this.#error;
    const kind = this.#kind();
    if (kind !== "tEOF") this.#fail(`Unexpected token at the end of the expression: ${kind}`);
    return this.#error ?? tree;
  }

  #expression(power: number): AstNode {
    if (++this.#depth > MAX_DEPTH) return this.#fail("the expression is nested too deeply");
    const first = this.#advance();
    let node = this.#prefix(first);
    while (this.#error === undefined && power < tokens[this.#kind()]) {
      if (++this.#steps > MAX_STEPS) return this.#fail("the expression is too long");
      node = this.#infix(this.#advance(), node);
    }
    this.#depth--;
    return this.#error === undefined ? node : EMPTY;
  }

  #prefix(token: Token): AstNode {
    switch (token.kind) {
      case "tJSONLiteral":
        return this.#literal(token);
      case "tStringLiteral":
        return { kind: "literal", value: token.text };
      case "tUnquotedIdentifier":
        return { kind: "field", name: token.text };
      case "tQuotedIdentifier":
        if (this.#kind() === "tLparen")
          return this.#fail("Can't have quoted identifier as function Name.", token);
        return { kind: "field", name: token.text };
      case "tStar":
        return this.#star();
      case "tFilter":
        return this.#filter(IDENTITY);
      case "tLbrace":
        return this.#hash();
      case "tFlatten":
        return this.#flatten(IDENTITY);
      case "tLbracket":
        return this.#leadingBracket();
      default:
        return this.#prefixOperator(token);
    }
  }

  #prefixOperator(token: Token): AstNode {
    switch (token.kind) {
      case "tCurrent":
        return { kind: "current" };
      case "tExpref":
        return { kind: "reference", body: this.#expression(tokens.tExpref) };
      case "tNot":
        return { kind: "not", body: this.#expression(tokens.tNot) };
      case "tLparen": {
        const inner = this.#expression(0);
        this.#match("tRparen");
        return inner;
      }
      case "tEOF":
        return this.#fail("Incomplete expression", token);
      default:
        return this.#fail(`Invalid token: ${token.kind}`, token);
    }
  }

  #infix(token: Token, left: AstNode): AstNode {
    switch (token.kind) {
      case "tDot":
        return this.#dot(left);
      case "tPipe":
        return { kind: "pipe", left, right: this.#expression(tokens.tPipe) };
      case "tOr":
        return { kind: "or", left, right: this.#expression(tokens.tOr) };
      case "tAnd":
        return { kind: "and", left, right: this.#expression(tokens.tAnd) };
      case "tLparen":
        return this.#call(left);
      case "tFilter":
        return this.#filter(left);
      case "tFlatten":
        return this.#flatten(left);
      case "tLbracket":
        return this.#bracket(left);
      case "tEQ":
      case "tNE":
      case "tGT":
      case "tGTE":
      case "tLT":
      case "tLTE":
        return {
          kind: "comparator",
          operator: token.kind,
          left,
          right: this.#expression(tokens[token.kind]),
        };
      default:
        return this.#fail(`Unexpected token: ${token.kind}`);
    }
  }

  #literal(token: Token): AstNode {
    const value = parseJson(token.text);
    if (!isError(value)) return { kind: "literal", value };
    this.#error ??= new QuerySyntaxError(value.message);
    return EMPTY;
  }

  #star(): AstNode {
    const right = this.#kind() === "tRbracket" ? IDENTITY : this.#projected(tokens.tStar);
    return { kind: "value-projection", left: IDENTITY, right };
  }

  #dot(left: AstNode): AstNode {
    if (this.#kind() !== "tStar") return { kind: "subexpression", left, right: this.#afterDot(tokens.tDot) };
    this.#advance();
    return { kind: "value-projection", left, right: this.#projected(tokens.tDot) };
  }

  #flatten(left: AstNode): AstNode {
    const flat: AstNode = { kind: "flatten", body: left };
    return { kind: "projection", left: flat, right: this.#projected(tokens.tFlatten) };
  }

  #filter(left: AstNode): AstNode {
    const condition = this.#expression(0);
    this.#match("tRbracket");
    const right = this.#kind() === "tFlatten" ? IDENTITY : this.#projected(tokens.tFilter);
    return { kind: "filter", left, right, condition };
  }

  /** The name is whatever the node before the bracket carries, a string literal included. */
  #call(callee: AstNode): AstNode {
    const args: AstNode[] = [];
    while (this.#error === undefined && this.#kind() !== "tRparen") {
      args.push(this.#expression(0));
      if (this.#kind() === "tComma") this.#advance();
    }
    this.#match("tRparen");
    return { kind: "call", name: nameOf(callee), args };
  }

  #leadingBracket(): AstNode {
    const kind = this.#kind();
    if (kind === "tNumber" || kind === "tColon") {
      const index = this.#index();
      if (this.#error === undefined) return this.#indexed(IDENTITY, index);
      // WHY: upstream drops this error and goes on with an empty node
      this.#error = undefined;
      return EMPTY;
    }
    if (kind === "tStar" && this.#kind(1) === "tRbracket") {
      this.#advance();
      this.#advance();
      return { kind: "projection", left: IDENTITY, right: this.#projected(tokens.tStar) };
    }
    return this.#list();
  }

  #bracket(left: AstNode): AstNode {
    const kind = this.#kind();
    if (kind === "tNumber" || kind === "tColon") return this.#indexed(left, this.#index());
    this.#match("tStar");
    this.#match("tRbracket");
    return { kind: "projection", left, right: this.#projected(tokens.tStar) };
  }

  #index(): AstNode {
    if (this.#kind() === "tColon" || this.#kind(1) === "tColon") return this.#slice();
    const index = this.#integer();
    this.#advance();
    this.#match("tRbracket");
    return { kind: "index", index };
  }

  #slice(): AstNode {
    const bounds: [number | undefined, number | undefined, number | undefined] = [
      undefined,
      undefined,
      undefined,
    ];
    let part = 0;
    while (this.#error === undefined && part < 3 && this.#kind() !== "tRbracket") {
      const kind = this.#kind();
      if (kind === "tColon") part++;
      else if (kind === "tNumber") bounds[part] = this.#integer();
      else this.#fail(`Expected tColon or tNumber, received: ${kind}`);
      if (this.#error === undefined) this.#advance();
    }
    this.#match("tRbracket");
    const frozen: SliceBounds = bounds;
    return { kind: "slice", bounds: frozen };
  }

  /** SPEC: strconv `Atoi` on 64 bits. */
  #integer(): number {
    const { text } = this.#token();
    const value = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    if (value !== undefined && BigInt.asIntN(64, value) === value) return Number(value);
    const why = value === undefined ? "invalid syntax" : "value out of range";
    this.#error ??= new QuerySyntaxError(`strconv.Atoi: parsing "${text}": ${why}`);
    return 0;
  }

  #indexed(left: AstNode, right: AstNode): AstNode {
    const node: AstNode = { kind: "index-expression", left, right };
    if (right.kind !== "slice") return node;
    return { kind: "projection", left: node, right: this.#projected(tokens.tStar) };
  }

  #list(): AstNode {
    const items: AstNode[] = [];
    do {
      items.push(this.#expression(0));
      if (this.#kind() === "tRbracket") break;
      this.#match("tComma");
    } while (this.#error === undefined);
    this.#match("tRbracket");
    return { kind: "list", items };
  }

  #hash(): AstNode {
    const pairs: PairNode[] = [];
    while (this.#error === undefined) {
      const key = this.#token();
      if (key.kind !== "tUnquotedIdentifier" && key.kind !== "tQuotedIdentifier") {
        return this.#fail("Expected tQuotedIdentifier or tUnquotedIdentifier");
      }
      this.#advance();
      this.#match("tColon");
      pairs.push({ kind: "pair", key: key.text, body: this.#expression(0) });
      if (this.#kind() === "tComma") this.#advance();
      else if (this.#kind() === "tRbrace") {
        this.#advance();
        break;
      }
    }
    return { kind: "hash", pairs };
  }

  #afterDot(power: number): AstNode {
    const kind = this.#kind();
    if (kind === "tQuotedIdentifier" || kind === "tUnquotedIdentifier" || kind === "tStar") {
      return this.#expression(power);
    }
    if (kind !== "tLbracket" && kind !== "tLbrace")
      return this.#fail("Expected identifier, lbracket, or lbrace");
    this.#advance();
    return kind === "tLbracket" ? this.#list() : this.#hash();
  }

  /** What is applied to each element of a projection. */
  #projected(power: number): AstNode {
    const kind = this.#kind();
    if (tokens[kind] < 10) return IDENTITY;
    if (kind === "tLbracket" || kind === "tFilter") return this.#expression(power);
    if (kind !== "tDot") return this.#fail("Error");
    this.#advance();
    return this.#afterDot(power);
  }

  #token(ahead = 0): Token {
    if (this.#error !== undefined) return this.#end;
    return this.#tokens[this.#next + ahead] ?? this.#end;
  }

  #kind(ahead = 0): TokenKind {
    return this.#token(ahead).kind;
  }

  #advance(): Token {
    const token = this.#token();
    if (this.#error === undefined) this.#next++;
    return token;
  }

  #match(kind: TokenKind): void {
    if (this.#kind() === kind) this.#next++;
    else this.#fail(`Expected ${kind}, received: ${this.#kind()}`);
  }

  #fail(message: string, token: Token = this.#token()): AstNode {
    this.#error ??= new QuerySyntaxError(`SyntaxError: ${message}`, bytesBefore(this.#source, token.at));
    return EMPTY;
  }
}

function nameOf(node: AstNode): Json | undefined {
  if (node.kind === "field" || node.kind === "call") return node.name;
  if (node.kind === "literal") return node.value;
  return node.kind === "index" ? node.index : undefined;
}
