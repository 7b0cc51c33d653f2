import { describe, expect, test } from "vitest";
import type { JsonObject } from "#json";
import type { MatchBlock, Operation } from "#policy";
import type { MatchProgram } from "./match/match.ts";
import { compileMatch } from "./match/match.ts";
import { createProgramIndex } from "./program-index.ts";
import type { EvaluationRequest, Facts } from "./request.ts";

type Named = { readonly name: string; readonly rules: readonly { readonly match: MatchProgram }[] };

const facts: Facts = { nowMs: 0, seed: 0, roles: [], clusterRoles: [], lookups: new Map() };

function program(name: string, match: MatchBlock, namespace?: string): Named {
  return {
    name,
    rules: [{ match: compileMatch({ name: "r", match }, namespace === undefined ? {} : { namespace }) }],
  };
}

function request(kind: string, namespace: string, operation: Operation = "CREATE"): EvaluationRequest {
  const object: JsonObject = { kind, metadata: { name: "x", ...(namespace === "" ? {} : { namespace }) } };
  return {
    kind: { group: "", version: "v1", kind },
    subresource: "",
    operation,
    namespace,
    name: "x",
    object,
    oldObject: null,
    dryRun: false,
  };
}

const programs: readonly Named[] = [
  program("all", { any: [{ resources: { kinds: ["*"] } }] }),
  program("pods", { any: [{ resources: { kinds: ["Pod"] } }] }),
  program("jobs-or-pods", { any: [{ resources: { kinds: ["Job", "v1/Pod"] } }] }),
  program("deletes", { any: [{ resources: { kinds: ["Pod"], operations: ["DELETE"] } }] }),
  program("kube", { any: [{ resources: { kinds: ["Pod"], namespaces: ["kube-*"] } }] }),
  program("local", { any: [{ resources: { kinds: ["Pod"] } }] }, "ns1"),
  program("both", { all: [{ resources: { kinds: ["Pod"] } }, { resources: { namespaces: ["ns2"] } }] }),
  program("names", { any: [{ resources: { names: ["x"] } }] }),
  program("namespaces", { any: [{ resources: { kinds: ["Namespace"], namespaces: ["x"] } }] }),
];

function names(found: readonly Named[]): readonly string[] {
  return found.map(({ name }) => name);
}

describe("candidates, in the order of the policies", () => {
  const index = createProgramIndex(programs);
  test.each([
    { asked: request("Pod", "ns1"), want: ["all", "pods", "jobs-or-pods", "local", "names"] },
    { asked: request("Pod", "ns2"), want: ["all", "pods", "jobs-or-pods", "both", "names"] },
    { asked: request("Pod", "kube-system"), want: ["all", "pods", "jobs-or-pods", "kube", "names"] },
    {
      asked: request("Pod", "ns1", "DELETE"),
      want: ["all", "pods", "jobs-or-pods", "deletes", "local", "names"],
    },
    { asked: request("Job", "ns1"), want: ["all", "jobs-or-pods", "names"] },
    { asked: request("Namespace", ""), want: ["all", "names", "namespaces"] },
    { asked: request("ConfigMap", "ns1"), want: ["all", "names"] },
  ])("$asked.operation $asked.kind.kind in $asked.namespace", ({ asked, want }) => {
    expect(names(index.candidates(asked))).toEqual(want);
    expect(index.candidates(asked)).toBe(index.candidates(asked));
  });

  test("another version or subresource of a kind is another question", () => {
    const pod = request("Pod", "ns1");
    const beta = { ...pod, kind: { group: "", version: "v1beta1", kind: "Pod" } };
    expect(names(index.candidates(beta))).toEqual(["all", "pods", "local", "names"]);
    expect(names(index.candidates({ ...pod, subresource: "exec" }))).toEqual(["names"]);
  });

  test("no object, no candidates", () => {
    expect(index.candidates({ ...request("Pod", "ns1"), object: null })).toEqual([]);
  });
});

test("a program that matches is always among the candidates", () => {
  const index = createProgramIndex(programs);
  for (const kind of ["Pod", "Job", "Namespace", "Node"]) {
    for (const namespace of ["", "ns1", "ns2", "kube-system"]) {
      for (const operation of ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const) {
        const asked = request(kind, namespace, operation);
        const matching = programs.filter(({ rules }) =>
          rules.some(({ match }) => match.matches(asked, facts)),
        );
        expect(names(index.candidates(asked))).toEqual(expect.arrayContaining([...names(matching)]));
      }
    }
  }
});

test("strangers' kinds and namespaces do not grow the index for ever", () => {
  const index = createProgramIndex(programs);
  for (let at = 0; at < 5000; at += 1) {
    expect(index.candidates(request(`Kind${at}`, "ns1"))).toHaveLength(2);
    expect(index.candidates(request("Pod", `ns-${at}`))).toHaveLength(4);
  }
  expect(names(index.candidates(request("Pod", "ns1")))).toEqual([
    "all",
    "pods",
    "jobs-or-pods",
    "local",
    "names",
  ]);
});
