/**
 * A statement: the `match` block of policy exceptions and cleanup policies. It reads like a rule's and is told apart in
 * four points: operations are not looked at, users are asked even when nobody is known, `Pod` does not stand for its
 * ephemeral containers, and a block without `any` and `all` matches everything.
 * SPEC: Kyverno 1.19 pkg/utils/match CheckMatchesResources; kyverno-surface.md section 1.11.
 */
import type { JsonObject } from "#json";
import type { MatchBlock, ResourceFilter } from "#policy";
import type { EvaluationRequest, Facts } from "../request.ts";
import { allPass, reasonsOf } from "./check.ts";
import type { FilterProgram } from "./filter.ts";
import { compileResourceChecks, isEmptyDescription } from "./resource-checks.ts";
import { compileUserChecks, hasUserPart } from "./user-checks.ts";

export type StatementProgram = {
  readonly matches: (resource: JsonObject, request: EvaluationRequest, facts: Facts) => boolean;
  /** Why the statement does not match, in upstream's words; `undefined` when it does. */
  readonly explain: (resource: JsonObject, request: EvaluationRequest, facts: Facts) => string | undefined;
};

const EMPTY_FILTER: FilterProgram = { matches: () => false, reasons: () => ["statement cannot be empty"] };

/** Compiles the `any` or, without it, the `all` list of a statement. */
export function compileStatement(block: MatchBlock): StatementProgram {
  if (block.any !== undefined && block.any.length > 0) return anyStatement(block.any.map(compileFilter));
  return allStatement((block.all ?? []).map(compileFilter));
}

function compileFilter(filter: ResourceFilter): FilterProgram {
  if (isEmptyDescription(filter.resources) && !hasUserPart(filter)) return EMPTY_FILTER;
  const checks = [
    ...compileResourceChecks(filter.resources ?? {}, "statement"),
    ...compileUserChecks(filter),
  ];
  return {
    matches: (resource, request, facts) => allPass(checks, resource, request, facts),
    reasons: (resource, request, facts) => reasonsOf(checks, resource, request, facts),
  };
}

function anyStatement(filters: readonly FilterProgram[]): StatementProgram {
  const matches: StatementProgram["matches"] = (resource, request, facts) => {
    for (const filter of filters) if (filter.matches(resource, request, facts)) return true;
    return false;
  };
  return {
    matches,
    explain: (resource, request, facts) =>
      matches(resource, request, facts) ? undefined : "no resource matched",
  };
}

function allStatement(filters: readonly FilterProgram[]): StatementProgram {
  return {
    matches: (resource, request, facts) => {
      for (const filter of filters) if (!filter.matches(resource, request, facts)) return false;
      return true;
    },
    explain: (resource, request, facts) => {
      const reasons = filters.flatMap((filter) => filter.reasons(resource, request, facts));
      return reasons.length === 0 ? undefined : reasons.join("; ");
    },
  };
}
