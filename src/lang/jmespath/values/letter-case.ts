/**
 * Upper and lower case as Go's strings package maps them: every code point for itself to at most one other, so that
 * `ß` has no upper case, `ΑΣ` has no final sigma and `İ` becomes a plain `i`.
 * SPEC: unicode `ToUpper`, `ToLower`, `SimpleFold`.
 */
export function upperCase(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapCharacters(text, simpleUpper);
}

export function lowerCase(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapCharacters(text, simpleLower);
}

/** Two texts are equal but for their case when these are equal. */
export function foldCase(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapCharacters(text, fold);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

function mapCharacters(text: string, map: (character: string) => string): string {
  let mapped = "";
  for (const character of text) mapped += map(character);
  return mapped;
}

function simpleUpper(character: string): string {
  return single(character.toUpperCase()) ?? character;
}

function simpleLower(character: string): string {
  return character === "\u0130" ? "i" : (single(character.toLowerCase()) ?? character);
}

/** WHY: the dotted capital I has no case variant in folding, although its lower case is `i`. */
function fold(character: string): string {
  if (character === "\u0130") return character;
  return simpleLower(simpleUpper(character));
}

function single(mapped: string): string | undefined {
  return [...mapped].length === 1 ? mapped : undefined;
}
