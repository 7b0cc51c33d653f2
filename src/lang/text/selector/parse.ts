/**
 * The text form of label selectors: `app=web,tier in (a,b),!canary,size>3`.
 * SPEC: k8s.io/apimachinery pkg/labels `Parse`, `Lexer`, `Parser`.
 */
import { quoteGo } from "../go-quote.ts";
import { labelKeyError } from "./label-syntax.ts";
import type { LabelsTest, Requirement, SelectorError, SelectorOperator } from "./requirement.ts";
import { compileRequirements, invalid, printRequirements, requirementError } from "./requirement.ts";

export type Selector = {
  readonly matches: LabelsTest;
  /** The canonical text. */
  readonly text: string;
};

/** A selector, or what Kubernetes says about the text. */
export function parseSelector(text: string): Selector | SelectorError {
  const requirements = parseRequirements(text);
  if ("error" in requirements) return requirements;
  return { matches: compileRequirements(requirements), text: printRequirements(requirements) };
}

type Parsed<T> = T | SelectorError;

/** Comma or operator, identifier, or the end (the empty token). */
type Tokens = { readonly list: readonly string[]; at: number };

const BINARY: ReadonlyMap<string, SelectorOperator> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);
const EXPECTED = "in, notin, =, ==, !=, gt, lt";
const SYMBOLS = new Set(["=", "!", "(", ")", ",", ">", "<", "==", "!="]);

/** A NUL ends an identifier; where a token should start it ends the text. */
function tokenize(text: string): readonly string[] {
  const tokens: string[] = [];
  const pattern = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>\0]+\0?|$|\0)/y;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const token = (found[1] ?? "").replace("\0", "");
    if (token === "") break;
    tokens.push(token);
  }
  return tokens;
}

function peek(tokens: Tokens): string {
  return tokens.list[tokens.at] ?? "";
}

function take(tokens: Tokens): string {
  return tokens.list[tokens.at++] ?? "";
}

function isIdentifier(token: string): boolean {
  return token !== "" && !SYMBOLS.has(token);
}

function startsRequirement(token: string): boolean {
  return isIdentifier(token) || token === "!";
}

function parseRequirements(text: string): Parsed<readonly Requirement[]> {
  const tokens: Tokens = { list: tokenize(text), at: 0 };
  const requirements: Requirement[] = [];
  if (peek(tokens) === "") return requirements;
  if (!startsRequirement(peek(tokens))) {
    return { error: `found '${peek(tokens)}', expected: !, identifier, or 'end of string'` };
  }
  for (;;) {
    const requirement = parseRequirement(tokens);
    if ("error" in requirement) return { error: `unable to parse requirement: ${requirement.error}` };
    requirements.push(requirement);
    const next = take(tokens);
    if (next === "") return requirements;
    if (next !== ",") return { error: `found '${next}', expected: ',' or 'end of string'` };
    if (!startsRequirement(peek(tokens))) {
      return { error: `found '${peek(tokens)}', expected: identifier after ','` };
    }
  }
}

function parseRequirement(tokens: Tokens): Parsed<Requirement> {
  const negated = peek(tokens) === "!";
  if (negated) tokens.at++;
  const key = take(tokens);
  if (!isIdentifier(key)) return { error: `found '${key}', expected: identifier` };
  const keyError = labelKeyError(key);
  if (keyError !== undefined) return { error: invalid("<nil>", quoteGo(key), keyError) };
  if (negated) return { key, operator: "!", values: [] };
  if (peek(tokens) === "" || peek(tokens) === ",") return { key, operator: "exists", values: [] };
  const spelling = take(tokens);
  const operator = BINARY.get(spelling);
  if (operator === undefined) return { error: `found '${spelling}', expected: ${EXPECTED}` };
  const values = operator === "in" || operator === "notin" ? parseValues(tokens) : parseValue(tokens);
  return "error" in values ? values : checked({ key, operator, values });
}

function checked(requirement: Requirement): Parsed<Requirement> {
  const error = requirementError(requirement);
  return error === undefined ? requirement : { error };
}

/** Nothing stands for the empty value. */
function parseValue(tokens: Tokens): Parsed<readonly string[]> {
  if (peek(tokens) === "" || peek(tokens) === ",") return [""];
  const value = take(tokens);
  return isIdentifier(value) ? [value] : { error: `found '${value}', expected: identifier` };
}

/** The values in parentheses, each once; gaps between commas are one empty value. */
function parseValues(tokens: Tokens): Parsed<readonly string[]> {
  const open = take(tokens);
  if (open !== "(") return { error: `found '${open}' expected: '('` };
  const first = peek(tokens);
  if (first === ")") {
    tokens.at++;
    return [""];
  }
  if (!isIdentifier(first) && first !== ",") {
    return { error: `found '${first}', expected: ',', ')' or identifier` };
  }
  const values = new Set<string>();
  const error = collectValues(tokens, values);
  if (error !== undefined) return error;
  tokens.at++;
  return [...values].sort();
}

/** Stops before the closing parenthesis. */
function collectValues(tokens: Tokens, values: Set<string>): SelectorError | undefined {
  for (;;) {
    const token = take(tokens);
    const next = peek(tokens);
    if (isIdentifier(token)) {
      values.add(token);
      if (next === ")") return undefined;
      if (next !== ",") return { error: `found '${next}', expected: ',' or ')'` };
    } else if (token === ",") {
      if (values.size === 0) values.add("");
      if (next === ")") values.add("");
      if (next === ")") return undefined;
      if (next !== ",") continue;
      tokens.at++;
      values.add("");
    } else {
      return { error: `found '${token}', expected: ',', or identifier` };
    }
  }
}
