/**
 * The tokens of the language and how tightly each binds to what stands before it. Names are upstream's, because its
 * messages show them; the order of the table is that of upstream's numbers, which error texts of odd values show.
 * SPEC: go-jmespath lexer.go, parser.go `bindingPowers`.
 */
export type TokenKind = keyof typeof tokens;

export type Token = {
  readonly kind: TokenKind;
  /** Without delimiters, escapes undone. */
  readonly text: string;
  /** UTF-16 units before it, where upstream says that it starts. */
  readonly at: number;
};

export const tokens = {
  tUnknown: 0,
  tStar: 20,
  tDot: 40,
  tFilter: 21,
  tFlatten: 9,
  tLparen: 60,
  tRparen: 0,
  tLbracket: 55,
  tRbracket: 0,
  tLbrace: 50,
  tRbrace: 0,
  tOr: 2,
  tPipe: 1,
  tNumber: 0,
  tUnquotedIdentifier: 0,
  tQuotedIdentifier: 0,
  tComma: 0,
  tColon: 0,
  tLT: 5,
  tLTE: 5,
  tGT: 5,
  tGTE: 5,
  tEQ: 5,
  tNE: 5,
  tJSONLiteral: 0,
  tStringLiteral: 0,
  tCurrent: 0,
  tExpref: 0,
  tAnd: 3,
  tNot: 45,
  tEOF: 0,
} as const;

export type Comparison = "tLT" | "tLTE" | "tGT" | "tGTE" | "tEQ" | "tNE";
