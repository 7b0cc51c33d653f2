/**
 * `match` and `exclude` of a rule, compiled. `matches` is the answer that evaluation wants and allocates nothing;
 * `explain` gives upstream's text of why a rule does not apply, for `postern test` and for traces. Both walk the same
 * checks, so that they cannot disagree.
 * SPEC: Kyverno 1.19 pkg/engine/utils/match.go MatchesResourceDescription; kyverno-surface.md sections 0 and 1.2.
 */
import type { JsonObject } from "#json";
import type { MatchBlock, Policy, ResourceFilter, Rule } from "#policy";
import type { EvaluationRequest, Facts } from "../request.ts";
import type { FilterProgram } from "./filter.ts";
import { compileExcludeFilter, compileMatchFilter } from "./filter.ts";
import type { Footprint } from "./footprint.ts";
import { footprintOf } from "./footprint.ts";
import { matchedResource, namespaceOf } from "./resource.ts";

export type MatchProgram = {
  readonly matches: (request: EvaluationRequest, facts: Facts) => boolean;
  /** Why the rule does not apply, in upstream's words; `undefined` when it does. */
  readonly explain: (request: EvaluationRequest, facts: Facts) => string | undefined;
  /** What the rule can match at all, for the index of programs. */
  readonly footprint: Footprint;
};

/** Collects the reasons of one side; none means that this side lets the resource through. */
type Side = {
  readonly passes: FilterProgram["matches"];
  readonly reasons: FilterProgram["reasons"];
};

/** Compiles a rule's selection of resources; a namespaced policy's rules see its own namespace only. */
export function compileMatch(
  rule: Pick<Rule, "name" | "match" | "exclude">,
  policy: Pick<Policy, "namespace">,
): MatchProgram {
  const match = compileMatchBlock(rule.match);
  const exclude = compileExcludeBlock(rule.exclude ?? {});
  const home = policy.namespace ?? "";
  return {
    footprint: footprintOf(rule.match, home),
    matches(request, facts) {
      const resource = matchedResource(request);
      if (resource === null) return false;
      if (home !== "" && home !== namespaceOf(resource)) return false;
      return match.passes(resource, request, facts) && exclude.passes(resource, request, facts);
    },
    explain(request, facts) {
      const resource = matchedResource(request);
      if (resource === null) return "resource is empty";
      if (home !== "" && home !== namespaceOf(resource)) return "policy and resource namespaces mismatch";
      const unmatched = match.reasons(resource, request, facts);
      const reasons = unmatched.length > 0 ? unmatched : exclude.reasons(resource, request, facts);
      return reasons.length === 0 ? undefined : numbered(rule.name, reasons);
    },
  };
}

function numbered(rule: string, reasons: readonly string[]): string {
  return `rule ${rule} not matched:${reasons.map((reason, index) => `\n ${index + 1}. ${reason}`).join("")}`;
}

/** An empty list counts as absent, and what is left is then the direct form. */
function compileMatchBlock(block: MatchBlock): Side {
  if (block.any !== undefined && block.any.length > 0) return matchAny(block.any.map(compileMatchFilter));
  if (block.all !== undefined && block.all.length > 0) return matchAll(block.all.map(compileMatchFilter));
  return matchAll([compileMatchFilter(block.direct ?? {})]);
}

function matchAny(filters: readonly FilterProgram[]): Side {
  const passes: Side["passes"] = (resource, request, facts) => {
    for (const filter of filters) if (filter.matches(resource, request, facts)) return true;
    return false;
  };
  return {
    passes,
    reasons: (resource, request, facts) => (passes(resource, request, facts) ? [] : ["no resource matched"]),
  };
}

function matchAll(filters: readonly FilterProgram[]): Side {
  return {
    passes: (resource, request, facts) => {
      for (const filter of filters) if (!filter.matches(resource, request, facts)) return false;
      return true;
    },
    reasons: (resource, request, facts) =>
      filters.flatMap((filter) => filter.reasons(resource, request, facts)),
  };
}

function compileExcludeBlock(block: MatchBlock): Side {
  if (block.any !== undefined && block.any.length > 0) return excludeAny(block.any);
  if (block.all !== undefined && block.all.length > 0) return excludeAll(block.all);
  return excludeAny(block.direct === undefined ? [] : [block.direct]);
}

/** Each filter that excludes is a reason of its own; empty filters exclude nothing. */
function excludeAny(specs: readonly ResourceFilter[]): Side {
  const filters = specs.flatMap((spec) => compileExcludeFilter(spec) ?? []);
  return {
    passes: (resource, request, facts) => !someExcludes(filters, resource, request, facts),
    reasons: (resource, request, facts) =>
      filters
        .filter((excludes) => excludes(resource, request, facts))
        .map(() => "resource excluded since one of the criteria excluded it"),
  };
}

function someExcludes(
  filters: readonly FilterProgram["matches"][],
  resource: JsonObject,
  request: EvaluationRequest,
  facts: Facts,
): boolean {
  for (const excludes of filters) if (excludes(resource, request, facts)) return true;
  return false;
}

/** An empty filter among them never excludes, and so takes the effect of the whole list away. */
function excludeAll(specs: readonly ResourceFilter[]): Side {
  const filters = specs.map((spec) => compileExcludeFilter(spec));
  const passes: Side["passes"] = (resource, request, facts) => {
    for (const excludes of filters)
      if (excludes === undefined || !excludes(resource, request, facts)) return true;
    return false;
  };
  return {
    passes,
    reasons: (resource, request, facts) =>
      passes(resource, request, facts)
        ? []
        : ["resource excluded since the combination of all criteria exclude it"],
  };
}
