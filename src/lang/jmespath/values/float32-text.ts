/**
 * A number as text in float32 precision, without an exponent: what Kyverno's functions make of a number where they
 * want a text, so that `123456789` is `123456790` there.
 * SPEC: strconv `FormatFloat(v, 'f', -1, 32)`.
 */
export function formatFloat32(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return "NaN";
  if (!Number.isFinite(single)) return single > 0 ? "+Inf" : "-Inf";
  return withoutExponent(shortest(single));
}

/** The fewest digits that are read back as the same float32. */
function shortest(single: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = single.toExponential(digits);
    if (Math.fround(Number(text)) === single) return Object.is(single, -0) ? `-${text}` : text;
  }
  return single.toExponential(9);
}

function withoutExponent(text: string): string {
  const at = text.indexOf("e");
  const exponent = Number(text.slice(at + 1));
  const sign = text.startsWith("-") ? "-" : "";
  const digits = text.slice(sign.length, at).replace(".", "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}
