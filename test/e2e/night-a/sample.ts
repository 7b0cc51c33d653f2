/** What of a suite is run: everything, or a part drawn from the seed that has each value of each dimension in it. */
import { full, seed } from "../control-plane/suites.ts";

/** The same numbers for the same seed, 0 to 1. */
export function createRandom(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffle<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ value }) => value);
}

/**
 * Combinations of three dimensions: all of them, or as many as the longest has values, each value of each in at least
 * one, and, as far as their number allows, each pair of the second and third.
 */
export function combinations<A, B, C>(
  first: readonly A[],
  second: readonly B[],
  third: readonly C[],
): readonly (readonly [A, B, C])[] {
  if (full) return first.flatMap((a) => second.flatMap((b) => third.map((c) => [a, b, c] as const)));
  const random = createRandom(seed);
  const pairs = shuffle(
    second.flatMap((b) => third.map((c) => [b, c] as const)),
    random,
  );
  const firsts = shuffle(first, random);
  const count = Math.max(firsts.length, pairs.length);
  return Array.from({ length: count }, (_, index) => {
    const pair = pairs[index % pairs.length];
    const a = firsts[index % firsts.length];
    if (pair === undefined || a === undefined) throw new Error("a dimension has no values");
    return [a, ...pair] as const;
  });
}
