/**
 * JSON text to a value as Go's encoding/json reads it, with its errors to the letter: literals of expressions, quoted
 * names and `parse_json` all show them. No exceptions and a bound on the nesting, since the text is the user's.
 * SPEC: encoding/json scanner.go, `Unmarshal` into `interface{}`.
 */
import type { Json } from "#json";
import { quoteGo } from "#text";

/** Why the text is no JSON: Go's words. */
export class JsonSyntaxError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function isError(value: Json | JsonSyntaxError): value is JsonSyntaxError {
  return value instanceof JsonSyntaxError;
}

export function parseJson(text: string): Json | JsonSyntaxError {
  const reader = new JsonReader(text);
  return reader.document();
}

/** Levels of nesting; Go allows ten times as many, the engine's walks would not survive that. */
const MAX_DEPTH = 1000;

const LITERALS: ReadonlyMap<string, readonly [string, Json]> = new Map([
  ["t", ["true", true]],
  ["f", ["false", false]],
  ["n", ["null", null]],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["\\", "\\"],
  ["/", "/"],
  ['"', '"'],
]);

/** Stops at the first error; a number that is too large is remembered, because syntax errors after it count first. */
class JsonReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #range: JsonSyntaxError | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json | JsonSyntaxError {
    const value = this.#value();
    if (isError(value)) return value;
    this.#skipSpace();
    if (this.#at < this.#text.length) return this.#unexpected("after top-level value");
    return this.#range ?? value;
  }

  #value(): Json | JsonSyntaxError {
    this.#skipSpace();
    const first = this.#text.charAt(this.#at);
    if (first === "{" || first === "[") return this.#nested(first);
    if (first === '"') return this.#string();
    if (first === "-" || isDigit(first)) return this.#number();
    const literal = LITERALS.get(first);
    return literal === undefined
      ? this.#unexpected("looking for beginning of value")
      : this.#literal(...literal);
  }

  #nested(open: "{" | "["): Json | JsonSyntaxError {
    if (++this.#depth > MAX_DEPTH) return new JsonSyntaxError("exceeded max depth");
    this.#at++;
    const value = open === "{" ? this.#members() : this.#items();
    this.#depth--;
    return value;
  }

  #items(): Json | JsonSyntaxError {
    const items: Json[] = [];
    if (this.#take("]")) return items;
    while (true) {
      const item = this.#value();
      if (isError(item)) return item;
      items.push(item);
      if (this.#take("]")) return items;
      if (!this.#take(",")) return this.#unexpected("after array element");
    }
  }

  #members(): Json | JsonSyntaxError {
    const members = new Map<string, Json>();
    if (this.#take("}")) return {};
    while (true) {
      const failure = this.#member(members);
      if (failure !== undefined) return failure;
      if (this.#take("}")) return Object.fromEntries(members);
      if (!this.#take(",")) return this.#unexpected("after object key:value pair");
    }
  }

  #member(members: Map<string, Json>): JsonSyntaxError | undefined {
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== '"')
      return this.#unexpected("looking for beginning of object key string");
    const key = this.#string();
    if (isError(key)) return key;
    if (!this.#take(":")) return this.#unexpected("after object key");
    const value = this.#value();
    if (isError(value)) return value;
    members.set(key, value);
    return undefined;
  }

  #string(): string | JsonSyntaxError {
    let text = "";
    let from = ++this.#at;
    while (true) {
      const unit = this.#text.charAt(this.#at);
      if (unit === '"') {
        text += this.#text.slice(from, this.#at++);
        return text.replace(/\p{Surrogate}/gu, "\ufffd");
      }
      if (unit === "" || unit < " ") return this.#unexpected("in string literal");
      if (unit !== "\\") this.#at++;
      else {
        text += this.#text.slice(from, this.#at++);
        const escaped = this.#escape();
        if (typeof escaped !== "string") return escaped;
        text += escaped;
        from = this.#at;
      }
    }
  }

  #escape(): string | JsonSyntaxError {
    const letter = this.#text.charAt(this.#at);
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) {
      this.#at++;
      return plain;
    }
    if (letter !== "u") return this.#unexpected("in string escape code", " ");
    this.#at++;
    for (const end = this.#at + 4; this.#at < end; this.#at++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text.charAt(this.#at))) {
        return this.#unexpected("in \\u hexadecimal character escape", " ");
      }
    }
    return String.fromCharCode(Number.parseInt(this.#text.slice(this.#at - 4, this.#at), 16));
  }

  #number(): number | JsonSyntaxError {
    const from = this.#at;
    if (this.#text.charAt(this.#at) === "-") this.#at++;
    if (this.#text.charAt(this.#at) === "0") this.#at++;
    else if (!this.#digits()) return this.#unexpected("in numeric literal", " ");
    if (this.#text.charAt(this.#at) === ".") {
      this.#at++;
      if (!this.#digits()) return this.#unexpected("after decimal point in numeric literal", " ");
    }
    if (/^[eE]$/.test(this.#text.charAt(this.#at))) {
      this.#at++;
      if (/^[+-]$/.test(this.#text.charAt(this.#at))) this.#at++;
      if (!this.#digits()) return this.#unexpected("in exponent of numeric literal", " ");
    }
    return this.#float(this.#text.slice(from, this.#at));
  }

  #digits(): boolean {
    const from = this.#at;
    while (isDigit(this.#text.charAt(this.#at))) this.#at++;
    return this.#at > from;
  }

  #float(text: string): number {
    const value = Number(text);
    if (!Number.isFinite(value)) {
      this.#range ??= new JsonSyntaxError(
        `json: cannot unmarshal number ${text} into Go value of type float64`,
      );
    }
    return value;
  }

  #literal(word: string, value: Json): Json | JsonSyntaxError {
    for (const letter of word) {
      if (this.#text.charAt(this.#at) !== letter) {
        return this.#unexpected(`in literal ${word} (expecting '${letter}')`, " ");
      }
      this.#at++;
    }
    return value;
  }

  /** Skips space and then `mark`, if it is there. */
  #take(mark: string): boolean {
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== mark) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && " \t\r\n".includes(this.#text.charAt(this.#at))) this.#at++;
  }

  /** @param atEnd what Go reads past the end to learn whether the value may end there */
  #unexpected(where: string, atEnd?: string): JsonSyntaxError {
    const given = this.#text.charAt(this.#at);
    const character = given === "" ? atEnd : given;
    if (character === undefined) return new JsonSyntaxError("unexpected end of JSON input");
    return new JsonSyntaxError(`invalid character ${quoteByte(character)} ${where}`);
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

/** Go looks at bytes: of a character beyond ASCII it shows the first one, as a code point. */
function quoteByte(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  const code = character.charCodeAt(0);
  const byte = code < 0x80 ? code : firstByte(code);
  return `'${quoteGo(String.fromCharCode(byte)).slice(1, -1)}'`;
}

function firstByte(unit: number): number {
  if (unit < 0x800) return 0xc0 | (unit >> 6);
  if (unit >= 0xd800 && unit <= 0xdbff) return 0xf0 | ((((unit & 0x3ff) + 0x40) >> 8) & 7);
  return 0xe0 | (unit >> 12);
}
