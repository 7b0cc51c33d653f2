/**
 * The lists that `items` makes. Upstream gives them a type of their own that most functions cannot take (many crash on
 * it) until a projection has made a plain list of them. Policies that trip over it fail there, so they fail here, with
 * a text that says what to do.
 * SPEC: Kyverno 1.19 pkg/engine/jmespath `jpItems`.
 */
import type { Json } from "#json";
import { isArray } from "#json";
import type { QueryError } from "../query-error.ts";
import { failed } from "../query-error.ts";

const PAIRS = Symbol("pairs");

export function asPairList(list: readonly Json[]): readonly Json[] {
  return Object.defineProperty(list, PAIRS, { value: true });
}

export function isPairList(value: Json): value is readonly Json[] {
  return isArray(value) && PAIRS in value;
}

/** The error of a function that cannot take such a list; `undefined` for any other value. */
export function refusePairs(value: Json): QueryError | undefined {
  if (!isPairList(value)) return undefined;
  return failed("the result of `items` cannot be used here; project it first: `items(…)[]`");
}
