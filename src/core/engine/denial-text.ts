/**
 * The text with which a request is refused: which rules of which policies, and why, as a YAML document that people
 * read in a terminal and that their scripts parse. It is upstream's to the letter, and so this file writes strings as
 * Go's yaml.v2 does: plain where possible, quoted otherwise, folded at the first space beyond column 80.
 * SPEC: Kyverno 1.19 pkg/webhooks/utils/block.go; gopkg.in/yaml.v2 emitter.
 */
export type DeniedResource = { readonly kind: string; readonly namespace: string; readonly name: string };

/** Messages by rule, by policy. */
export type Denials = ReadonlyMap<string, ReadonlyMap<string, string>>;

const BEST_WIDTH = 80;

/** The whole refusal; policies and rules are sorted as yaml.v2 sorts keys. */
export function denialText(resource: DeniedResource, denials: Denials): string {
  const lines = sorted(denials).map(
    ([policy, rules]) =>
      `${writeKey(policy)}:\n${sorted(rules)
        .map(([rule, message]) => writePair(rule, message))
        .join("")}`,
  );
  const name = `${resource.kind}/${resource.namespace}/${resource.name}`;
  return `\n\nresource ${name} was blocked due to the following policies \n\n${lines.join("")}`;
}

function sorted<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...map].toSorted(([a], [b]) => compareKeys(a, b));
}

/** Digits compare as numbers, and what is no letter comes before letters: `a-2` < `a-10` < `ab`. */
function compareKeys(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (at === a.length || at === b.length) return a.length - b.length;
  const letters = Number(isLetterAt(a, at)) - Number(isLetterAt(b, at));
  if (letters !== 0) return letters;
  const [left, right] = [digitsAt(a, at), digitsAt(b, at)];
  const inNumber = (a[at] === "0" || b[at] === "0") && /[1-9]\d*$/.test(a.slice(0, at));
  const lead = inNumber ? "1" : "0";
  return (
    Number(lead + left) - Number(lead + right) ||
    left.length - right.length ||
    (a.slice(at) < b.slice(at) ? -1 : 1)
  );
}

function isLetterAt(text: string, at: number): boolean {
  return /^\p{L}/u.test(text.slice(at));
}

function digitsAt(text: string, at: number): string {
  return /^\d*/.exec(text.slice(at))?.[0] ?? "";
}

/** Keys are never broken over lines. */
function writeKey(key: string): string {
  return writeText(key, Number.NEGATIVE_INFINITY);
}

function writePair(rule: string, message: string): string {
  const key = `  ${writeKey(rule)}:`;
  const value = isBlock(message) ? literal(message) : writeText(message, key.length + 1);
  return `${key} ${value}\n`;
}

/** @param column where the text starts */
function writeText(text: string, column: number): string {
  if (!isPrintable(text) || looksLikeAnotherType(text)) return doubleQuoted(text, column);
  return isPlain(text) ? fold(text, column) : singleQuoted(text, column);
}

function singleQuoted(text: string, column: number): string {
  return `'${fold(text.replaceAll("'", "''"), column + 1)}'`;
}

/** Breaks at a lone space inside the text once the line is longer than it should be. */
function fold(text: string, column: number): string {
  return foldAt(text, column, (at) => text[at - 1] !== " " && text[at + 1] !== " ");
}

/** @param mayBreak whether the space at this index, which is neither first nor last, may become a line break */
function foldAt(text: string, column: number, mayBreak: (at: number) => boolean): string {
  let width = column;
  let folded = "";
  for (let at = 0; at < text.length; at += 1) {
    const inside = at > 0 && at < text.length - 1;
    if (width > BEST_WIDTH && inside && text[at] === " " && mayBreak(at)) {
      const indent = text[at + 1] === " " ? "    \\" : "    ";
      folded += `\n${indent}`;
      width = indent.length;
    } else {
      folded += text.charAt(at);
      width += 1;
    }
  }
  return folded;
}

/** Here the first of several spaces may break as well, and a backslash keeps the others. */
function doubleQuoted(text: string, column: number): string {
  const line = escaped(text);
  return `"${foldAt(line, column + 1, (at) => line[at - 1] !== " ")}"`;
}

const namedEscapes: ReadonlyMap<number, string> = new Map([
  [0, "\\0"],
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [27, "\\e"],
  [34, '\\"'],
  [92, "\\\\"],
]);

/** Characters beyond the basic plane count as not printable in yaml.v2, emoji included. */
function escaped(text: string): string {
  let out = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16).toUpperCase();
    const numbered =
      code > 0xffff
        ? `\\U${hex.padStart(8, "0")}`
        : code > 0xff
          ? `\\u${hex.padStart(4, "0")}`
          : `\\x${hex.padStart(2, "0")}`;
    out += namedEscapes.get(code) ?? (isPrintable(character) ? character : numbered);
  }
  return out;
}

/** A block of lines, four columns in; the sign says what becomes of the last line break. */
function literal(text: string): string {
  const hint = text.startsWith(" ") || text.startsWith("\n") ? "2" : "";
  const chomping = !text.endsWith("\n") ? "-" : text.endsWith("\n\n") || text === "\n" ? "+" : "";
  const lines = text.replace(/\n$/, "").split("\n");
  return `|${hint}${chomping}\n${lines.map((line) => (line === "" ? "" : `    ${line}`)).join("\n")}`;
}

/** Several lines, none of which ends in a space. */
function isBlock(text: string): boolean {
  return text.includes("\n") && isPrintable(text.replaceAll("\n", "")) && !/ (?:\n|$)/.test(text);
}

function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}\ufeff\ufffe\uffff]/u.test(text.replaceAll("\u0085", ""));
}

function isPlain(text: string): boolean {
  if (text.startsWith(" ") || text.endsWith(" ") || text.startsWith("---") || text.startsWith("..."))
    return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](?: |$)/.test(text)) return false;
  return !/:(?: |$)| #/.test(text);
}

/** What YAML 1.1 reads unquoted as null, a boolean, a number or a time. */
function looksLikeAnotherType(text: string): boolean {
  return (
    /^(?:|~|null|Null|NULL|[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE)$/.test(
      text,
    ) ||
    /^[-+]?(?:\.\d+|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?$/.test(text) ||
    /^[-+]?(?:0x[\dA-Fa-f_]+|0b[01_]+|0o[0-7_]+|\.inf|\.Inf|\.INF)$|^\.(?:nan|NaN|NAN)$/.test(text) ||
    /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/.test(text) ||
    /^\d{4}-\d\d?-\d\d?(?:[Tt ]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/.test(text)
  );
}
