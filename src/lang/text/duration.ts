/**
 * Go's durations: nanoseconds in an int64, written as `1h30m`, `-1.5s`, `100ms`. Whether a text is a duration decides
 * how patterns and conditions compare it, so reading is exact to the last nanosecond and texts that cannot be
 * durations are turned away at their first character.
 * SPEC: Go 1.26 time `ParseDuration`, `Duration.String`, `Duration.Seconds`.
 */
import { endOfDigits, isDigit } from "./int64.ts";

const LIMIT = 1n << 63n;
const SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, number> = new Map([
  ["ns", 1],
  ["us", 1e3],
  ["\u00b5s", 1e3],
  ["\u03bcs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);

/** Nanoseconds within int64, or `undefined` for a text that is no duration. */
export function parseDuration(text: string): bigint | undefined {
  if (!mayStart(text.charCodeAt(0)) || !"smh0".includes(text.charAt(text.length - 1))) return undefined;
  const scanned = scan(text);
  return typeof scanned === "bigint" ? scanned : undefined;
}

/** What Go says about a text that is no duration; `undefined` for one that is. */
export function durationError(text: string): string | undefined {
  const scanned = scan(text);
  return typeof scanned === "bigint" ? undefined : `time: ${scanned} ${quoteBytes(text)}`;
}

/** As Go prints it: `1h30m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (amount < SECOND) return sign + formatSmall(amount);
  const seconds = amount / SECOND;
  const minutes = seconds / 60n;
  const tail = `${decimal(amount % (60n * SECOND), 9)}s`;
  if (minutes === 0n) return sign + tail;
  if (minutes < 60n) return `${sign}${minutes}m${tail}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${tail}`;
}

/** Seconds as a float64, rounded as Go rounds them. */
export function durationSeconds(nanoseconds: bigint): number {
  return Number(nanoseconds / SECOND) + Number(nanoseconds % SECOND) / 1e9;
}

function formatSmall(amount: bigint): string {
  if (amount < 1000n) return `${amount}ns`;
  return amount < 1_000_000n ? `${decimal(amount, 3)}\u00b5s` : `${decimal(amount, 6)}ms`;
}

/** `amount` over ten to the `places`, without trailing zeros. */
function decimal(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return digits.slice(0, -places) + (fraction === "" ? "" : `.${fraction}`);
}

function mayStart(code: number): boolean {
  return isDigit(code) || code === DOT || code === 0x2d || code === 0x2b;
}

const DOT = 0x2e;

/** Nanoseconds, or the start of Go's complaint. */
function scan(text: string): bigint | string {
  const negative = text.startsWith("-");
  let at = negative || text.startsWith("+") ? 1 : 0;
  if (at === text.length) return "invalid duration";
  if (text.length === at + 1 && text.charAt(at) === "0") return 0n;
  let total = 0n;
  while (at < text.length) {
    const numberEnd = endOfNumber(text, at);
    const unitEnd = endOfUnit(text, numberEnd);
    const amount = scanAmount(text.slice(at, numberEnd), text.slice(numberEnd, unitEnd));
    if (typeof amount === "string") return amount;
    total += amount;
    if (total > LIMIT) return "invalid duration";
    at = unitEnd;
  }
  if (negative) return -total;
  return total === LIMIT ? "invalid duration" : total;
}

function endOfNumber(text: string, from: number): number {
  let at = endOfDigits(text, from);
  if (text.charCodeAt(at) === DOT) at = endOfDigits(text, at + 1);
  return at;
}

function endOfUnit(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isDigit(text.charCodeAt(at)) && text.charCodeAt(at) !== DOT) at++;
  return at;
}

function scanAmount(number: string, unitName: string): bigint | string {
  const dot = number.indexOf(".");
  const whole = dot === -1 ? number : number.slice(0, dot);
  const fraction = dot === -1 ? "" : number.slice(dot + 1);
  if (whole === "" && fraction === "") return "invalid duration";
  const unit = UNITS.get(unitName);
  // PERF: most are small and whole, and need one bigint
  if (unit !== undefined && fraction === "" && whole.length < 4) return BigInt(Number(whole) * unit);
  const digits = whole.replace(/^0+/, "");
  const count = digits.length > 19 ? LIMIT + 1n : BigInt(digits);
  if (count > LIMIT) return "invalid duration";
  if (unit === undefined) return unitFault(unitName);
  const amount = count * BigInt(unit) + fractionOf(fraction, unit);
  return amount > LIMIT ? "invalid duration" : amount;
}

function unitFault(unitName: string): string {
  return unitName === "" ? "missing unit in duration" : `unknown unit ${quoteBytes(unitName)} in duration`;
}

/** Digits beyond what int64 holds are cut off; the product is a float64's, as in Go. */
function fractionOf(digits: string, unit: number): bigint {
  if (digits === "") return 0n;
  let kept = digits.slice(0, 19);
  if (BigInt(kept) >= LIMIT) kept = kept.slice(0, 18);
  return BigInt(Math.floor(Number(BigInt(kept)) * (unit / 10 ** kept.length)));
}

/** Go's time package quotes byte by byte: control and non-ASCII characters become `\xNN`. */
export function quoteBytes(text: string): string {
  const escaped = text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/["\\]/g, "\\$&")
    .replace(/[^ -~\x7f]/gu, (character) =>
      encodeURIComponent(character).replaceAll("%", "\\x").toLowerCase(),
    );
  return `"${escaped}"`;
}
