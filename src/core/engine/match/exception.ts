/**
 * Policy exceptions, compiled: which computed rules one is for, and which resources. Its conditions are the rule
 * runner's, which knows variables. An exception without `any` and `all` is for nothing.
 * SPEC: Kyverno 1.19 pkg/engine/utils/exceptions.go; kyverno-surface.md section 1.11.
 */
import type { PolicyException } from "#policy";
import { compileWildcard } from "#text";
import type { EvaluationRequest, Facts } from "../request.ts";
import { matchedResource } from "./resource.ts";
import { compileStatement } from "./statement.ts";

export type ExceptionProgram = {
  /** `namespace/name`, as it stands in results and messages. */
  readonly key: string;
  readonly exception: PolicyException;
  /**
   * Whether it lists this rule. `policy` is `name` or `namespace/name`, compared literally; the name of the computed
   * rule (`autogen-…` included) may be met by a wildcard.
   */
  readonly covers: (policy: string, rule: string) => boolean;
  readonly matches: (request: EvaluationRequest, facts: Facts) => boolean;
};

/** Compiles an exception without its `conditions` and `podSecurity`. */
export function compileException(exception: PolicyException): ExceptionProgram {
  const { any = [], all = [] } = exception.match;
  const selects = any.length > 0 || all.length > 0;
  const statement = compileStatement(exception.match);
  const entries = exception.exceptions.map(({ policyName, ruleNames }) => ({
    policyName,
    tests: ruleNames.map((pattern) => compileWildcard(pattern)),
  }));
  return {
    key: exception.namespace === "" ? exception.name : `${exception.namespace}/${exception.name}`,
    exception,
    covers: (policy, rule) =>
      entries.some(({ policyName, tests }) => policyName === policy && tests.some((test) => test(rule))),
    matches(request, facts) {
      const resource = matchedResource(request);
      return selects && resource !== null && statement.matches(resource, request, facts);
    },
  };
}
