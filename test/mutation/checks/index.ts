/** The index never forgets a program that could match, keeps their order, and leaves out what cannot. */
import { deepEqual } from "node:assert/strict";
import { compileMatch, createProgramIndex, type EvaluationRequest } from "#engine";
import type { MatchBlock, Operation } from "#policy";

const program = (
  name: string,
  match: MatchBlock,
): {
  readonly name: string;
  readonly rules: readonly { readonly match: ReturnType<typeof compileMatch> }[];
} => ({
  name,
  rules: [{ match: compileMatch({ name: "r", match }, {}) }],
});
const any = (...filters: readonly object[]): MatchBlock => ({
  any: filters.map((resources) => ({ resources })),
});
const all = (...filters: readonly object[]): MatchBlock => ({
  all: filters.map((resources) => ({ resources })),
});

const index = createProgramIndex([
  program("all", any({ kinds: ["*"] })),
  program("pods", any({ kinds: ["v1/Pod"] })),
  program("like-pods", any({ kinds: ["Po*"] })),
  program("jobs-or-pods", any({ kinds: ["Job"] }, { kinds: ["Pod"] })),
  program("deletes", any({ kinds: ["Pod"], operations: ["DELETE"] })),
  program("kube", any({ kinds: ["Pod"], namespaces: ["kube-*"] })),
  program("both", all({ kinds: ["Pod"] }, { namespaces: ["ns2"] })),
  program("exec", any({ kinds: ["Pod/exec"] })),
  program("namespaces", any({ kinds: ["Namespace"], namespaces: ["x"] })),
]);

function candidates(kind: string, namespace: string, more: Partial<EvaluationRequest> = {}): string {
  const found = index.candidates({
    kind: { group: "", version: "v1", kind },
    subresource: "",
    operation: "CREATE" satisfies Operation,
    namespace,
    name: "x",
    object: { kind, metadata: { name: "x", ...(namespace === "" ? {} : { namespace }) } },
    oldObject: null,
    dryRun: false,
    ...more,
  });
  return found.map(({ name }) => name).join(" ");
}

deepEqual(
  {
    pod: candidates("Pod", "ns1"),
    deleted: candidates("Pod", "ns1", { operation: "DELETE" }),
    inKube: candidates("Pod", "kube-system"),
    inSecond: candidates("Pod", "ns2"),
    exec: candidates("Pod", "ns1", { subresource: "exec" }),
    beta: candidates("Pod", "ns1", { kind: { group: "", version: "v1beta1", kind: "Pod" } }),
    job: candidates("Job", "ns1"),
    namespace: candidates("Namespace", ""),
    namespaceWithin: candidates("Namespace", "ns1"),
    other: candidates("ConfigMap", "ns1"),
  },
  {
    pod: "all pods like-pods jobs-or-pods",
    deleted: "all pods like-pods jobs-or-pods deletes",
    inKube: "all pods like-pods jobs-or-pods kube",
    inSecond: "all pods like-pods jobs-or-pods both",
    exec: "exec",
    beta: "all like-pods jobs-or-pods",
    job: "all jobs-or-pods",
    namespace: "all namespaces",
    namespaceWithin: "all namespaces",
    other: "all",
  },
);
