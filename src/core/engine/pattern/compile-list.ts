/**
 * A list of a pattern. Its first element decides: a map or a scalar is what every element of the resource must match,
 * and further elements of the pattern are ignored; lists are matched one by one.
 * SPEC: Kyverno 1.19 pkg/engine/validate/validate.go (validateArray, validateArrayOfMaps); surface 3.4.
 */
import { isArray, type Json, type TypedJson } from "#json";

import { isPatternList, isPatternMap, type Check, type CompilePart, type ListCheck } from "./check.ts";
import { allSkipped, Failure, isSkip, mismatchSite } from "./failure.ts";
import { goText } from "./go-text.ts";

export function compileList(pattern: readonly TypedJson[], place: string, compilePart: CompilePart): Check {
  const notList = mismatchSite(
    place,
    (at) => `validation rule failed at path ${at}, resource does not satisfy the expected overlay pattern`,
  );
  const elements = compileElements(pattern, place, compilePart);
  return (value, budget, ledger) => {
    budget.charge(1);
    return isArray(value) ? elements(value, budget, ledger) : new Failure(notList, null);
  };
}

function compileElements(pattern: readonly TypedJson[], place: string, compilePart: CompilePart): ListCheck {
  const [first] = pattern;
  if (first === undefined) {
    const empty = mismatchSite(place, () => "pattern Array empty");
    return () => new Failure(empty, null);
  }
  if (isPatternMap(first)) return matchElements([compilePart(first, `${place}0/`)], (list) => list.length);
  return isPatternList(first) ? compileOneByOne(pattern, place, compilePart) : compilePart(first, place);
}

/** Lists of lists: the resource may be longer than the pattern, not shorter; what is beyond is not looked at. */
function compileOneByOne(pattern: readonly TypedJson[], place: string, compilePart: CompilePart): ListCheck {
  const checks = pattern.map((item) => compilePart(item, `${place}0/`));
  const tooShort = mismatchSite(
    place,
    (_, failure) =>
      `validate Array failed, array length mismatch, resource Array len is ${goText(failure.value)} and pattern Array len is ${pattern.length}`,
    { hasPath: false },
  );
  const match = matchElements(checks, (list) => Math.min(list.length, checks.length));
  return (list, budget, ledger) =>
    list.length < checks.length ? new Failure(tooShort, list.length) : match(list, budget, ledger);
}

/**
 * Each element against the check at its index, the last check serving all that follow. Elements may be skipped; where
 * none is left, the list is.
 */
function matchElements(checks: readonly Check[], count: (list: readonly Json[]) => number): ListCheck {
  const last = checks.length - 1;
  return (list, budget, ledger) => {
    let applied = false;
    let skipped: Failure[] | undefined;
    const end = count(list);
    for (let index = 0; index < end; index += 1) {
      const failure = checks[Math.min(index, last)]?.(list[index] ?? null, budget, ledger);
      if (failure === undefined) applied = true;
      else if (isSkip(failure)) (skipped ??= []).push(failure.under(`${index}/`));
      else return failure.under(`${index}/`);
    }
    return applied || skipped === undefined ? undefined : allSkipped(skipped);
  };
}
