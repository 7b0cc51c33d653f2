/**
 * `validate.pattern`: a document that a resource must look like. It is compiled to closures: key order, anchors, operators,
 * wildcards, durations and quantities are settled here, so that a resource that matches costs loads and comparisons
 * and leaves no garbage. What does not match is judged afterwards.
 * SPEC: Kyverno 1.19 pkg/engine/validate/validate.go (MatchPattern); kyverno-surface.md sections 0 and 3.
 */
import type { Budget } from "#diag";
import { isArray, type Json, type TypedJson } from "#json";

import { anchorHandlers } from "./anchor-handlers.ts";
import { parseAnchor } from "./anchor.ts";
import { isPatternList, isPatternMap, type Check, type CompilePart, type Ledger } from "./check.ts";
import { compileList } from "./compile-list.ts";
import { compileMap } from "./compile-map.ts";
import { describeFailure, Failure, isNegation, isSkip, mismatchSite } from "./failure.ts";
import { goScalarText, goText } from "./go-text.ts";
import { compileTags, regionBelow, type Region } from "./metadata-keys.ts";
import { compileScalar } from "./scalar.ts";

/**
 * - `fail`: `path` is where, in upstream's form `/spec/containers/0/image/`;
 * - `skip`: an anchor says that the pattern does not apply;
 * - `error`: the pattern does not match, but upstream has no path for it.
 *
 * Messages are upstream's to the letter.
 */
export type PatternOutcome =
  | { readonly kind: "pass" }
  | { readonly kind: "fail"; readonly path: string; readonly message: string }
  | { readonly kind: "skip"; readonly message: string }
  | { readonly kind: "error"; readonly message: string };

export type PatternProgram = {
  /** @throws Interruption when the budget is spent */
  readonly match: (resource: Json, budget: Budget) => PatternOutcome;
};

/** A bigint in the pattern is an int64, a number a float64; whole numbers of resources are int64. Any pattern compiles. */
export function compilePattern(pattern: TypedJson): PatternProgram {
  const check = compileIn("any", pattern, "/");
  const expectsKeys = holdsExpectedKey(pattern);
  return {
    match(resource, budget) {
      const failure = check(resource, budget, undefined);
      if (failure === undefined) return PASS;
      const message = describeFailure(failure, "/");
      if (isSkip(failure)) return { kind: "skip", message };
      const path = failure.site.hasPath ? `/${failure.path}` : "";
      if (isNegation(failure)) return { kind: "fail", path, message };
      if (path === "" || (expectsKeys && missesKey(check, resource, budget)))
        return { kind: "error", message };
      return { kind: "fail", path, message };
    },
  };
}

const PASS: PatternOutcome = { kind: "pass" };

/** Walks again, this time noting which anchored keys any map that was reached had. */
function missesKey(check: Check, resource: Json, budget: Budget): boolean {
  const ledger: Ledger = new Map();
  check(resource, budget, ledger);
  for (const seen of ledger.values()) if (!seen) return true;
  return false;
}

function holdsExpectedKey(pattern: TypedJson): boolean {
  if (isPatternList(pattern)) return pattern.some(holdsExpectedKey);
  if (!isPatternMap(pattern)) return false;
  return Object.entries(pattern).some(([key, value]) => {
    const anchor = parseAnchor(key);
    const expected = anchor !== undefined && anchorHandlers.get(anchor.name)?.expected === true;
    return expected || holdsExpectedKey(value);
  });
}

function compileIn(region: Region, pattern: TypedJson, place: string): Check {
  if (isPatternList(pattern)) return compileList(pattern, place, partIn("any"));
  if (!isPatternMap(pattern)) return compileLeaf(pattern, place);
  const partOf = (key: string, value: TypedJson): CompilePart =>
    partIn(isPatternMap(value) ? regionBelow(region, key) : "any");
  if (region !== "tags") return compileMap(pattern, place, partOf);
  return compileTags(pattern, (concrete) => compileMap(concrete, place, partOf));
}

function partIn(region: Region): CompilePart {
  return (pattern, place) => compileIn(region, pattern, place);
}

/** A scalar against a value, or against each element of a list. */
function compileLeaf(pattern: null | boolean | number | bigint | string, place: string): Check {
  const test = compileScalar(pattern);
  const wanted = goScalarText(pattern);
  const weight = weightOf(pattern);
  const site = mismatchSite(
    place,
    (at, failure) => `resource value '${goText(failure.value)}' does not match '${wanted}' at path ${at}`,
    { showsValue: true },
  );
  return (value, budget) => {
    budget.charge(costOf(value, weight));
    if (!isArray(value)) return test(value) ? undefined : new Failure(site, value);
    for (const element of value) {
      budget.charge(costOf(element, weight));
      if (!test(element)) return new Failure(site, value);
    }
    return undefined;
  };
}

/** Long texts are charged by the work of reading them: 32 characters are a step. */
function costOf(value: Json, weight: number): number {
  return typeof value === "string" ? 1 + Math.floor((value.length * weight) / 32) : 1;
}

/** How often a character of a text may be read: a wildcard with both signs may go back once for each of its own. */
function weightOf(pattern: TypedJson): number {
  return typeof pattern === "string" && pattern.includes("*") && pattern.includes("?") ? pattern.length : 1;
}
