/** Documents: where each ends, and what is said of the ones that end nowhere. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#json";
import { decodePolicyDocument, parsePolicies } from "./parse-policies.ts";

const good = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: require-team }
spec:
  rules:
    - name: team
      match: { any: [{ resources: { kinds: [Pod] } }] }
      validate: { message: m, pattern: { metadata: { labels: { team: "?*" } } } }
`;

function found(text: string): string[] {
  return parsePolicies(text, "p.yaml").diagnostics.map(
    ({ severity, code, document, pointer }) => `${severity} ${code} ${document} ${pointer}`,
  );
}

describe("a file of policies", () => {
  test("is read document by document, whatever is wrong with one", () => {
    const parsed = parsePolicies(
      `${good}---\nkind: [\n---\n${good.replace("require-team", "b")}---\n5\n---\n${good}`,
      "p.yaml",
    );
    expect(parsed.policies.map(({ name, origin }) => [name, origin.document])).toEqual([
      ["require-team", 0],
      ["b", 2],
      ["require-team", 4],
    ]);
    expect(parsed.diagnostics.map(({ code, document }) => [code, document])).toEqual([
      ["yaml/syntax", 1],
      ["policy/wrong-type", 3],
    ]);
  });

  test.each([
    ["kyverno.io/v2", "CleanupPolicy"],
    ["kyverno.io/v2", "ClusterCleanupPolicy"],
    ["policies.kyverno.io/v1", "ValidatingPolicy"],
    ["policies.kyverno.io/v1", "PolicyException"],
    ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"],
  ])("keeps %s %s as unsupported", (apiVersion, kind) => {
    const { unsupported, diagnostics } = parsePolicies(
      JSON.stringify({ apiVersion, kind, metadata: { name: "x" } }),
      "p",
    );
    expect(unsupported).toMatchObject([{ apiVersion, kind, name: "x" }]);
    expect(diagnostics).toEqual([]);
  });

  test.each([
    ["v1", "ConfigMap"],
    ["nvidia.com/v1", "ClusterPolicy"],
    ["kyverno.io/v2alpha1", "GlobalContextEntry"],
  ])("leaves %s %s to the caller", (apiVersion, kind) => {
    const { others, diagnostics } = parsePolicies(JSON.stringify({ apiVersion, kind }), "p");
    expect(others).toMatchObject([{ value: { kind } }]);
    expect(diagnostics).toEqual([]);
  });

  test("takes lists apart, and points into them", () => {
    const item = {
      apiVersion: "kyverno.io/v1",
      kind: "ClusterPolicy",
      metadata: { name: "a" },
      spec: { rules: 1 },
    };
    const list = {
      apiVersion: "v1",
      kind: "List",
      items: [{ apiVersion: "v1", kind: "List", items: [item] }, null],
    };
    expect(found(JSON.stringify(list))).toEqual(["error policy/wrong-type 0 /items/0/items/0/spec/rules"]);
  });

  test.each([
    [
      "a version that does not exist",
      "kyverno.io/v3",
      "ClusterPolicy",
      "policy/unknown-version",
      "/apiVersion",
      "`kyverno.io/v1` and `kyverno.io/v2beta1`",
    ],
    [
      "an exception in a policy's version",
      "kyverno.io/v1",
      "PolicyException",
      "policy/unknown-version",
      "/apiVersion",
      "`kyverno.io/v2` and `kyverno.io/v2beta1`",
    ],
    ["no group", "v1", "ClusterPolicy", "policy/unknown-version", "/apiVersion", "`kyverno.io/v1`"],
    [
      "a misspelt group",
      "kiverno.io/v1",
      "Policy",
      "policy/unknown-version",
      "/apiVersion",
      "`kyverno.io/v1`",
    ],
    ["a misspelt kind", "kyverno.io/v1", "ClusterPolcy", "policy/unknown-kind", "/kind", "`ClusterPolicy`"],
    ["no kind", "kyverno.io/v1", "", "policy/no-kind", "", "`kind: ClusterPolicy`"],
  ])("says what is wrong with %s", (...row) => {
    const [, apiVersion, kind, code, pointer, help] = row;
    const { diagnostics } = parsePolicies(
      JSON.stringify({ apiVersion, ...(kind === "" ? {} : { kind }) }),
      "p.yaml",
    );
    expect(diagnostics).toMatchObject([{ code, pointer, severity: "error", file: "p.yaml", document: 0 }]);
    expect(diagnostics[0]?.help).toContain(help);
  });
});

describe("a policy", () => {
  test("is decoded with the defaults of its CRD", () => {
    expect(parsePolicies(good, "p.yaml").policies[0]).toMatchObject({
      kind: "ClusterPolicy",
      applyRules: "All",
      admission: true,
      background: true,
      emitWarning: false,
      failurePolicy: "Fail",
      failureAction: "Audit",
      rules: [
        {
          name: "team",
          pointer: "/spec/rules/0",
          skipBackgroundRequests: true,
          body: { kind: "validate", validate: { allowExistingViolations: true, check: { kind: "pattern" } } },
        },
      ],
    });
  });

  test("has the namespace `default` when it is namespaced and says none", () => {
    expect(parsePolicies(good.replace("ClusterPolicy", "Policy"), "p").policies[0]?.namespace).toBe(
      "default",
    );
    expect(parsePolicies(good, "p").policies[0]?.namespace).toBeUndefined();
  });

  test("takes the new place of a field before the old one", () => {
    const text = good.replace(
      "spec:",
      "spec:\n  failurePolicy: Ignore\n  webhookConfiguration: { timeoutSeconds: 7 }",
    );
    expect(parsePolicies(text, "p").policies[0]).toMatchObject({
      failurePolicy: "Ignore",
      timeoutSeconds: 7,
    });
  });

  test("with a field that nothing reads is evaluated, with a warning that names what was meant", () => {
    const { policies, diagnostics } = parsePolicies(good.replace("message:", "mesage:"), "p");
    expect(policies).toHaveLength(1);
    expect(diagnostics).toMatchObject([
      {
        code: "policy/unknown-field",
        severity: "warning",
        pointer: "/spec/rules/0/validate/mesage",
        help: "did you mean `message`?",
      },
    ]);
  });

  test("whose text is a number is told to put quotes", () => {
    expect(parsePolicies(good.replace("message: m", "message: 5"), "p").diagnostics).toMatchObject([
      {
        code: "policy/wrong-type",
        pointer: "/spec/rules/0/validate/message",
        help: 'put it in quotes: `"5"`',
      },
    ]);
  });

  test("with a million mistakes gets a hundred diagnostics and a word about the rest", () => {
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`mesage${index}`, 1]));
    const text = JSON.stringify({
      apiVersion: "kyverno.io/v1",
      kind: "ClusterPolicy",
      metadata: { name: "a" },
      spec: { ...fields, rules: [] },
    });
    const { policies, diagnostics } = parsePolicies(text, "p");
    expect(policies).toEqual([]);
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)?.code).toBe("policy/more-findings");
  });
});

test("without admission only what cannot be read is refused", () => {
  const document = (rule: JsonObject): JsonObject => ({
    apiVersion: "kyverno.io/v1",
    kind: "ClusterPolicy",
    metadata: { name: "p" },
    spec: { rules: [{ name: "r", match: {}, validate: { message: "{{ nope }}", pattern: {} }, ...rule }] },
  });
  const decode = (rule: JsonObject): number =>
    decodePolicyDocument(document(rule), { file: "p", document: 0 }, { admission: false }).policies.length;
  expect(decode({})).toBe(1);
  expect(decode({ preconditions: "x" })).toBe(0);
});

describe("an exception", () => {
  const exception = {
    apiVersion: "kyverno.io/v2",
    kind: "PolicyException",
    metadata: { name: "e", namespace: "n" },
    spec: {
      match: { any: [{ resources: { kinds: ["Pod"] } }] },
      exceptions: [{ policyName: "p", ruleNames: ["*"] }],
    },
  };

  test("is decoded", () => {
    expect(parsePolicies(JSON.stringify(exception), "e").exceptions).toMatchObject([
      {
        name: "e",
        namespace: "n",
        background: true,
        exceptions: [{ policyName: "p", ruleNames: ["*"] }],
        podSecurity: [],
      },
    ]);
  });

  test.each([
    ["no policies", { exceptions: [] }, "policy/missing-field", "/spec/exceptions"],
    [
      "no rules",
      { exceptions: [{ policyName: "p", ruleNames: [] }] },
      "policy/missing-field",
      "/spec/exceptions/0/ruleNames",
    ],
    [
      "users in the background",
      { match: { any: [{ subjects: [{ kind: "User", name: "u" }] }] } },
      "policy/background-user-info",
      "/spec/match/any/0/subjects",
    ],
    [
      "a control without images",
      { podSecurity: [{ controlName: "Capabilities" }] },
      "policy/pod-security-exclusion",
      "/spec/podSecurity/0",
    ],
    [
      "an unknown operator",
      { conditions: { any: [{ key: "a", operator: "In", value: "b" }] } },
      "policy/unknown-value",
      "/spec/conditions/any/0/operator",
    ],
    ["no match", { match: undefined }, "policy/missing-field", "/spec"],
  ])("with %s is refused", (_name, spec, code, pointer) => {
    const text = JSON.stringify({ ...exception, spec: { ...exception.spec, ...spec } });
    const { exceptions, diagnostics } = parsePolicies(text, "e");
    expect(exceptions).toEqual([]);
    expect(diagnostics[0]).toMatchObject({ code, pointer, severity: "error" });
  });
});
