/**
 * A text as Go prints it with `%q`. Upstream's messages quote the user's words this way, and they are compared to the
 * letter, so the escapes of every library text come from here.
 * SPEC: strconv `Quote`.
 */

const NAMED: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** In double quotes; what Go does not count as printable is escaped, lone surrogates become U+FFFD. */
export function quoteGo(text: string): string {
  const escaped = text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeCharacter);
  return `"${escaped}"`;
}

function escapeCharacter(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, "0")}`;
  return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
