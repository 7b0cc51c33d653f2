/**
 * Match conditions from the table of exclusions. Each is total, so that it can never be the reason for a refusal: an API
 * server takes a condition that fails to evaluate for a failed webhook, unless another says no.
 */
import type { MatchCondition } from "#catalog";
import type { Exclusion, IdentityExclusion } from "./exclusions.ts";
import type { RuleSet } from "./webhook-rules.ts";

/** @param rules what the webhook is called for; a row for some resources counts only where one of them is there */
export function conditionsFor(rows: readonly Exclusion[], rules: RuleSet): readonly MatchCondition[] {
  return rows
    .filter((row): row is IdentityExclusion => row.by === "identity")
    .filter(({ resources }) => resources === undefined || resources.some((resource) => rules.has(resource)))
    .map(conditionOf);
}

export function conditionOf({ id, expression, resources }: IdentityExclusion): MatchCondition {
  const them = resources === undefined ? `(${expression})` : `(${expression} && ${isOneOf(resources)})`;
  return { name: `postern-${id}`, expression: `!${them}` };
}

function isOneOf(resources: readonly string[]): string {
  const list = resources.map((resource) => `"${resource}"`).join(", ");
  return `has(request.resource.resource) && request.resource.resource in [${list}]`;
}
