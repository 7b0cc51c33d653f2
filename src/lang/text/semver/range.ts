/**
 * Ranges of versions: `>=1.0.0 <2.0.0 || 1.2.x`. Spaces mean "and"; a space after an operator does not count; a word
 * of one character between spaces is dropped, as upstream's splitting does.
 * SPEC: blang/semver v4 `ParseRange`, `splitAndTrim`, `expandWildcardVersion`.
 */
import { quoteGo } from "../go-quote.ts";
import { parseInt64 } from "../int64.ts";
import type { Version } from "./version.ts";
import { compareSemver, parseSemver, semverError } from "./version.ts";

export type VersionTest = (version: Version) => boolean;

/** `undefined` for a text that is no range. */
export function parseSemverRange(text: string): VersionTest | undefined {
  const read = readRange(text);
  return typeof read === "string" ? undefined : read;
}

/** What upstream says about a text that is no range; `undefined` for one that is. */
export function semverRangeError(text: string): string | undefined {
  const read = readRange(text);
  return typeof read === "string" ? read : undefined;
}

const COMPARATORS: ReadonlyMap<string, (order: -1 | 0 | 1) => boolean> = new Map([
  ["", (order) => order === 0],
  ["=", (order) => order === 0],
  ["==", (order) => order === 0],
  [">", (order) => order > 0],
  [">=", (order) => order >= 0],
  ["<", (order) => order < 0],
  ["<=", (order) => order <= 0],
  ["!", (order) => order !== 0],
  ["!=", (order) => order !== 0],
]);

function readRange(text: string): VersionTest | string {
  const groups = splitGroups(splitWords(text));
  if (typeof groups === "string") return groups;
  const expanded: string[][] = [];
  for (const group of groups) {
    const words = expandGroup(group);
    if (typeof words === "string") return words;
    expanded.push(words);
  }
  const alternatives: VersionTest[] = [];
  for (const words of expanded) {
    const test = readGroup(words);
    if (typeof test === "string") return test;
    alternatives.push(test);
  }
  return (version) => alternatives.some((test) => test(version));
}

function readGroup(words: readonly string[]): VersionTest | string {
  const tests: VersionTest[] = [];
  for (const word of words) {
    const test = readComparison(word);
    if (typeof test === "string") return test;
    tests.push(test);
  }
  return (version) => tests.every((test) => test(version));
}

function readComparison(word: string): VersionTest | string {
  const split = splitComparator(word);
  if (typeof split === "string") return split;
  const { operator, version } = split;
  const whole = quoteGo(operator + version);
  const holds = COMPARATORS.get(operator);
  if (holds === undefined) {
    return `Could not parse Range ${quoteGo(word)}: Could not parse comparator ${quoteGo(operator)} in ${whole}`;
  }
  const limit = parseSemver(version);
  if (limit === undefined) {
    return `Could not parse Range ${quoteGo(word)}: Could not parse version ${quoteGo(version)} in ${whole}: ${semverError(version)}`;
  }
  return (candidate) => holds(compareSemver(candidate, limit));
}

/** Words between spaces; the spaces inside, after an operator, are taken out. */
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let start = 0;
  let previous = "";
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character !== " ") {
      previous = character;
    } else if (previous === "" || !"><=".includes(previous)) {
      if (start < i - 1) words.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (start < text.length - 1) words.push(text.slice(start));
  return words.map((word) => word.replaceAll(" ", ""));
}

function splitGroups(words: readonly string[]): readonly (readonly string[])[] | string {
  if (words[0] === "||") return "First element in range is '||'";
  const groups: string[][] = [[]];
  for (const word of words) {
    if (word === "||") groups.push([]);
    else groups.at(-1)?.push(word);
  }
  return groups.at(-1)?.length === 0 ? "Last element in range is '||'" : groups;
}

function splitComparator(word: string): { readonly operator: string; readonly version: string } | string {
  const digit = word.search(/\p{Nd}/u);
  if (digit === -1) return `Could not get version from string: ${quoteGo(word)}`;
  return { operator: word.slice(0, digit).trim(), version: word.slice(digit) };
}

/** Words with `.x` become one or two plain comparisons. */
function expandGroup(group: readonly string[]): string[] | string {
  const words: string[] = [];
  for (const word of group) {
    const split = splitComparator(word);
    if (typeof split === "string") return split;
    if (word.includes(".x")) words.push(...expandWildcard(split.operator, split.version));
    else words.push(word);
  }
  return words;
}

type Expansion = {
  /** Comparison with the version itself, in front of the other. */
  readonly before?: string;
  readonly operator: string;
  /** Compare with the next minor or major version. */
  readonly next: boolean;
};

const equal: Expansion = { before: ">=", operator: "<", next: true };
const unequal: Expansion = { before: "<", operator: ">=", next: true };

const EXPANSIONS: ReadonlyMap<string, Expansion> = new Map([
  [">", { operator: ">=", next: true }],
  [">=", { operator: ">=", next: false }],
  ["<", { operator: "<", next: false }],
  ["<=", { operator: "<", next: true }],
  ["", equal],
  ["=", equal],
  ["==", equal],
  ["!=", unequal],
  ["!", unequal],
]);

const EXACT: Expansion = { operator: "", next: false };

function expandWildcard(operator: string, version: string): readonly string[] {
  const flat = flatten(version);
  const expansion = EXPANSIONS.get(operator) ?? EXACT;
  const limit = expansion.next ? nextVersion(version, flat) : flat;
  const main = expansion.operator + limit;
  return expansion.before === undefined ? [main] : [expansion.before + flat, main];
}

/** The first `x` is 0, two in a row are one; two numbers get a third. */
function flatten(version: string): string {
  const flat = version.replace(".x.x", ".x").replace(".x", ".0");
  return flat.split(".").length === 2 ? `${flat}.0` : flat;
}

/** Which number is raised follows from where the `x` stood; elsewhere nothing is left, and the range is an error. */
function nextVersion(version: string, flat: string): string {
  const parts = version.split(".");
  if (parts.at(-1) !== "x") return "";
  if (parts.length === 3) return raise(flat, 1);
  return parts.length === 2 ? raise(flat, 0) : "";
}

function raise(version: string, index: number): string {
  const parts = version.split(".");
  const value = parseInt64(parts[index] ?? "");
  if (value === undefined) return "";
  return parts.with(index, String(BigInt.asIntN(64, value + 1n))).join(".");
}
