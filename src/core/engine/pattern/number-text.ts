/**
 * The texts that a number has when it is compared with a text. They depend on its Go type, which a resource fixes in
 * another way than a value whose type is known.
 */
import { formatFloatE, formatFloatF } from "#text";

import { integerText, isInt64 } from "./go-text.ts";

export type NumberText = {
  /** What wildcards are matched against: `10`, `1.5E+00`. */
  readonly text: (value: number | bigint) => string;
  /** What is read as a duration or a quantity: `10`, `1.500000`. */
  readonly numeric: (value: number | bigint) => string;
};

/** Numbers of a resource: the whole ones are int64, the rest float64. */
export const resourceNumbers: NumberText = {
  text: (value) => (typeof value === "bigint" || isInt64(value) ? wholeText(value) : formatFloatE(value)),
  numeric: (value) => (typeof value === "bigint" || isInt64(value) ? wholeText(value) : formatFloatF(value)),
};

/** A bigint is an int64, a number is a float64, also a whole one. */
export const typedNumbers: NumberText = {
  text: (value) => (typeof value === "bigint" ? value.toString() : formatFloatE(value)),
  numeric: (value) => (typeof value === "bigint" ? value.toString() : formatFloatF(value)),
};

function wholeText(value: number | bigint): string {
  return typeof value === "bigint" ? value.toString() : integerText(value);
}
