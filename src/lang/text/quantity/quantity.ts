/**
 * Kubernetes quantities: an exact decimal with the family of suffixes that it was written with. Values are never
 * floats. Upstream keeps small ones as a scaled int64 and the rest as a decimal; which of the two a value is decides
 * what counts as an integer and how a division rounds, so the difference is kept here (`small`).
 * SPEC: k8s.io/apimachinery pkg/api/resource `Quantity`, `int64Amount`, gopkg.in/inf.v0 `Dec`.
 */
import { isInt64, maxInt64 } from "../int64.ts";

export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

export type Quantity = {
  /** The value is `unscaled` times ten to the minus `scale`. */
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Upstream holds it as an int64 with a power of ten. */
  readonly small: boolean;
  /** The text it was read from, where upstream takes that for canonical without looking closer. */
  readonly text?: string;
};

/** An integer as upstream's `NewQuantity` makes it. */
export function quantityFromInt64(value: bigint, format: QuantityFormat): Quantity {
  return { unscaled: value, scale: 0, format, small: true };
}

/** The value if upstream counts it as an int64: whole, written without fraction, not too large, not from `1.5Gi`. */
export function quantityAsInt64(quantity: Quantity): bigint | undefined {
  const { unscaled, scale, small } = quantity;
  if (!small || scale > 0) return undefined;
  if (scale === 0) return unscaled;
  if (unscaled === 0n) return 0n;
  // WHY: beyond 19 places no int64 is left, and the power of a hostile exponent need not be computed
  if (scale < -19) return undefined;
  const value = unscaled * powerOfTen(-scale);
  return isInt64(value) ? value : undefined;
}

/** The value in units of ten to the minus `places`, away from zero, wrapped to int64 where upstream overflows. */
export function quantityScaled(quantity: Quantity, places: number): bigint {
  const { unscaled, scale, small } = quantity;
  const drop = scale - places;
  if (small) return drop > 0 ? divideAway(unscaled, drop) : raised(unscaled, -drop);
  if (drop === 0) return BigInt.asIntN(64, unscaled);
  if (drop < 0) return BigInt.asIntN(64, BigInt.asIntN(64, unscaled) * powerOfTen(-drop));
  return scaledDown(unscaled, drop);
}

/** A float64 near the value; exact where the value has few digits. SPEC: `AsApproximateFloat64`. */
export function quantityAsFloat(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return quantity.scale === 0 ? base : base * floatPowerOfTen(-quantity.scale);
}

/** -1, 0 or 1. */
export function quantitySign(quantity: Quantity): -1 | 0 | 1 {
  if (quantity.unscaled === 0n) return 0;
  return quantity.unscaled < 0n ? -1 : 1;
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Decimal digits of the absolute value. */
export function digitCount(value: bigint): number {
  return value < 0n ? value.toString().length - 1 : value.toString().length;
}

function divideAway(value: bigint, places: number): bigint {
  if (value === 0n) return 0n;
  if (places > 20) return value < 0n ? -1n : 1n;
  const divisor = powerOfTen(places);
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

/** Upstream gives 0 where the product is no int64. */
function raised(value: bigint, places: number): bigint {
  if (value === 0n || places > 19) return 0n;
  const product = value * powerOfTen(places);
  return isInt64(product) ? product : 0n;
}

/** SPEC: `scaledValue`: int64 arithmetic for what looks small (all negatives do), floored division for the rest. */
function scaledDown(unscaled: bigint, places: number): bigint {
  const divisor = powerOfTen(places);
  if (unscaled < maxInt64 && places < 19) {
    const wrapped = BigInt.asIntN(64, unscaled);
    return wrapped / divisor + (wrapped % divisor === 0n ? 0n : 1n);
  }
  const rest = ((unscaled % divisor) + divisor) % divisor;
  return BigInt.asIntN(64, (unscaled - rest) / divisor + (rest === 0n ? 0n : 1n));
}

/** SPEC: math.Pow10, which multiplies or divides two table entries. */
function floatPowerOfTen(exponent: number): number {
  if (exponent > 308) return Infinity;
  if (exponent < -323) return 0;
  const size = Math.abs(exponent);
  const low = Number(`1e${size % 32}`);
  return exponent < 0 ? Number(`1e-${size - (size % 32)}`) / low : Number(`1e${size - (size % 32)}`) * low;
}
