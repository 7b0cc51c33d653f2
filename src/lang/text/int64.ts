/** Whole numbers as Go reads them from text. Users' strings reach this place, so their length never decides the cost. */

export const minInt64: bigint = -(1n << 63n);
export const maxInt64: bigint = (1n << 63n) - 1n;

const SHAPE = /^[+-]?\d+$/;
const MAX_DIGITS = 19;

/** Digits with an optional sign, within int64; anything else is `undefined`. SPEC: strconv `ParseInt` in base 10. */
export function parseInt64(text: string): bigint | undefined {
  if (!SHAPE.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > MAX_DIGITS) return undefined;
  const value = text.startsWith("-") ? -BigInt(digits) : BigInt(digits);
  return isInt64(value) ? value : undefined;
}

export function isInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

/** Where the run of ASCII digits ends that starts at `from`. */
export function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
