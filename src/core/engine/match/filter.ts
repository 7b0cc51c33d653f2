/**
 * One resource filter of a rule (an entry of `any` or `all`, or the deprecated direct form), compiled for both its
 * uses. In `match` the conditions on users are dropped when nobody is known, and what is then left of the filter must
 * not be empty; in `exclude` they stay, so that a scan never excludes by user.
 * SPEC: Kyverno 1.19 pkg/engine/utils/match.go; kyverno-surface.md sections 0 and 1.2.
 */
import type { JsonObject } from "#json";
import type { ResourceFilter } from "#policy";
import type { EvaluationRequest, Facts } from "../request.ts";
import type { Check } from "./check.ts";
import { allPass, reasonsOf } from "./check.ts";
import { compileResourceChecks, isEmptyDescription } from "./resource-checks.ts";
import { compileUserChecks, hasUserPart, isAnonymous } from "./user-checks.ts";

export type FilterProgram = {
  readonly matches: (resource: JsonObject, request: EvaluationRequest, facts: Facts) => boolean;
  /** Why the filter does not match, one text a condition; empty when it does. */
  readonly reasons: (resource: JsonObject, request: EvaluationRequest, facts: Facts) => readonly string[];
};

const NEVER: FilterProgram = { matches: () => false, reasons: () => ["match cannot be empty"] };

/** A filter of `match`. */
export function compileMatchFilter(filter: ResourceFilter): FilterProgram {
  const known = isEmptyFilter(filter) ? NEVER : compileConditions(filter, compileUserChecks(filter));
  if (!hasUserPart(filter)) return known;
  const anonymous = isEmptyDescription(filter.resources) ? NEVER : compileConditions(filter, []);
  return {
    matches: (resource, request, facts) =>
      (isAnonymous(request, facts) ? anonymous : known).matches(resource, request, facts),
    reasons: (resource, request, facts) =>
      (isAnonymous(request, facts) ? anonymous : known).reasons(resource, request, facts),
  };
}

/** A filter of `exclude`: true where it excludes; `undefined` where it says nothing and so excludes nothing. */
export function compileExcludeFilter(filter: ResourceFilter): FilterProgram["matches"] | undefined {
  return isEmptyFilter(filter) ? undefined : compileConditions(filter, compileUserChecks(filter)).matches;
}

function isEmptyFilter(filter: ResourceFilter): boolean {
  return isEmptyDescription(filter.resources) && !hasUserPart(filter);
}

/** An operation that does not match is the only reason that is given. */
function compileConditions(filter: ResourceFilter, userChecks: readonly Check[]): FilterProgram {
  const checks = [...compileResourceChecks(filter.resources ?? {}, "rule"), ...userChecks];
  const operations = filter.resources?.operations ?? [];
  const hasOperation = (request: EvaluationRequest): boolean =>
    operations.length === 0 || operations.includes(request.operation);
  return {
    matches: (resource, request, facts) => hasOperation(request) && allPass(checks, resource, request, facts),
    reasons: (resource, request, facts) =>
      hasOperation(request) ? reasonsOf(checks, resource, request, facts) : ["operation does not match"],
  };
}
