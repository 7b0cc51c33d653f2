/**
 * Floats as Go reads them from texts: decimal and hexadecimal, with underscores between digits, infinities and NaN.
 * A text that is too large for a float64 is none.
 * SPEC: Go strconv `ParseFloat` with 64 bits.
 */
const DECIMAL = /^[+-]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/;
const HEXADECIMAL =
  /^([+-]?)0[xX]_?([\da-fA-F](?:_?[\da-fA-F])*)?(?:\.([\da-fA-F](?:_?[\da-fA-F])*)?)?[pP]([+-]?\d(?:_?\d)*)$/;
const SPECIAL = /^(?:([+-]?)inf(?:inity)?|nan)$/i;

/** Undefined where Go reports an error; NaN and infinities only where they are spelled out. */
export function parseFloatText(text: string): number | undefined {
  if (DECIMAL.test(text)) return finite(Number(text.replaceAll("_", "")));
  const special = SPECIAL.exec(text);
  if (special !== null) return specialValue(special[0], special[1] ?? "");
  const hexadecimal = HEXADECIMAL.exec(text);
  if (hexadecimal === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = ""] = hexadecimal;
  return parseHexadecimal(sign, [whole, fraction], exponent);
}

function specialValue(text: string, sign: string): number {
  if (text.toLowerCase() === "nan") return Number.NaN;
  return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function parseHexadecimal(
  sign: string,
  [whole, fraction]: readonly [string, string],
  exponent: string,
): number | undefined {
  const places = fraction.replaceAll("_", "");
  const digits = whole.replaceAll("_", "") + places;
  if (digits === "") return undefined;
  const size =
    Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent.replaceAll("_", "")) - 4 * places.length);
  return finite(sign === "-" ? -size : size);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
