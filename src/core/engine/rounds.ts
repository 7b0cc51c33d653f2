/**
 * Evaluation with lookups, as a conversation: the engine names what it needs, whoever drives it answers, and it goes on.
 * The driver decides how it fetches and how long it waits; how many rounds there may be is decided here, for all.
 */
import { evaluate } from "./evaluate.ts";
import type { PolicyProgram } from "./program.ts";
import type { EvaluationRequest, Fact, Facts, Lookup } from "./request.ts";
import type { Verdict } from "./verdict.ts";

/** An entry that names another lookup each time that it is answered would go on for ever. */
export const MAX_ROUNDS = 16;

/**
 * Goes on where `evaluate` stopped for want of lookups. Yields what is missing and is resumed with the facts, one for
 * each lookup, in the same order.
 * @param first what `evaluate` asked for
 * @returns `undefined` where `MAX_ROUNDS` rounds were not enough
 */
export function* answerRounds(
  program: PolicyProgram,
  request: EvaluationRequest,
  facts: Facts,
  first: readonly Lookup[],
): Generator<readonly Lookup[], Verdict | undefined, readonly Fact[]> {
  const lookups = new Map(facts.lookups);
  let needed = first;
  for (let round = 1; round < MAX_ROUNDS; round++) {
    const answers = yield needed;
    for (const [at, { key }] of needed.entries()) {
      const fact = answers[at];
      if (fact !== undefined) lookups.set(key, fact);
    }
    const answer = evaluate(program, request, { ...facts, lookups });
    if (answer.kind === "verdict") return answer;
    needed = answer.lookups;
  }
  return undefined;
}
