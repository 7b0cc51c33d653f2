/**
 * Text to tokens. Everything that has a closing delimiter is cut out here, escapes included; JSON literals are decoded
 * by the parser, quoted names here. Linear in the text.
 * SPEC: go-jmespath lexer.go.
 */
import { plainText } from "#json";
import { isError, parseJson } from "../values/parse-json.ts";
import { QuerySyntaxError } from "../query-error.ts";
import { bytesBefore } from "../values/utf8.ts";
import type { Token, TokenKind } from "./token.ts";

/** The tokens with `tEOF` at the end, or what is wrong with the first character that fits none. */
export function tokenize(source: string): readonly Token[] | QuerySyntaxError {
  const found: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const scan = scanAt(source, at);
    if (scan instanceof QuerySyntaxError) return scan;
    if (scan.token !== undefined) found.push(scan.token);
    at = scan.next;
  }
  found.push({ kind: "tEOF", text: "", at: source.length });
  return found;
}

type Scan = { readonly token: Token | undefined; readonly next: number };

const SINGLE: ReadonlyMap<string, TokenKind> = new Map([
  [".", "tDot"],
  ["*", "tStar"],
  [",", "tComma"],
  [":", "tColon"],
  ["{", "tLbrace"],
  ["}", "tRbrace"],
  ["]", "tRbracket"],
  ["(", "tLparen"],
  [")", "tRparen"],
  ["@", "tCurrent"],
]);

/** First character, the second one that changes the meaning, the meaning with it and without it. */
const DOUBLE: ReadonlyMap<string, readonly (readonly [string, TokenKind])[]> = new Map([
  [
    "[",
    [
      ["?", "tFilter"],
      ["]", "tFlatten"],
      ["", "tLbracket"],
    ],
  ],
  [
    "|",
    [
      ["|", "tOr"],
      ["", "tPipe"],
    ],
  ],
  [
    "<",
    [
      ["=", "tLTE"],
      ["", "tLT"],
    ],
  ],
  [
    ">",
    [
      ["=", "tGTE"],
      ["", "tGT"],
    ],
  ],
  [
    "!",
    [
      ["=", "tNE"],
      ["", "tNot"],
    ],
  ],
  [
    "=",
    [
      ["=", "tEQ"],
      ["", "tUnknown"],
    ],
  ],
  [
    "&",
    [
      ["&", "tAnd"],
      ["", "tExpref"],
    ],
  ],
]);

const SPACE = " \t\n\r";

function scanAt(source: string, at: number): Scan | QuerySyntaxError {
  const first = source.charAt(at);
  if (isNameStart(first)) return runOf(source, at, "tUnquotedIdentifier", isNamePart);
  const single = SINGLE.get(first);
  if (single !== undefined) return { token: { kind: single, text: first, at }, next: at + 1 };
  if (first === "-" || isDigit(first)) return runOf(source, at, "tNumber", isDigit);
  const double = DOUBLE.get(first);
  if (double !== undefined) return oneOrTwo(source, at, double);
  if (first === "'") return rawString(source, at);
  if (first === "`") return literal(source, at);
  if (first === '"') return quotedName(source, at);
  if (SPACE.includes(first)) return { token: undefined, next: at + 1 };
  return unknownCharacter(source, at);
}

function isNameStart(character: string): boolean {
  return (
    (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") || character === "_"
  );
}

function isNamePart(character: string): boolean {
  return isNameStart(character) || isDigit(character);
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function runOf(source: string, at: number, kind: TokenKind, belongs: (character: string) => boolean): Scan {
  let end = at + 1;
  while (end < source.length && belongs(source.charAt(end))) end++;
  return { token: { kind, text: source.slice(at, end), at }, next: end };
}

function oneOrTwo(source: string, at: number, meanings: readonly (readonly [string, TokenKind])[]): Scan {
  for (const [second, kind] of meanings) {
    const text = source.charAt(at) + second;
    if (source.startsWith(text, at)) return { token: { kind, text, at }, next: at + text.length };
  }
  return { token: undefined, next: at + 1 };
}

/** `\'` is the only escape. */
function rawString(source: string, at: number): Scan | QuerySyntaxError {
  let text = "";
  let end = at + 1;
  while (end < source.length && source.charAt(end) !== "'") {
    if (source.startsWith("\\'", end)) end++;
    text += source.charAt(end);
    end++;
  }
  if (end >= source.length) return unclosed(source, "'");
  return { token: { kind: "tStringLiteral", text, at: at + 1 }, next: end + 1 };
}

function literal(source: string, at: number): Scan | QuerySyntaxError {
  const end = closingDelimiter(source, at);
  if (end === undefined) return unclosed(source, "`");
  const text = source.slice(at + 1, end).replaceAll("\\`", "`");
  return { token: { kind: "tJSONLiteral", text, at: at + 1 }, next: end + 1 };
}

/** A JSON string. */
function quotedName(source: string, at: number): Scan | QuerySyntaxError {
  const end = closingDelimiter(source, at);
  if (end === undefined) return unclosed(source, '"');
  const name = parseJson(source.slice(at, end + 1));
  if (isError(name)) return new QuerySyntaxError(name.message);
  return { token: { kind: "tQuotedIdentifier", text: plainText(name), at }, next: end + 1 };
}

/** A backslash takes the next character with it. */
function closingDelimiter(source: string, at: number): number | undefined {
  const delimiter = source.charAt(at);
  let end = at + 1;
  while (end < source.length && source.charAt(end) !== delimiter) end += source.charAt(end) === "\\" ? 2 : 1;
  return end < source.length ? end : undefined;
}

function unclosed(source: string, delimiter: string): QuerySyntaxError {
  return new QuerySyntaxError(
    `SyntaxError: Unclosed delimiter: ${delimiter}`,
    bytesBefore(source, source.length),
  );
}

/** Upstream points at the character's last byte. */
function unknownCharacter(source: string, at: number): QuerySyntaxError {
  const code = source.codePointAt(at) ?? 0;
  const end = at + (code > 0xffff ? 2 : 1);
  return new QuerySyntaxError(`SyntaxError: Unknown char: ${quoteRune(code)}`, bytesBefore(source, end) - 1);
}

const NAMED: ReadonlyMap<number, string> = new Map([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x5c, "\\\\"],
]);

/** SPEC: strconv `QuoteRuneToASCII`. */
function quoteRune(code: number): string {
  const named = NAMED.get(code);
  if (named !== undefined) return `'${named}'`;
  const hex = code.toString(16);
  if (code < 0x20 || code === 0x7f) return `'\\x${hex.padStart(2, "0")}'`;
  if (code < 0x7f) return `'${String.fromCodePoint(code)}'`;
  return code > 0xffff ? `'\\U${hex.padStart(8, "0")}'` : `'\\u${hex.padStart(4, "0")}'`;
}
