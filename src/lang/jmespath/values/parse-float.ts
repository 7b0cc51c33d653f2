/**
 * A text as a float64, as Go reads it: hexadecimal with a binary exponent, underscores between digits, `inf`,
 * `infinity`, `nan` in any case. What is out of range is an error there and `undefined` here.
 * SPEC: strconv `ParseFloat`.
 */

const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const HEX = /^([+-]?)0[xX]_?([\da-fA-F_]*)(?:\.([\da-fA-F_]*))?[pP]([+-]?\d+)$/;
const SPECIAL = /^([+-]?)(inf|infinity)$/i;

export function parseFloatGo(text: string): number | undefined {
  if (DECIMAL.test(text)) return finite(Number(text.replaceAll("_", "")));
  if (/^nan$/i.test(text)) return Number.NaN;
  const special = SPECIAL.exec(text);
  if (special !== null) return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const hex = HEX.exec(text);
  return hex === null ? undefined : readHex(hex);
}

function readHex([, sign, whole = "", fraction = "", exponent]: RegExpExecArray): number | undefined {
  const digits = `${whole}${fraction}`.replaceAll("_", "");
  if (digits === "") return undefined;
  const fractionDigits = fraction.replaceAll("_", "").length;
  const magnitude = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent) - 4 * fractionDigits);
  return finite(sign === "-" ? -magnitude : magnitude);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
