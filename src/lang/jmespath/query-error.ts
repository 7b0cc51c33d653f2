/**
 * What an expression gives instead of a value. Errors are values and are never thrown: an unknown key is an everyday
 * event that `||`, filters and comparisons turn into null, so its error is made once, when the expression is compiled.
 */
export class QueryError {
  /** `unknown-key` is what the language's operators swallow; `failed` travels to the top. */
  readonly kind: "unknown-key" | "failed";
  readonly #text: string | (() => string);

  /** @param text upstream's words, or how to make them once somebody asks */
  constructor(kind: "unknown-key" | "failed", text: string | (() => string)) {
    this.kind = kind;
    this.#text = text;
  }

  /** To the letter what upstream's library says. */
  get message(): string {
    return typeof this.#text === "string" ? this.#text : this.#text();
  }
}

export function unknownKey(key: string): QueryError {
  return new QueryError("unknown-key", () => `Unknown key "${key}" in path`);
}

export function failed(text: string | (() => string)): QueryError {
  return new QueryError("failed", text);
}

/** Why a text is no expression. */
export class QuerySyntaxError {
  /** Upstream's words, `SyntaxError: …` or those of the decoder that refused a literal. */
  readonly message: string;
  /** UTF-8 bytes before the place; absent where upstream names none. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    this.message = message;
    this.offset = offset;
  }
}
