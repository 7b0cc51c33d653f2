/** Whole policies for the checks, from their text: with namespaces, annotations and exceptions. */
import {
  compilePolicy,
  evaluate,
  type EvaluationRequest,
  type Facts,
  type PolicyProgram,
  type RuleResult,
} from "#engine";
import { parsePolicies, type Policy } from "#policy";
import { noFacts } from "../support/policies.ts";

/** The policies of a YAML text, of which nothing may have been refused. */
export function policiesOf(text: string): readonly Policy[] {
  const parsed = parsePolicies(text, "policies.yaml");
  const errors = parsed.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return parsed.policies;
}

/** The programs of a YAML text, which may hold exceptions for them. */
export function programsOf(text: string): readonly PolicyProgram[] {
  const { exceptions } = parsePolicies(text, "policies.yaml");
  return policiesOf(text).map((policy) => {
    const { program } = compilePolicy(policy, { exceptions });
    if (program === undefined) throw new Error(`not compiled: ${policy.name}`);
    return program;
  });
}

/** A policy of one rule, `r`, for pods; `rule` is YAML in flow style, without braces. */
export function podPolicy(rule: string, spec = ""): string {
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: p, annotations: {pod-policies.kyverno.io/autogen-controllers: none}}
spec: {background: false, ${spec === "" ? "" : `${spec}, `}rules: [{name: r, match: {any: [{resources: {kinds: [Pod]}}]}, ${rule}}]}
`;
}

/** The answers of the first policy of a text. */
export function resultsOf(
  text: string,
  request: EvaluationRequest,
  facts: Facts = noFacts,
): readonly RuleResult[] {
  const [program] = programsOf(text);
  if (program === undefined) throw new Error("no policy");
  const verdict = evaluate(program, request, facts);
  if (verdict.kind === "needs") throw new Error(`needs ${verdict.lookups.map(({ key }) => key).join(", ")}`);
  return verdict.rules;
}

/** `status: message` of the only rule; `none` where it gives no answer. */
export function answerOf(text: string, request: EvaluationRequest, facts: Facts = noFacts): string {
  const [result] = resultsOf(text, request, facts);
  return result === undefined ? "none" : `${result.status}: ${result.message}`;
}
