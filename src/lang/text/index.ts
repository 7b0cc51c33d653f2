/** Door of `text`: the small languages inside strings, each equal to the Go library that policies were written for. */
export { durationError, durationSeconds, formatDuration, parseDuration } from "./duration.ts";
export { formatFloatE, formatFloatF, formatFloatV } from "./float-text.ts";
export { quoteGo } from "./go-quote.ts";
export { defaultRegistry, parseImageReference } from "./image-reference.ts";
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
export { compileWildcard, hasWildcard, matchWildcard } from "./wildcard.ts";
export type { ImageReference, ImageReferenceError } from "./image-reference.ts";
export type { Quantity, QuantityFormat } from "./quantity/quantity.ts";
export type { TextTest } from "./wildcard.ts";
