import { describe, expect, test } from "vitest";
import type { MatchBlock, PolicyException } from "#policy";
import type { EvaluationRequest, Facts } from "../request.ts";
import { compileException } from "./exception.ts";

const facts: Facts = { nowMs: 0, seed: 0, roles: [], clusterRoles: [], lookups: new Map() };

const request: EvaluationRequest = {
  kind: { group: "", version: "v1", kind: "Pod" },
  subresource: "",
  operation: "CREATE",
  namespace: "ns1",
  name: "p1",
  object: { apiVersion: "v1", kind: "Pod", metadata: { name: "p1", namespace: "ns1" } },
  oldObject: null,
  dryRun: false,
};

function exceptionWith(match: MatchBlock): PolicyException {
  return {
    name: "ex",
    namespace: "apps",
    background: true,
    match,
    exceptions: [
      { policyName: "pss", ruleNames: ["caps", "autogen-*"] },
      { policyName: "ns1/local", ruleNames: ["*"] },
    ],
    podSecurity: [],
    raw: {},
    origin: { file: "-", document: 0 },
  };
}

test.each([
  ["pss", "caps", true],
  ["pss", "autogen-caps", true],
  ["pss", "host", false],
  ["ps*", "caps", false],
  ["local", "caps", false],
  ["ns1/local", "anything", true],
])("%s/%s is listed: %s", (policy, rule, want) => {
  expect(compileException(exceptionWith({})).covers(policy, rule)).toBe(want);
});

describe("an exception is for", () => {
  const pods = { resources: { kinds: ["Pod"] } };
  const cases: readonly { name: string; match: MatchBlock; want: boolean }[] = [
    { name: "nothing without filters", match: {}, want: false },
    { name: "nothing with empty lists", match: { any: [], all: [] }, want: false },
    { name: "one of any", match: { any: [{ resources: { kinds: ["Job"] } }, pods] }, want: true },
    { name: "none of any", match: { any: [{ resources: { kinds: ["Job"] } }] }, want: false },
    { name: "all of all", match: { all: [pods, { resources: { names: ["p*"] } }] }, want: true },
    { name: "not all of all", match: { all: [pods, { resources: { names: ["q"] } }] }, want: false },
    {
      name: "every operation",
      match: { any: [{ resources: { kinds: ["Pod"], operations: ["DELETE"] } }] },
      want: true,
    },
    {
      name: "users literally, nobody included",
      match: { any: [{ ...pods, roles: ["ns1:r"] }] },
      want: false,
    },
    { name: "no empty filter", match: { any: [{}] }, want: false },
  ];
  test.each(cases)("$name", ({ match, want }) => {
    const program = compileException(exceptionWith(match));
    expect(program.matches(request, facts)).toBe(want);
    expect(program.key).toBe("apps/ex");
  });

  test("nothing when there is no object", () => {
    const program = compileException(exceptionWith({ any: [pods] }));
    expect(program.matches({ ...request, object: null }, facts)).toBe(false);
  });

  test("a Pod's ephemeral containers only by name", () => {
    const update = { ...request, subresource: "ephemeralcontainers" };
    expect(compileException(exceptionWith({ any: [pods] })).matches(update, facts)).toBe(false);
    const named = { any: [{ resources: { kinds: ["Pod/ephemeralcontainers"] } }] };
    expect(compileException(exceptionWith(named)).matches(update, facts)).toBe(true);
  });

  test("a Namespace whatever its namespace selector", () => {
    const namespace = { kind: "Namespace", metadata: { name: "ns1" } };
    const match = { any: [{ resources: { kinds: ["*"], namespaceSelector: { matchLabels: { a: "b" } } } }] };
    const program = compileException(exceptionWith(match));
    expect(program.matches({ ...request, object: namespace }, facts)).toBe(true);
    expect(program.matches(request, facts)).toBe(false);
    expect(program.matches(request, { ...facts, namespaceLabels: { a: "b" } })).toBe(true);
  });
});
