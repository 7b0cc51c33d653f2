/**
 * A rule as one closure: preconditions, exceptions, the check, and what is put around its outcome. The order of the steps
 * is upstream's: an exception is looked at after the preconditions.
 * SPEC: Kyverno 1.19 pkg/engine/engine.go (invokeRuleHandler), pkg/engine/internal/preconditions.go.
 */
import type { FailureAction, Policy, Rule } from "#policy";

import { compileConditions, type ConditionsProgram } from "../conditions/conditions.ts";
import { EvaluationContext } from "../context/evaluation-context.ts";
import { ruleScope } from "../context/compile-entries.ts";
import type { Scope } from "../context/scope.ts";
import { isEvaluationError } from "../evaluation-error.ts";
import { compileFailureAction } from "../failure-action.ts";
import type { ExceptionProgram } from "../match/exception.ts";
import { compileMatch } from "../match/match.ts";
import type { RuleProgram, RuleVariant } from "../program.ts";
import type { TraceStep } from "../trace.ts";
import type { RuleResult, RuleType } from "../verdict.ts";
import { compileTemplate } from "../variables/template.ts";
import { tolerateExisting } from "./existing-violations.ts";
import { errored, skipped, type Outcome } from "./outcome.ts";
import { compileCheck } from "./validate-check.ts";
import { compileMessage } from "./message.ts";

/** An exception with its conditions. */
type Exemption = { readonly program: ExceptionProgram; readonly conditions: ConditionsProgram };

export type PolicySetting = {
  readonly policy: Policy;
  readonly key: string;
  readonly exceptions: readonly ExceptionProgram[];
  /** Everything but the match may wait until a rule first matches something. */
  readonly onDemand: boolean;
  readonly traced: boolean;
};

export function compileRule(rule: Rule, setting: PolicySetting): RuleProgram {
  const match = compileMatch(rule, setting.policy);
  const variant = variantOf(rule);
  // PERF: an object that is put together with a spread is slow to read.
  if (!setting.onDemand) {
    const { evaluate, overBudget } = compileBody(rule, match, setting);
    return { rule, variant, match, evaluate, overBudget };
  }
  let body: RuleBodyProgram | undefined;
  const ready = (): RuleBodyProgram => (body ??= compileBody(rule, match, setting));
  return {
    rule,
    variant,
    match,
    evaluate: (run) => ready().evaluate(run),
    overBudget: (run) => ready().overBudget(run),
  };
}

type RuleBodyProgram = Pick<RuleProgram, "evaluate" | "overBudget">;

function compileBody(
  rule: Rule,
  match: RuleProgram["match"],
  { policy, key, exceptions, traced }: PolicySetting,
): RuleBodyProgram {
  const scope = ruleScope(rule.context, policy.namespace);
  const authored = rule.generatedFrom ?? rule.name;
  const steps = compileSteps(rule, scope, exemptionsOf(rule, key, exceptions, scope));
  const evaluate = traced ? traceSteps(rule.name, steps) : runSteps(steps);
  const dress = compileResult(rule, policy, scope);
  const actionOf = compileFailureAction(rule, policy);
  const options = { scope };
  const answer = tolerateExisting(rule, match, (run) => {
    const context = new EvaluationContext(run, authored, options);
    const outcome = evaluate(context);
    return outcome === undefined ? undefined : { outcome, context };
  });
  return {
    evaluate(run) {
      const action = actionOf(run.request, run.facts);
      const given = answer(run, action);
      return given === undefined ? undefined : dress(given.outcome, action, given.context);
    },
    overBudget(run) {
      const action = actionOf(run.request, run.facts);
      const message = `the evaluation was stopped: it needs more than ${run.budget.limit} steps`;
      return dress({ status: "error", message }, action, undefined);
    },
  };
}

export function variantOf(rule: Rule): RuleVariant {
  if (rule.generatedFrom === undefined) return "authored";
  return rule.name.startsWith("autogen-cronjob-") ? "cronjob" : "template";
}

function exemptionsOf(
  rule: Rule,
  key: string,
  exceptions: readonly ExceptionProgram[],
  scope: Scope,
): readonly Exemption[] {
  return exceptions
    .filter((program) => program.covers(key, rule.name))
    .map((program) => ({
      program,
      conditions: compileConditions(program.exception.conditions ?? null, scope),
    }));
}

type StepOutcome = Outcome & { readonly exceptions?: readonly string[] };

/** The first step that has an outcome decides. */
type Step = {
  readonly name: Exclude<TraceStep["step"], "match">;
  readonly run: (context: EvaluationContext) => StepOutcome | undefined;
};

