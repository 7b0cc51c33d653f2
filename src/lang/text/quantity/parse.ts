/**
 * Reads quantities: `100m`, `1.5Gi`, `1e3`. The grammar is looser than it looks (`-`, `.`, `k` and `1.` are
 * quantities) and binary ones are capped at the largest int64; both are kept. Finer than nano is rounded away from zero.
 * SPEC: k8s.io/apimachinery pkg/api/resource `ParseQuantity`, `parseQuantityString`, `suffixHandler.interpret`.
 */
import type { Quantity, QuantityFormat } from "./quantity.ts";
import { digitCount, maxInt64, powerOfTen } from "./quantity.ts";

const FORMAT_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_ERROR = "unable to parse quantity's suffix";
const NUMERIC_ERROR = "unable to parse numeric part of quantity";

/** INVARIANT: no exponent beyond this is let in, or a text of ten bytes could ask for gigabytes of digits. */
const MAX_EXPONENT = 10_000;

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

/** Sign, digits, digits after the point, suffix. Linear: each part takes what the next cannot start with. */
const GRAMMAR = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;

type Parts = {
  readonly text: string;
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: Suffix;
};

function readQuantity(text: string): Quantity | string {
  if (text === "0") return { unscaled: 0n, scale: 0, format: "DecimalSI", small: true, text };
  const found = text === "" ? null : GRAMMAR.exec(text);
  if (found === null) return FORMAT_ERROR;
  const [, sign, whole = "", fraction = "", suffixText = ""] = found;
  const suffix = SUFFIXES.get(suffixText) ?? exponentSuffix(suffixText);
  if (suffix === undefined) return SUFFIX_ERROR;
  const parts = { text, negative: sign === "-", whole: whole === "" ? "0" : whole, fraction, suffix };
  return readSmall(parts) ?? readLarge(parts);
}

function exponentSuffix(text: string): Suffix | undefined {
  if (!/^[eE][+-]?\d+$/.test(text)) return undefined;
  const parsed = BigInt(text.slice(1).replace("+", ""));
  if (parsed > maxInt64 || parsed < -maxInt64 - 1n) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, parsed)), format: "DecimalExponent" };
}

/** The int64 form, for what has few digits; `undefined` where upstream falls back to the decimal. */
function readSmall(parts: Parts): Quantity | undefined {
  const { text, whole, fraction, suffix } = parts;
  if (precisionLeft(parts) < 0) return undefined;
  const power = suffix.base === 10 ? suffix.exponent - fraction.length : 0;
  if (power < -NANO || power > MAX_EXPONENT) return undefined;
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
  if (Math.abs(scale) > MAX_EXPONENT) return NUMERIC_ERROR;
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
