/**
 * `allowExistingViolations`: an update of an object that was in violation before is let through. The rule is asked again
 * about the old object, as if somebody unknown created it; a failure there too makes the failure a skip.
 * SPEC: Kyverno 1.19 pkg/engine/handlers/validation/validate_resource.go (validateOldObject); kyverno-surface.md 1.5.
 */
import type { FailureAction, Rule } from "#policy";

import type { EvaluationContext } from "../context/evaluation-context.ts";
import type { EvaluationRun } from "../context/evaluation-run.ts";
import type { MatchProgram } from "../match/match.ts";
import type { EvaluationRequest, Facts } from "../request.ts";
import { skipped, type Outcome } from "./outcome.ts";

export type RuleAnswer = {
  readonly outcome: Outcome & { readonly exceptions?: readonly string[] };
  readonly context: EvaluationContext;
};

type Ask = (run: EvaluationRun) => RuleAnswer | undefined;

const TOLERATED = skipped("skipping the rule evaluation as pre-existing violations are allowed");
const UNKNOWN = skipped("failed to validate old object");

/** Nobody: no rule that names users, roles or groups is meant for it. */
const stranger = {
  username: "kyverno:kyverno-invalid-controller",
  groups: ["kyverno:invalidgroup"],
};
const strangersRoles: readonly string[] = ["kyverno:invalidrole"];

export function tolerateExisting(
  rule: Rule,
  match: MatchProgram,
  ask: Ask,
): (run: EvaluationRun, action: FailureAction) => RuleAnswer | undefined {
  if (rule.body.kind !== "validate" || !rule.body.validate.allowExistingViolations) return ask;
  return (run, action) => {
    const answer = ask(run);
    if (answer?.outcome.status !== "fail" || action !== "Enforce") return answer;
    const old = oldRun(run);
    if (old === undefined || !match.matches(old.request, old.facts)) return answer;
    const before = ask(old)?.outcome.status;
    if (before === "error") return { ...answer, outcome: UNKNOWN };
    return before === "fail" ? { ...answer, outcome: TOLERATED } : answer;
  };
}

/** The old object as a request of its own; lookups and budget are the update's. */
function oldRun(run: EvaluationRun): EvaluationRun | undefined {
  const { object, oldObject } = run.request;
  if (object === null || oldObject === null) return undefined;
  const request: EvaluationRequest = {
    kind: run.request.kind,
    subresource: run.request.subresource,
    operation: "CREATE",
    namespace: run.request.namespace,
    name: run.request.name,
    object: oldObject,
    oldObject: null,
    userInfo: stranger,
    dryRun: run.request.dryRun,
  };
  const facts: Facts = {
    ...run.facts,
    ...withoutOperation(run.facts),
    roles: strangersRoles,
    clusterRoles: strangersRoles,
  };
  return run.within(request, facts);
}

/** A test's own word for the operation is about the update. */
function withoutOperation({ given }: Facts): Pick<Facts, "given"> {
  if (given?.variables["request.operation"] === undefined) return {};
  const { "request.operation": _, ...variables } = given.variables;
  return { given: { ...given, variables } };
}
