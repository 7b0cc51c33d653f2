/**
 * Semantic versions, strictly read: three numbers, no leading zeros, no `v`. Build data is kept and never compared.
 * SPEC: blang/semver v4 `Parse`, `Version.Compare`, `Version.String`.
 */
import { quoteGo } from "../go-quote.ts";

/** A number or a word; numbers come before words. */
export type Prerelease = bigint | string;

/** The numbers are uint64. */
export type Version = {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly Prerelease[];
  readonly build: readonly string[];
};

/** `undefined` for a text that is no version. */
export function parseSemver(text: string): Version | undefined {
  const read = readVersion(text);
  return typeof read === "string" ? undefined : read;
}

/** What upstream says about a text that is no version; `undefined` for one that is. */
export function semverError(text: string): string | undefined {
  const read = readVersion(text);
  return typeof read === "string" ? read : undefined;
}

/** -1, 0 or 1. */
export function compareSemver(a: Version, b: Version): -1 | 0 | 1 {
  if (a.major !== b.major) return a.major < b.major ? -1 : 1;
  if (a.minor !== b.minor) return a.minor < b.minor ? -1 : 1;
  if (a.patch !== b.patch) return a.patch < b.patch ? -1 : 1;
  return comparePrereleases(a.prerelease, b.prerelease);
}

export function formatSemver({ major, minor, patch, prerelease, build }: Version): string {
  const pre = prerelease.length === 0 ? "" : `-${prerelease.join(".")}`;
  return `${major}.${minor}.${patch}${pre}${build.length === 0 ? "" : `+${build.join(".")}`}`;
}

/** A release comes after its prereleases, the longer of two that start alike after the shorter. */
function comparePrereleases(a: readonly Prerelease[], b: readonly Prerelease[]): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) {
    if (a.length === b.length) return 0;
    return a.length === 0 ? 1 : -1;
  }
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    if (left !== right) return isBefore(left, right) ? -1 : 1;
  }
  return a.length === b.length ? 0 : -1;
}

/** Of two that differ. Words are ASCII, so UTF-16 order is byte order. */
function isBefore(left: Prerelease, right: Prerelease): boolean {
  if (typeof left !== typeof right) return typeof left === "bigint";
  return left < right;
}

const DIGITS = /^\d*$/;
const WORD = /^[A-Za-z0-9-]*$/;
const MAX_UINT64 = (1n << 64n) - 1n;

function readVersion(text: string): Version | string {
  if (text === "") return "Version string empty";
  const first = text.indexOf(".");
  const second = text.indexOf(".", first + 1);
  if (first === -1 || second === -1) return "No Major.Minor.Patch elements found";
  const tail = splitTail(text.slice(second + 1));
  const major = readNumber(text.slice(0, first), "Major");
  if (typeof major === "string") return major;
  const minor = readNumber(text.slice(first + 1, second), "Minor");
  if (typeof minor === "string") return minor;
  const patch = readNumber(tail.patch, "Patch");
  if (typeof patch === "string") return patch;
  const prerelease: Prerelease[] = [];
  for (const part of tail.prerelease) {
    const read = readPrerelease(part);
    if (typeof read === "object") return read.error;
    prerelease.push(read);
  }
  const buildError = firstBuildError(tail.build);
  return buildError ?? { major, minor, patch, prerelease, build: tail.build };
}

type Tail = {
  readonly patch: string;
  readonly prerelease: readonly string[];
  readonly build: readonly string[];
};

function splitTail(text: string): Tail {
  const plus = text.indexOf("+");
  const build = plus === -1 ? [] : text.slice(plus + 1).split(".");
  const left = plus === -1 ? text : text.slice(0, plus);
  const dash = left.indexOf("-");
  return dash === -1
    ? { patch: left, prerelease: [], build }
    : { patch: left.slice(0, dash), prerelease: left.slice(dash + 1).split("."), build };
}

function readNumber(text: string, name: "Major" | "Minor" | "Patch"): bigint | string {
  if (!DIGITS.test(text)) {
    return `Invalid character(s) found in ${name.toLowerCase()} number ${quoteGo(text)}`;
  }
  if (hasLeadingZero(text)) return `${name} number must not contain leading zeroes ${quoteGo(text)}`;
  if (text === "") return 'strconv.ParseUint: parsing "": invalid syntax';
  return parseUint64(text) ?? outOfRange(text);
}

function readPrerelease(text: string): Prerelease | { readonly error: string } {
  if (text === "") return { error: "Prerelease is empty" };
  if (DIGITS.test(text)) {
    if (hasLeadingZero(text)) {
      return { error: `Numeric PreRelease version must not contain leading zeroes ${quoteGo(text)}` };
    }
    return parseUint64(text) ?? { error: outOfRange(text) };
  }
  return WORD.test(text) ? text : { error: `Invalid character(s) found in prerelease ${quoteGo(text)}` };
}

function firstBuildError(parts: readonly string[]): string | undefined {
  for (const part of parts) {
    if (part === "") return "Build meta data is empty";
    if (!WORD.test(part)) return `Invalid character(s) found in build meta data ${quoteGo(part)}`;
  }
  return undefined;
}

/** Of digits without leading zeros. */
function parseUint64(text: string): bigint | undefined {
  if (text.length > 20) return undefined;
  const value = BigInt(text);
  return value > MAX_UINT64 ? undefined : value;
}

function hasLeadingZero(text: string): boolean {
  return text.length > 1 && text.startsWith("0");
}

function outOfRange(text: string): string {
  return `strconv.ParseUint: parsing ${quoteGo(text)}: value out of range`;
}
