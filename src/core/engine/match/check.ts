/**
 * One condition of a resource filter, compiled: `passes` decides and allocates nothing, `reason` is asked only where
 * somebody wants to know why a rule does not apply, and says what upstream says.
 */
import type { JsonObject } from "#json";
import type { EvaluationRequest, Facts } from "../request.ts";

export type Check = {
  readonly passes: (resource: JsonObject, request: EvaluationRequest, facts: Facts) => boolean;
  /** Only meaningful where `passes` answers false. */
  readonly reason: (resource: JsonObject, request: EvaluationRequest, facts: Facts) => string;
};

export function allPass(
  checks: readonly Check[],
  resource: JsonObject,
  request: EvaluationRequest,
  facts: Facts,
): boolean {
  for (const check of checks) if (!check.passes(resource, request, facts)) return false;
  return true;
}

export function reasonsOf(
  checks: readonly Check[],
  resource: JsonObject,
  request: EvaluationRequest,
  facts: Facts,
): readonly string[] {
  return checks
    .filter((check) => !check.passes(resource, request, facts))
    .map((check) => check.reason(resource, request, facts));
}

/** Texts that a policy lists, any of which may match. */
export function anyOf(tests: readonly ((text: string) => boolean)[], text: string): boolean {
  for (const test of tests) if (test(text)) return true;
  return false;
}
