import { describe, expect, test } from "vitest";
import type { FailureAction, FailureActionOverride, RuleBody } from "#policy";
import { compileFailureAction } from "./failure-action.ts";
import type { EvaluationRequest, Facts } from "./request.ts";

const request: EvaluationRequest = {
  kind: { group: "", version: "v1", kind: "Pod" },
  subresource: "",
  operation: "CREATE",
  namespace: "prod-1",
  name: "p1",
  object: { kind: "Pod", metadata: { name: "p1", namespace: "prod-1" } },
  oldObject: null,
  dryRun: false,
};

const facts: Facts = {
  nowMs: 0,
  seed: 0,
  namespaceLabels: { tier: "gold" },
  roles: [],
  clusterRoles: [],
  lookups: new Map(),
};

function validate(
  failureAction?: FailureAction,
  failureActionOverrides: readonly FailureActionOverride[] = [],
): RuleBody {
  return {
    kind: "validate",
    validate: {
      ...(failureAction === undefined ? {} : { failureAction }),
      failureActionOverrides,
      allowExistingViolations: true,
      check: { kind: "deny" },
    },
  };
}

function resolve(
  body: RuleBody,
  overrides: readonly FailureActionOverride[] = [],
  asked = request,
): FailureAction {
  return compileFailureAction({ body }, { failureAction: "Audit", failureActionOverrides: overrides })(
    asked,
    facts,
  );
}

describe("the first word that applies", () => {
  const enforce = { action: "Enforce", namespaces: ["prod-*"] };
  test.each([
    { name: "policy", body: validate(), overrides: [], want: "Audit" },
    { name: "policy override", body: validate(), overrides: [enforce], want: "Enforce" },
    { name: "rule before policy override", body: validate("Audit"), overrides: [enforce], want: "Audit" },
    { name: "rule override before rule", body: validate("Audit", [enforce]), overrides: [], want: "Enforce" },
    {
      name: "rule override that is not for it",
      body: validate(undefined, [{ action: "Audit", namespaces: ["dev"] }]),
      overrides: [enforce],
      want: "Enforce",
    },
    {
      name: "mutate rules follow the policy",
      body: { kind: "mutate", mutate: {} } as const,
      overrides: [enforce],
      want: "Enforce",
    },
    {
      name: "one image verification that enforces",
      body: {
        kind: "verifyImages",
        verifyImages: [{ failureAction: "Audit" }, { failureAction: "Enforce" }],
      } as const,
      overrides: [],
      want: "Enforce",
    },
    {
      name: "the first image verification that says anything",
      body: { kind: "verifyImages", verifyImages: [{}, { failureAction: "Audit" }] } as const,
      overrides: [enforce],
      want: "Audit",
    },
    {
      name: "silent image verifications",
      body: { kind: "verifyImages", verifyImages: [{}] } as const,
      overrides: [enforce],
      want: "Enforce",
    },
  ])("$name", ({ body, overrides, want }) => {
    expect(resolve(body, overrides)).toBe(want);
  });
});

describe("an override", () => {
  const gold = { matchLabels: { tier: "g*" } };
  const iron = { matchLabels: { tier: "iron" } };
  test.each([
    { name: "for all", override: { action: "Enforce" }, want: "Enforce" },
    { name: "in the old spelling", override: { action: "enforce" }, want: "Enforce" },
    { name: "with an unknown action", override: { action: "ENFORCE" }, want: "Audit" },
    { name: "by namespace", override: { action: "Enforce", namespaces: ["dev", "prod-?"] }, want: "Enforce" },
    { name: "for other namespaces", override: { action: "Enforce", namespaces: ["dev"] }, want: "Audit" },
    {
      name: "for an empty list of namespaces",
      override: { action: "Enforce", namespaces: [] },
      want: "Audit",
    },
    { name: "by selector", override: { action: "Enforce", namespaceSelector: gold }, want: "Enforce" },
    { name: "for other labels", override: { action: "Enforce", namespaceSelector: iron }, want: "Audit" },
    {
      name: "for both",
      override: { action: "Enforce", namespaces: ["prod-1"], namespaceSelector: gold },
      want: "Enforce",
    },
    {
      name: "for both, one not met",
      override: { action: "Enforce", namespaces: ["prod-1"], namespaceSelector: iron },
      want: "Audit",
    },
  ])("$name", ({ override, want }) => {
    expect(resolve(validate(), [override])).toBe(want);
  });
});

test("the namespace is that of the object, on DELETE of the old one, and else the request's", () => {
  const overrides = [{ action: "Enforce", namespaces: ["prod-1"] }];
  const gone = { ...request, object: null };
  expect(resolve(validate(), overrides, { ...gone, oldObject: request.object })).toBe("Enforce");
  expect(resolve(validate(), overrides, gone)).toBe("Enforce");
  expect(
    resolve(validate(), overrides, { ...request, object: { kind: "Node", metadata: { name: "n" } } }),
  ).toBe("Audit");
});
