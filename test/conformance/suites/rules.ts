/**
 * The whole engine on one policy and one resource, as Kyverno 1.19 answered without a cluster: names, statuses and
 * messages of every rule that responded, in order.
 */
import { compilePolicy, evaluate, type EvaluationRequest, type Facts } from "#engine";
import { isObject, member, type JsonObject } from "#json";
import { gvkOf } from "#k8s";
import { decodePolicyDocument, type Operation } from "#policy";

import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type Vector = {
  readonly id: string;
  readonly policy: JsonObject;
  readonly resource?: JsonObject | null;
  readonly oldResource?: JsonObject | null;
  readonly operation?: Operation;
  readonly expect: {
    readonly decodeError?: string;
    readonly rules?: readonly { readonly name: string; readonly status: string; readonly message: string }[];
  };
};

export const suite: Suite = {
  name: "rules",
  bar: 99,
  data: "vectors/engine/rules.jsonl",
  deviations: [
    {
      id: "rejected-when-read",
      reason: "a policy that cannot be read is a diagnostic here, and is never evaluated",
      covers: ({ input }) => (input as Vector).expect.decodeError !== undefined,
    },
  ],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield answer(vector);
  },
};

function answer(vector: Vector): Row {
  if (JSON.stringify(vector.policy).includes('"mutate"')) return { id: vector.id, uncovered: "mutate rules" };
  const want = vector.expect.rules ?? [];
  const got = evaluateVector(vector);
  return { id: vector.id, passed: JSON.stringify(got) === JSON.stringify(want), want, got, input: vector };
}

function evaluateVector(vector: Vector): unknown {
  // The engine alone was asked, so that policies which admission refuses were evaluated too.
  const parsed = decodePolicyDocument(
    vector.policy,
    { file: "policy.json", document: 0 },
    { admission: false },
  );
  const policy = parsed.policies[0];
  if (policy === undefined) return { diagnostics: parsed.diagnostics.map((found) => found.message) };
  const { program } = compilePolicy(policy, { exceptions: [] });
  if (program === undefined) return { diagnostics: ["not compiled"] };
  const verdict = evaluate(program, requestOf(vector), facts);
  if (verdict.kind === "needs") return { needs: verdict.lookups };
  return verdict.rules.map(({ rule, status, message }) => ({ message, name: rule, status }));
}

function requestOf(vector: Vector): EvaluationRequest {
  const resource = vector.resource ?? vector.oldResource ?? {};
  const metadata = member(resource, "metadata");
  const text = (key: string): string => {
    const value = isObject(metadata) ? member(metadata, key) : undefined;
    return typeof value === "string" ? value : "";
  };
  return {
    kind: gvkOf(String(resource["apiVersion"] ?? ""), String(resource["kind"] ?? "")),
    subresource: "",
    operation: vector.operation ?? "CREATE",
    namespace: text("namespace"),
    name: text("name"),
    object: vector.operation === "DELETE" ? null : (vector.resource ?? null),
    oldObject: vector.oldResource ?? null,
    dryRun: false,
  };
}

const facts: Facts = { nowMs: 0, seed: 1, roles: [], clusterRoles: [], lookups: new Map() };
