/**
 * JSON has text keys only. sigs.k8s.io/yaml prints the others: booleans as words, integers in decimal, floats as the
 * shortest float32 text in Go's `g` format; null and collections are refused.
 *
 * SPEC: sigs.k8s.io/yaml `convertToJSONableObject`.
 */
import type { Json } from "./json.ts";

/**
 * @param written the text of the scalar, which tells `1e3` (a float) from `1000` (an integer)
 * @returns `undefined` where the value cannot be a key
 */
export function keyText(key: Json, written: string): string | undefined {
  if (typeof key === "string") return key;
  if (typeof key === "boolean") return String(key);
  if (typeof key !== "number") return undefined;
  return Number.isInteger(key) && !isFloatText(written) ? wholeText(key) : float32Text(key);
}

function isFloatText(written: string): boolean {
  return /[.eE]/.test(written) && !/^[-+]?0[xX]/.test(written);
}

function wholeText(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
}

/** The fewest digits that give the same float32; with an exponent below 1e-4 and from 1e6 on. */
function float32Text(value: number): string {
  const want = Math.fround(value);
  for (let digits = 1; digits < 10; digits++) {
    const text = want.toExponential(digits - 1);
    if (Math.fround(Number(text)) === want) return generalFormat(text);
  }
  return String(want);
}

function generalFormat(exponential: string): string {
  const [mantissa = "", power = "0"] = exponential.split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(exponential));
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${size}`;
}
