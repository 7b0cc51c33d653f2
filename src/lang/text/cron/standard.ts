/**
 * Whether a schedule is admitted. Admission and the controllers use different libraries upstream, and neither accepts
 * all that the other does: five fields, `@every 1h`, names only with three letters, no `L`, `W`, `#`, Sunday is 0.
 * SPEC: robfig/cron v1.2 `ParseStandard`.
 */
import { parseDuration } from "../duration.ts";

type Bounds = { readonly min: number; readonly max: number; readonly names: readonly string[] };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);
/** SPEC: strings.Fields; JavaScript's own class has U+FEFF and lacks U+0085. */
const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const EVERY = "@every ";

/** What a CleanupPolicy's `schedule` must be to be admitted. */
export function isStandardCron(text: string): boolean {
  if (text.startsWith("@")) {
    return (
      DESCRIPTORS.has(text) ||
      (text.startsWith(EVERY) && parseDuration(text.slice(EVERY.length)) !== undefined)
    );
  }
  const words = text.split(SPACE).filter((word) => word !== "");
  return (
    words.length === BOUNDS.length && BOUNDS.every((bounds, index) => isField(words[index] ?? "", bounds))
  );
}

/** Empty entries are ignored, even if there are no others. */
function isField(text: string, bounds: Bounds): boolean {
  return text.split(",").every((part) => part === "" || isRange(part, bounds));
}

function isRange(text: string, bounds: Bounds): boolean {
  const [range = "", step, ...tooMany] = text.split("/");
  if (tooMany.length > 0) return false;
  const ends = readEnds(range, bounds);
  if (ends === undefined) return false;
  const stepSize = step === undefined ? 1 : readNumber(step);
  if (stepSize === undefined || stepSize === 0) return false;
  const last = step !== undefined && !range.includes("-") ? bounds.max : ends.last;
  return ends.first >= bounds.min && last <= bounds.max && ends.first <= last;
}

/** After `*` or `?` nothing is looked at. */
function readEnds(
  range: string,
  bounds: Bounds,
): { readonly first: number; readonly last: number } | undefined {
  const [low = "", high, ...tooMany] = range.split("-");
  if (low === "*" || low === "?") return { first: bounds.min, last: bounds.max };
  const first = readValue(low, bounds);
  const last = high === undefined ? first : readValue(high, bounds);
  if (first === undefined || last === undefined || tooMany.length > 0) return undefined;
  return { first, last };
}

function readValue(text: string, bounds: Bounds): number | undefined {
  const named = bounds.names.indexOf(text.toLowerCase());
  return named === -1 ? readNumber(text) : named + bounds.min;
}

/** SPEC: strconv.Atoi, which takes a plus sign; more digits than an int64 has are an error. */
function readNumber(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= 0 && value < 2 ** 63 ? value : undefined;
}