function compileSteps(rule: Rule, scope: Scope, exemptions: readonly Exemption[]): readonly Step[] {
  const steps: Step[] = [];
  if (rule.preconditions !== undefined) {
    const preconditions = compileConditions(rule.preconditions, scope);
    steps.push({ name: "precondition", run: (context) => preconditionOutcome(preconditions, context) });
  }
  if (exemptions.length > 0) {
    steps.push({ name: "exception", run: (context) => exemptionOutcome(exemptions, context) });
  }
  const message = rule.body.kind === "validate" ? rule.body.validate.message : undefined;
  const check = compileCheck(rule, { rule: rule.name, message: compileMessage(message, scope), scope });
  return [...steps, { name: "check", run: check }];
}

function runSteps(steps: readonly Step[]): Step["run"] {
  const [first] = steps;
  if (first !== undefined && steps.length === 1) return first.run;
  return (context) => {
    for (const step of steps) {
      const outcome = step.run(context);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  };
}

function traceSteps(rule: string, steps: readonly Step[]): Step["run"] {
  return (context) => {
    for (const { name, run } of steps) {
      const outcome = run(context);
      const said = outcome === undefined ? "went on" : `${outcome.status}: ${outcome.message}`;
      context.run.trace?.emit({ rule, step: name, outcome: said });
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  };
}

function preconditionOutcome(
  preconditions: ConditionsProgram,
  context: EvaluationContext,
): Outcome | undefined {
  const answer = preconditions.evaluate(context);
  if (isEvaluationError(answer)) return errored("failed to evaluate preconditions", answer.message);
  if (answer.result) return undefined;
  return answer.message === "" ? UNMET : skipped(`preconditions not met; ${answer.message}`);
}

const UNMET = skipped("preconditions not met");

/** Every exception that is for this resource and whose conditions hold is named. */
function exemptionOutcome(
  exemptions: readonly Exemption[],
  context: EvaluationContext,
): StepOutcome | undefined {
  const keys: string[] = [];
  for (const { program, conditions } of exemptions) {
    if (!program.matches(context.run.request, context.run.facts)) continue;
    const answer = conditions.evaluate(context);
    if (!isEvaluationError(answer) && answer.result) keys.push(program.key);
  }
  if (keys.length === 0) return undefined;
  return { ...skipped(`rule is skipped due to policy exceptions${keys.join(", ")}`), exceptions: keys };
}

type Dress = (
  outcome: StepOutcome,
  action: FailureAction,
  context: EvaluationContext | undefined,
) => RuleResult;

/** PERF: passing results are the same object for every resource, one an action. */
function compileResult(rule: Rule, policy: Policy, scope: Scope): Dress {
  const type = ruleType(rule);
  const properties = Object.entries(rule.reportProperties).map(
    ([name, text]) => [name, compileTemplate(text, scope)] as const,
  );
  const kept = new Map<Outcome, Partial<Record<FailureAction, RuleResult>>>();
  const { emitWarning } = policy;
  const make: Dress = (outcome, action, context) => ({
    rule: rule.name,
    type,
    status: outcome.status,
    message: outcome.message,
    action,
    emitWarning,
    ...(outcome.path === undefined ? {} : { path: outcome.path }),
    ...(outcome.exceptions === undefined ? {} : { exceptions: outcome.exceptions }),
    ...(properties.length === 0 || context === undefined
      ? {}
      : { properties: renderProperties(properties, context) }),
  });
  if (properties.length > 0) return make;
  return (outcome, action, context) => {
    if (outcome.status !== "pass") return make(outcome, action, context);
    let byAction = kept.get(outcome);
    if (byAction === undefined) kept.set(outcome, (byAction = {}));
    return (byAction[action] ??= make(outcome, action, context));
  };
}

/** A property whose variable fails is left out. */
function renderProperties(
  properties: readonly (readonly [string, ReturnType<typeof compileTemplate>])[],
  context: EvaluationContext,
): Readonly<Record<string, string>> {
  const rendered: Record<string, string> = {};
  for (const [name, template] of properties) {
    const value = template.render(context);
    if (!isEvaluationError(value)) rendered[name] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return rendered;
}

function ruleType(rule: Rule): RuleType {
  switch (rule.body.kind) {
    case "validate":
      return "Validation";
    case "mutate":
      return "Mutation";
    case "generate":
      return "Generation";
    case "verifyImages":
      return "ImageVerify";
  }
}
