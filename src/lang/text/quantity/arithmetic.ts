/**
 * Comparison and arithmetic of quantities, exact. Sums keep the left operand's suffixes unless it is zero; products
 * and quotients with a plain number keep the quantity's. A quotient is cut off at the finer scale of the two operands,
 * as upstream holds them.
 * SPEC: resource `Quantity.Cmp`, `Add`, `Sub`; Kyverno 1.19 pkg/engine/jmespath arithmetic; inf.v0 `QuoRound`.
 */
import { isInt64 } from "../int64.ts";
import type { Quantity } from "./quantity.ts";
import { digitCount, powerOfTen, quantitySign } from "./quantity.ts";

/** -1, 0 or 1, by value; formats do not matter. */
export function compareQuantity(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const sign = quantitySign(a);
  if (sign !== quantitySign(b)) return sign < quantitySign(b) ? -1 : 1;
  if (sign === 0) return 0;
  if (a.scale === b.scale) return order(a.unscaled, b.unscaled);
  // WHY: sizes first, so that far exponents are never aligned
  const sizes = digitCount(a.unscaled) - a.scale - (digitCount(b.unscaled) - b.scale);
  if (sizes !== 0) return sizes > 0 === sign > 0 ? 1 : -1;
  const [left, right] = aligned(a, b);
  return order(left, right);
}

function order(a: bigint, b: bigint): -1 | 0 | 1 {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function addQuantity(a: Quantity, b: Quantity): Quantity {
  return sum(a, b, b.unscaled);
}

export function subtractQuantity(a: Quantity, b: Quantity): Quantity {
  return sum(a, b, -b.unscaled);
}

/** `factor` is a plain number, read as a quantity. */
export function multiplyQuantity(quantity: Quantity, factor: Quantity): Quantity {
  return {
    unscaled: quantity.unscaled * factor.unscaled,
    scale: quantity.scale + factor.scale,
    format: quantity.format,
    small: false,
  };
}

/** `divisor` is a plain number, read as a quantity; `undefined` for a division by zero. */
export function divideQuantity(quantity: Quantity, divisor: Quantity): Quantity | undefined {
  if (divisor.unscaled === 0n) return undefined;
  const scale = Math.max(quantity.scale, divisor.scale);
  const shift = scale - quantity.scale + divisor.scale;
  const numerator = shift > 0 ? quantity.unscaled * powerOfTen(shift) : quantity.unscaled;
  const denominator = shift < 0 ? divisor.unscaled * powerOfTen(-shift) : divisor.unscaled;
  return { unscaled: numerator / denominator, scale, format: quantity.format, small: false };
}

function sum(a: Quantity, b: Quantity, addend: bigint): Quantity {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = aligned(a, { ...b, unscaled: addend });
  const unscaled = left + right;
  return {
    unscaled,
    scale,
    format: a.unscaled === 0n ? b.format : a.format,
    small: a.small && b.small && isInt64(unscaled),
  };
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint] {
  const gap = a.scale - b.scale;
  return gap > 0 ? [a.unscaled, b.unscaled * powerOfTen(gap)] : [a.unscaled * powerOfTen(-gap), b.unscaled];
}
