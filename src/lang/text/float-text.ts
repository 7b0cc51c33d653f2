/**
 * Numbers as Go prints them. Which verb upstream uses at which place decides what users see and what strings are
 * compared with (`1e+06` is not `1000000`), so every text of a float64 has its own function. Integers need none:
 * JavaScript prints them alike up to 2^53.
 * SPEC: strconv `FormatFloat` with the shortest precision; fmt `%v`, `%f`.
 */

/** `%v` and `%g`: `1.5`, `100000`, `1e+06`, `1e-05`, `+Inf`, `NaN`. */
export function formatFloatV(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const { exponent } = shortest(value);
  return exponent < -4 || exponent >= 6 ? exponential(value, "e") : plain(value);
}

/** `'E'` with precision -1: `1.5E+00`, `1E+06`, what upstream compares numbers with texts by. */
export function formatFloatE(value: number): string {
  return Number.isFinite(value) ? exponential(value, "E") : special(value);
}

/** `%f`: six places, halves to even. */
export function formatFloatF(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.000000`;
  const sign = Object.is(value, -0) ? "-" : "";
  // WHY: the only float64s halfway between two such texts are odd multiples of 1/128; JavaScript rounds those up
  if (Math.abs((value * 128) % 2) !== 1) return sign + value.toFixed(6);
  const cut = value.toFixed(7).slice(0, -1);
  return "02468".includes(cut.slice(-1)) ? cut : value.toFixed(6);
}

function special(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

function shortest(value: number): { readonly mantissa: string; readonly exponent: number } {
  const text = Object.is(value, -0) ? "-0e+0" : value.toExponential();
  const at = text.indexOf("e");
  return { mantissa: text.slice(0, at), exponent: Number(text.slice(at + 1)) };
}

function exponential(value: number, letter: "e" | "E"): string {
  const { mantissa, exponent } = shortest(value);
  const digits = Math.abs(exponent).toString().padStart(2, "0");
  return `${mantissa}${letter}${exponent < 0 ? "-" : "+"}${digits}`;
}

/** JavaScript prints these without exponent, but for those that it starts to write as `1e-7`. */
function plain(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
