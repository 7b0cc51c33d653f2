/**
 * Compiled policies. Everything that can be decided from the policy alone is decided when a program is made; what is
 * left for a request is a walk over closures.
 */
import type { Policy, Rule } from "#policy";

import type { EvaluationContext } from "./context/evaluation-context.ts";
import type { EvaluationRun } from "./context/evaluation-run.ts";
import type { MatchProgram } from "./match/match.ts";
import type { Outcome } from "./rules/outcome.ts";
import type { RuleResult } from "./verdict.ts";

/** A check answers with an outcome, or with nothing where upstream gives no response (a pattern on DELETE). */
export type CheckProgram = (context: EvaluationContext) => Outcome | undefined;

/**
 * Which objects a computed rule is for: an authored rule for what it matches, `template` for the controllers with a pod
 * template, `cronjob` for CronJob alone.
 */
export type RuleVariant = "authored" | "template" | "cronjob";

export type RuleProgram = {
  readonly rule: Rule;
  readonly variant: RuleVariant;
  readonly match: MatchProgram;
  /** Preconditions, exceptions and the check, for a request that matches. */
  readonly evaluate: (run: EvaluationRun) => RuleResult | undefined;
  readonly overBudget: (run: EvaluationRun) => RuleResult;
};

export type PolicyProgram = {
  readonly policy: Policy;
  /** `name`, or `namespace/name`. */
  readonly key: string;
  readonly rules: readonly RuleProgram[];
  readonly stopsAfterFirst: boolean;
  readonly scored: boolean;
  readonly labels: { readonly severity?: string; readonly category?: string };
  /** Steps for one evaluation. */
  readonly budget: number;
};
