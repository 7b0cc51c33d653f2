/**
 * What an unquoted YAML scalar means to Kubernetes. sigs.k8s.io/yaml follows YAML 1.1 for booleans and null, Go's
 * number syntax for integers, and has neither sexagesimal numbers nor timestamps. Pure text to value, no positions.
 *
 * SPEC: sigs.k8s.io/yaml/goyaml.v2 `resolve`, `resolveMap`, `yamlStyleFloat`.
 */

const words: ReadonlyMap<string, null | boolean | number> = new Map<string, null | boolean | number>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map(
    (word) => [word, true] as const,
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map(
    (word) => [word, false] as const,
  ),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map(
    (word) => [word, Number.POSITIVE_INFINITY] as const,
  ),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const LONGEST_WORD = 5;

/** A number that is not finite means that JSON has no such value: the caller reports it. */
export function resolvePlainScalar(text: string): null | boolean | number | string {
  if (text.length <= LONGEST_WORD) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  const first = text.charCodeAt(0);
  if ((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d) {
    return resolveNumber(text.includes("_") ? text.replaceAll("_", "") : text) ?? text;
  }
  if (first === 0x2e && /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/.test(text)) return finite(text) ?? text;
  return text;
}

const DECIMAL = /^[-+]?(?:0|[1-9][0-9]*)$/;
const OCTAL = /^([-+]?)0[0-7]+$/;
const PREFIXED = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function resolveNumber(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text) + 0;
  const octal = OCTAL.exec(text);
  // Octal digits that do not fit 64 bits are read once more, as a decimal float.
  if (octal !== null) return integer(octal[1] ?? "", `0o${digits(text)}`) ?? finite(text);
  const prefixed = PREFIXED.exec(text);
  if (prefixed !== null) return integer(prefixed[1] ?? "", prefixed[2] ?? "");
  return FLOAT.test(text) ? finite(text) : undefined;
}

function digits(text: string): string {
  return text.startsWith("-") || text.startsWith("+") ? text.slice(1) : text;
}

/** Within int64, or uint64 where no sign is written. */
function integer(sign: string, magnitude: string): number | undefined {
  const value = sign === "-" ? -BigInt(magnitude) : BigInt(magnitude);
  const limit = sign === "" ? 2n ** 64n : 2n ** 63n;
  return value >= limit || value < -(2n ** 63n) ? undefined : Number(value);
}

/** Beyond float64 the text stays a string, as Go's failing ParseFloat leaves it. */
function finite(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
