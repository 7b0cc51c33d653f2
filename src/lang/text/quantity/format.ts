/**
 * The canonical text of a quantity: no fraction, the largest suffix of its family that loses nothing. A binary one
 * that is small or has a fraction is written with decimal suffixes.
 * SPEC: k8s.io/apimachinery pkg/api/resource `CanonicalizeBytes`, `AsCanonicalBytes`, `AsCanonicalBase1024Bytes`.
 */
import type { Quantity } from "./quantity.ts";
import { powerOfTen } from "./quantity.ts";

const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** `1500m`, `1Gi`, `12e6`, `0`; a text that was canonical when read is given back as it was. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return "0";
  const whole = quantity.format === "BinarySI" ? wholeValue(quantity) : undefined;
  if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return binaryText(whole);
  return decimalText(quantity);
}

/** The value if it is an integer. */
function wholeValue({ unscaled, scale }: Quantity): bigint | undefined {
  if (scale <= 0) return unscaled * powerOfTen(-scale);
  const divisor = powerOfTen(scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

/** Beyond `Ei` upstream has no suffix and leaves it out. */
function binaryText(value: bigint): string {
  let left = value;
  let power = 0;
  while (left % 1024n === 0n) {
    left /= 1024n;
    power++;
  }
  return `${left}${BINARY[power] ?? ""}`;
}

function decimalText({ unscaled, scale, format }: Quantity): string {
  const digits = unscaled.toString();
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  const trimmed = digits.slice(0, end);
  const exponent = digits.length - trimmed.length - scale;
  const over = ((exponent % 3) + 3) % 3;
  const power = exponent - over;
  const number = trimmed + "0".repeat(over);
  if (format === "DecimalExponent") return power === 0 ? number : `${number}e${power}`;
  return number + (DECIMAL[power / 3 + 3] ?? "");
}
