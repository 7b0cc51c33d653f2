/** Policies and requests for tests, from as little text as possible. */
import {
  compilePolicy,
  evaluate,
  type EvaluationRequest,
  type Facts,
  type PolicyProgram,
  type RuleResult,
} from "#engine";
import { loadYaml, isObject, type JsonObject } from "#json";
import { gvkOf } from "#k8s";
import { parsePolicies } from "#policy";

export const noFacts: Facts = { nowMs: 0, seed: 1, roles: [], clusterRoles: [], lookups: new Map() };

/** The object of a YAML text. */
export function objectOf(text: string): JsonObject {
  const value = loadYaml(text, "object.yaml").documents[0]?.value;
  if (!isObject(value)) throw new Error(`no object: ${text}`);
  return value;
}

/** A program of a ClusterPolicy with these rules; exceptions may follow as further documents. */
export function programOf(
  rules: string,
  options: { readonly spec?: string; readonly more?: string; readonly traced?: boolean } = {},
): PolicyProgram {
  const indented = rules.replaceAll(/^/gm, "    ");
  const text = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: p, annotations: {pod-policies.kyverno.io/autogen-controllers: none}}
spec:
  background: false
${options.spec ?? ""}
  rules:
${indented}
${options.more ?? ""}`;
  const parsed = parsePolicies(text, "policy.yaml");
  const [policy] = parsed.policies;
  if (policy === undefined) throw new Error(parsed.diagnostics.map(({ message }) => message).join("\n"));
  const { program } = compilePolicy(policy, {
    exceptions: parsed.exceptions,
    traced: options.traced ?? false,
  });
  if (program === undefined) throw new Error("not compiled");
  return program;
}

export function requestFor(object: JsonObject, more: Partial<EvaluationRequest> = {}): EvaluationRequest {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
  return {
    kind: gvkOf(String(object["apiVersion"]), String(object["kind"])),
    subresource: "",
    operation: "CREATE",
    namespace: String(metadata["namespace"] ?? ""),
    name: String(metadata["name"] ?? ""),
    object,
    oldObject: null,
    dryRun: false,
    ...more,
  };
}

/** What the rules say, as `name: status: message`; the names of the lookups where there is no verdict yet. */
export function answersOf(
  program: PolicyProgram,
  request: EvaluationRequest,
  facts: Facts = noFacts,
): readonly string[] {
  const verdict = evaluate(program, request, facts);
  if (verdict.kind === "needs") return verdict.lookups.map(({ key }) => `needs ${key}`);
  return verdict.rules.map(({ rule, status, message }: RuleResult) => `${rule}: ${status}: ${message}`);
}
