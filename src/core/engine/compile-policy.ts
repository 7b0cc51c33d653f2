/**
 * From a decoded policy to its program. All that the policy alone decides is decided here, once: which rules exist for
 * which objects, what each rule matches, its exceptions, its preconditions, its check, its messages and what a failure
 * of it means.
 * SPEC: Kyverno 1.19 pkg/engine/engine.go, pkg/engine/handlers; kyverno-surface.md sections 1.1, 1.5, 5.
 */
import type { Diagnostic } from "#diag";
import { autogenRules, type Policy, type PolicyException } from "#policy";

import { compileException } from "./match/exception.ts";
import type { PolicyProgram } from "./program.ts";
import { compileRule } from "./rules/compile-rule.ts";

export type CompileOptions = {
  readonly exceptions: readonly PolicyException[];
  /** Steps that one evaluation may spend; `DEFAULT_BUDGET` where it is not given. */
  readonly budget?: number;
  /**
   * Compiles a rule when it first matches something: for those who hold many policies against few resources. A webhook
   * compiles all beforehand, so that no request waits for it.
   */
  readonly onDemand?: boolean;
  /** Compiles a program that tells its steps to the sink that `evaluate` is given. */
  readonly traced?: boolean;
};

/** Steps that one policy may spend on one request; real policies use some hundreds. */
export const DEFAULT_BUDGET = 2_000_000;

/**
 * Compiles a policy for evaluation. A decoded policy always has a program; what could not be compiled within it is a
 * diagnostic, and its rule answers with an error.
 */
export function compilePolicy(
  policy: Policy,
  options: CompileOptions,
): { readonly program?: PolicyProgram; readonly diagnostics: readonly Diagnostic[] } {
  const key = policy.namespace === undefined ? policy.name : `${policy.namespace}/${policy.name}`;
  const setting = {
    policy,
    key,
    exceptions: options.exceptions.map(compileException),
    onDemand: options.onDemand ?? false,
    traced: options.traced ?? false,
  };
  const severity = policy.annotations["policies.kyverno.io/severity"];
  const category = policy.annotations["policies.kyverno.io/category"];
  const program: PolicyProgram = {
    policy,
    key,
    rules: autogenRules(policy).map((rule) => compileRule(rule, setting)),
    stopsAfterFirst: policy.applyRules === "One",
    scored: policy.annotations["policies.kyverno.io/scored"] !== "false",
    labels: {
      ...(severity === undefined ? {} : { severity }),
      ...(category === undefined ? {} : { category }),
    },
    budget: options.budget ?? DEFAULT_BUDGET,
  };
  return { program, diagnostics: [] };
}
