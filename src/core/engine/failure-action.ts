/**
 * Audit or Enforce: what a failure of a rule means for one resource. The first word that applies wins: the rule's
 * overrides, the rule's own action, the policy's overrides, the policy's action. An override with an unknown action is
 * void; one with namespaces and a selector asks for both.
 * SPEC: Kyverno 1.19 engine response (failure action resolution); kyverno-surface.md section 1.5.
 */
import { isObject, member } from "#json";
import type { JsonObject } from "#json";
import type { FailureAction, FailureActionOverride, Policy, Rule } from "#policy";
import { compileLabelTest, compileWildcard } from "#text";
import { anyOf } from "./match/check.ts";
import type { StringMap } from "./match/resource.ts";
import { matchedResource, namespaceOf } from "./match/resource.ts";
import type { EvaluationRequest, Facts } from "./request.ts";

export type FailureActionProgram = (request: EvaluationRequest, facts: Facts) => FailureAction;

/** Resolves to an action where the override is for the namespace, to `undefined` otherwise. */
type Override = {
  readonly action: FailureAction;
  readonly applies: (namespace: string, labels: StringMap) => boolean;
};

const NO_LABELS: StringMap = {};

/** Compiles the resolution for one rule; where no override can apply, it is one word for all requests. */
export function compileFailureAction(
  rule: Pick<Rule, "body">,
  policy: Pick<Policy, "failureAction" | "failureActionOverrides">,
): FailureActionProgram {
  const { own, overrides: ruleOverrides } = ruleActions(rule);
  const overrides = [
    ...ruleOverrides.flatMap(compileOverride),
    ...(own === undefined ? policy.failureActionOverrides.flatMap(compileOverride) : []),
  ];
  const otherwise = own ?? policy.failureAction;
  if (overrides.length === 0) return () => otherwise;
  return (request, facts) => {
    const resource = matchedResource(request);
    const namespace = resource === null ? request.namespace : namespaceOf(resource);
    const labels = facts.namespaceLabels ?? NO_LABELS;
    for (const override of overrides) if (override.applies(namespace, labels)) return override.action;
    return otherwise;
  };
}

function ruleActions(rule: Pick<Rule, "body">): {
  readonly own: FailureAction | undefined;
  readonly overrides: readonly FailureActionOverride[];
} {
  switch (rule.body.kind) {
    case "validate":
      return { own: rule.body.validate.failureAction, overrides: rule.body.validate.failureActionOverrides };
    case "verifyImages":
      return { own: verifyImagesAction(rule.body.verifyImages), overrides: [] };
    case "mutate":
    case "generate":
      return { own: undefined, overrides: [] };
  }
}

/** One entry that enforces decides for the rule; without one the first that says anything does. */
function verifyImagesAction(entries: readonly JsonObject[]): FailureAction | undefined {
  const actions = entries
    .filter(isObject)
    .flatMap((entry) => decodeAction(member(entry, "failureAction")) ?? []);
  return actions.includes("Enforce") ? "Enforce" : actions[0];
}

/** The lower-case words are deprecated and still taken. */
function decodeAction(word: unknown): FailureAction | undefined {
  if (word === "Audit" || word === "audit") return "Audit";
  return word === "Enforce" || word === "enforce" ? "Enforce" : undefined;
}

function compileOverride(override: FailureActionOverride): readonly Override[] {
  const action = decodeAction(override.action);
  if (action === undefined) return [];
  const selector =
    override.namespaceSelector === undefined ? undefined : compileLabelTest(override.namespaceSelector);
  const namespaces = override.namespaces?.map((pattern) => compileWildcard(pattern));
  return [
    {
      action,
      applies: (namespace, labels) =>
        (namespaces === undefined || anyOf(namespaces, namespace)) &&
        (selector === undefined || selector.matches(labels)),
    },
  ];
}
