/** Door of `text`: the small languages inside strings, each equal to the Go library that policies were written for. */
export { civilFromDays, daysFromCivil, daysInMonth, weekday } from "./calendar.ts";
export { nextCron } from "./cron/next.ts";
export { parseCron } from "./cron/parse.ts";
export { isStandardCron } from "./cron/standard.ts";
export { durationError, durationSeconds, formatDuration, parseDuration, quoteBytes } from "./duration.ts";
export { formatFloatE, formatFloatF, formatFloatV } from "./float-text.ts";
export { quoteGo } from "./go-quote.ts";
export { defaultRegistry, parseImageReference } from "./image-reference.ts";
export { parseInt64 } from "./int64.ts";
export {
  addQuantity,
  compareQuantity,
  divideQuantity,
  multiplyQuantity,
  subtractQuantity,
} from "./quantity/arithmetic.ts";
export { formatQuantity } from "./quantity/format.ts";
export { parseQuantity, quantityError } from "./quantity/parse.ts";
export {
  quantityAsFloat,
  quantityAsInt64,
  quantityFromInt64,
  quantityScaled,
  quantitySign,
} from "./quantity/quantity.ts";
export { compileLabelSelector, compileLabelTest } from "./selector/label-selector.ts";
export { parseSelector } from "./selector/parse.ts";
export { parseSemverRange, semverRangeError } from "./semver/range.ts";
export { compareSemver, formatSemver, parseSemver, semverError } from "./semver/version.ts";
export { compileWildcard, hasWildcard, matchWildcard } from "./wildcard.ts";
export type { CivilDate } from "./calendar.ts";
export type { CronError } from "./cron/field.ts";
export type { Cron } from "./cron/parse.ts";
export type { ImageReference, ImageReferenceError } from "./image-reference.ts";
export type { Quantity, QuantityFormat } from "./quantity/quantity.ts";
export type { LabelSelector, LabelTest } from "./selector/label-selector.ts";
export type { Selector } from "./selector/parse.ts";
export type { Labels, SelectorError } from "./selector/requirement.ts";
export type { VersionTest } from "./semver/range.ts";
export type { Prerelease, Version } from "./semver/version.ts";
export type { TextTest } from "./wildcard.ts";
