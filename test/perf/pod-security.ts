/**
 * What the benchmarks run: the pod-security policies (fourteen of kyverno/policies in the conformance data, and four of
 * the same shape kept here), compiled, and the review of a typical pod.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { compilePolicy, type EvaluationRequest, type Facts, type PolicyProgram } from "#engine";
import { isObject, type JsonObject } from "#json";
import { parsePolicies } from "#policy";

const here = "test/perf/data";

export const reviewText: string = readFileSync(`${here}/pod-review.json`, "utf8").trim();

export const facts: Facts = { nowMs: 0, seed: 1, roles: [], clusterRoles: [], lookups: new Map() };

export function podSecurityFiles(): readonly string[] {
  const data = process.env["POSTERN_CONFORMANCE_DIR"] ?? "../shared/conformance";
  const root = join(data, "kyverno-test/policies/pod-security");
  const open = ["baseline", "restricted"].flatMap((level) => policyFiles(join(root, level)));
  return [...open, `${here}/pod-security-rest.yaml`];
}

function policyFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => join(folder, name, `${name}.yaml`));
}

export function podSecurityPrograms(): readonly PolicyProgram[] {
  return podSecurityFiles().flatMap((file) => compileText(readFileSync(file, "utf8"), file));
}

export function compileText(text: string, file: string): readonly PolicyProgram[] {
  return parsePolicies(text, file).policies.flatMap(
    (policy) => compilePolicy(policy, { exceptions: [] }).program ?? [],
  );
}

/** The review as the webhook would hand it to the engine. */
export function requestOf(review: string): EvaluationRequest {
  const { request } = JSON.parse(review) as { request: JsonObject };
  const object = request["object"];
  if (!isObject(object)) throw new Error("the review holds no object");
  return requestFor(object);
}

export function requestFor(object: JsonObject): EvaluationRequest {
  const metadata = object["metadata"] as { readonly name: string; readonly namespace: string };
  return {
    kind: { group: "", version: "v1", kind: "Pod" },
    subresource: "",
    operation: "CREATE",
    namespace: metadata.namespace,
    name: metadata.name,
    object,
    oldObject: null,
    dryRun: false,
  };
}
