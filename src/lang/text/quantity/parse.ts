/**
 * Reads quantities: `100m`, `1.5Gi`, `1e3`. The grammar is looser than it looks (`-`, `.`, `k` and `1.` are
 * quantities) and binary ones are capped at the largest int64; both are kept. Finer than nano is rounded away from zero.
 * SPEC: k8s.io/apimachinery pkg/api/resource `ParseQuantity`, `parseQuantityString`, `suffixHandler.interpret`.
 */
import { endOfDigits, maxInt64, parseInt64 } from "../int64.ts";
import type { Quantity, QuantityFormat } from "./quantity.ts";
import { digitCount, powerOfTen } from "./quantity.ts";

const FORMAT_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_ERROR = "unable to parse quantity's suffix";
const NUMERIC_ERROR = "unable to parse numeric part of quantity";

/** INVARIANT: no more digits and no larger exponent than this, or a text of ten bytes could ask for gigabytes. */
const MAX_DIGITS = 10_000;

const NANO = 9;

type Suffix = { readonly base: 10 | 2; readonly exponent: number; readonly format: QuantityFormat };

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map([
  ...["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((name, index): [string, Suffix] => [
    name,
    { base: 10, exponent: index * 3 - 9, format: "DecimalSI" },
  ]),
  ...["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((name, index): [string, Suffix] => [
    name,
    { base: 2, exponent: index * 10 + 10, format: "BinarySI" },
  ]),
]);

/** `undefined` for a text that is no quantity. */
export function parseQuantity(text: string): Quantity | undefined {
  const read = readQuantity(text);
  return typeof read === "string" ? undefined : read;
}

/** Upstream's words for a text that is no quantity; `undefined` for one that is. */
export function quantityError(text: string): string | undefined {
  const read = readQuantity(text);
  return typeof read === "string" ? read : undefined;
}

type Parts = {
  readonly text: string;
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: Suffix;
};

function readQuantity(text: string): Quantity | string {
  if (text === "0") return { unscaled: 0n, scale: 0, format: "DecimalSI", small: true, text };
  if (text === "") return FORMAT_ERROR;
  const start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
  let digits = start;
  while (text.charAt(digits) === "0") digits++;
  const point = endOfDigits(text, digits);
  const end = text.charAt(point) === "." ? endOfDigits(text, point + 1) : point;
  const suffix = readSuffix(text.slice(end));
  if (typeof suffix === "string") return suffix;
  const whole = point === digits ? "0" : text.slice(digits, point);
  const fraction = text.slice(point + 1, end);
  if (whole.length + fraction.length > MAX_DIGITS) return NUMERIC_ERROR;
  const parts = { text, negative: text.startsWith("-"), whole, fraction, suffix };
  return readSmall(parts) ?? readLarge(parts);
}

function readSuffix(text: string): Suffix | string {
  const known = SUFFIXES.get(text);
  if (known !== undefined) return known;
  if (!/^[eEinumkKMGTP]*[-+]?\d*$/.test(text)) return FORMAT_ERROR;
  const exponent = /^[eE]/.test(text) ? parseInt64(text.slice(1)) : undefined;
  if (exponent === undefined) return SUFFIX_ERROR;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: "DecimalExponent" };
}

/** The int64 form, for what has few digits; `undefined` where upstream falls back to the decimal. */
function readSmall(parts: Parts): Quantity | undefined {
  const { text, whole, fraction, suffix } = parts;
  if (precisionLeft(parts) < 0) return undefined;
  const power = suffix.base === 10 ? suffix.exponent - fraction.length : 0;
  if (power < -NANO || power > MAX_DIGITS) return undefined;
  const digits = whole + fraction;
  const value = BigInt(digits);
  const amount = suffix.base === 2 ? value << BigInt(suffix.exponent) : value;
  if (amount > maxInt64) return undefined;
  const kept = suffix.base === 2 ? (value & 7n) !== 0n : looksCanonical(digits, power);
  return {
    unscaled: parts.negative ? -amount : amount,
    scale: power === 0 ? 0 : -power,
    format: suffix.format,
    small: true,
    ...(kept ? { text } : {}),
  };
}

function precisionLeft({ whole, fraction, suffix }: Parts): number {
  if (suffix.base === 10) return 18 - whole.length - fraction.length;
  return fraction === "" ? 14 - whole.length - Math.floor((suffix.exponent * 3) / 10) : -1;
}

/** SPEC: a shortcut of upstream's that lets `1.500` and `1e+3` through as they are. */
function looksCanonical(digits: string, power: number): boolean {
  return power % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function readLarge(parts: Parts): Quantity | string {
  const { suffix, fraction } = parts;
  const digits = BigInt(parts.whole + fraction);
  const scale = suffix.base === 10 ? fraction.length - suffix.exponent : fraction.length;
  if (Math.abs(scale) > MAX_DIGITS) return NUMERIC_ERROR;
  const exact = suffix.base === 2 ? digits << BigInt(suffix.exponent) : digits;
  const amount = exact === 0n ? { unscaled: 0n, scale } : toNano(exact, scale);
  const binary = suffix.format === "BinarySI" ? binaryBounds(amount) : { ...amount, format: suffix.format };
  return { ...binary, unscaled: parts.negative ? -binary.unscaled : binary.unscaled, small: false };
}

type Amount = { readonly unscaled: bigint; readonly scale: number };

/** Nine places, away from zero; `unscaled` is positive. */
function toNano(unscaled: bigint, scale: number): Amount {
  if (scale <= NANO) return { unscaled: unscaled * powerOfTen(NANO - scale), scale: NANO };
  if (digitCount(unscaled) + NANO < scale) return { unscaled: 1n, scale: NANO };
  const divisor = powerOfTen(scale - NANO);
  return { unscaled: unscaled / divisor + (unscaled % divisor === 0n ? 0n : 1n), scale: NANO };
}

/** The cap at the largest int64, and a decimal suffix for what is between 0 and 1. */
function binaryBounds(amount: Amount): Amount & { readonly format: QuantityFormat } {
  const one = powerOfTen(amount.scale);
  if (amount.unscaled > maxInt64 * one) return { unscaled: maxInt64, scale: 0, format: "BinarySI" };
  const tiny = amount.unscaled > 0n && amount.unscaled < one;
  return { ...amount, format: tiny ? "DecimalSI" : "BinarySI" };
}
