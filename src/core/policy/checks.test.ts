/**
 * What is refused, and what is only warned of: one row a mistake, with the place. Each row starts from a policy without
 * findings, so that what is found is the row's doing.
 */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#json";
import { parsePolicies } from "./parse-policies.ts";

const pods = { any: [{ resources: { kinds: ["Pod"] } }] };
const pattern = { pattern: { metadata: { name: "?*" } } };

type Row = readonly [name: string, fields: JsonObject, code: string, pointer: string];

function findings(document: JsonObject): { policies: number; found: string[] } {
  const { policies, diagnostics } = parsePolicies(JSON.stringify(document), "p");
  return {
    policies: policies.length,
    found: diagnostics.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`),
  };
}

function policyOf(spec: JsonObject, metadata: JsonObject = {}, kind = "ClusterPolicy"): JsonObject {
  const rules = [{ name: "r", match: pods, validate: pattern }];
  return {
    apiVersion: "kyverno.io/v1",
    kind,
    metadata: { name: "p", ...metadata },
    spec: { rules, ...spec },
  };
}

function ruleOf(fields: JsonObject, spec: JsonObject = {}, kind = "ClusterPolicy"): JsonObject {
  return policyOf({ ...spec, rules: [{ name: "r", match: pods, ...fields }] }, {}, kind);
}

function expectRefused(document: JsonObject, code: string, pointer: string): void {
  const { policies, found } = findings(document);
  expect(found).toEqual([`error ${code} ${pointer}`]);
  expect(policies).toBe(0);
}

test("the policy that the rows start from has no findings", () => {
  expect(findings(policyOf({}))).toEqual({ policies: 1, found: [] });
  expect(findings(ruleOf({ validate: pattern }))).toEqual({ policies: 1, found: [] });
});

describe("a policy is refused with", () => {
  const rule = { name: "r", match: pods, validate: pattern };
  const rows: readonly Row[] = [
    ["no rules", { rules: [] }, "policy/no-rules", "/spec"],
    ["two rules of a name", { rules: [rule, rule] }, "policy/duplicate-rule", "/spec/rules/1/name"],
    [
      "a rule without name",
      { rules: [{ match: pods, validate: pattern, name: "" }] },
      "policy/missing-field",
      "/spec/rules/0/name",
    ],
    [
      "a long rule name",
      { rules: [{ ...rule, name: "r".repeat(64) }] },
      "policy/name-too-long",
      "/spec/rules/0/name",
    ],
    [
      "everything switched off",
      { admission: false, background: false },
      "policy/never-evaluated",
      "/spec/admission",
    ],
    [
      "a removed field",
      { generateExistingOnPolicyUpdate: true },
      "policy/removed-field",
      "/spec/generateExistingOnPolicyUpdate",
    ],
    ["a timeout of zero", { webhookTimeoutSeconds: 0 }, "policy/out-of-range", "/spec/webhookTimeoutSeconds"],
    [
      "a timeout of 31",
      { webhookConfiguration: { timeoutSeconds: 31 } },
      "policy/out-of-range",
      "/spec/webhookConfiguration/timeoutSeconds",
    ],
    [
      "a failure policy in both places",
      { failurePolicy: "Fail", webhookConfiguration: { failurePolicy: "Fail" } },
      "policy/conflicting-fields",
      "/spec/failurePolicy",
    ],
    [
      "overrides both ways",
      {
        validationFailureActionOverrides: [
          { action: "Audit", namespaces: ["a"] },
          { action: "Enforce", namespaces: ["b", "a*"] },
        ],
      },
      "policy/conflicting-overrides",
      "/spec/validationFailureActionOverrides/1/namespaces/1",
    ],
    ["an unknown word", { applyRules: "one" }, "policy/unknown-value", "/spec/applyRules"],
    ["rules that are no list", { rules: {} }, "policy/wrong-type", "/spec/rules"],
    [
      "a timeout that is no whole number",
      { webhookTimeoutSeconds: 1.5 },
      "policy/wrong-type",
      "/spec/webhookTimeoutSeconds",
    ],
  ];
  test.each(rows)("%s", (_name, spec, code, pointer) => expectRefused(policyOf(spec), code, pointer));

  test("a name of 64 characters", () => {
    expectRefused(policyOf({}, { name: "p".repeat(64) }), "policy/name-too-long", "/metadata/name");
  });

  test("a namespace, when it is a ClusterPolicy", () => {
    expectRefused(policyOf({}, { namespace: "n" }), "policy/cluster-scope", "/metadata/namespace");
  });

  test.each([
    [
      "an API call",
      { context: [{ name: "a", apiCall: { urlPath: "/a", jmesPath: "b[" } }], validate: pattern },
      "/context/0/apiCall/jmesPath",
    ],
    [
      "a list of elements",
      { validate: { foreach: [{ list: "request.object.", deny: {} }] } },
      "/validate/foreach/0/list",
    ],
    ["a variable", { validate: { ...pattern, message: "{{ request.object. }}" } }, "/validate/message"],
  ])("a query that does not parse, in %s", (_name, fields, pointer) => {
    expectRefused(ruleOf(fields), "policy/bad-query", `/spec/rules/0${pointer}`);
  });

  test("a misspelt spec", () => {
    const { found } = findings({
      apiVersion: "kyverno.io/v1",
      kind: "Policy",
      metadata: { name: "p" },
      sepc: {},
    });
    expect(found).toEqual(["warning policy/unknown-field /sepc", "error policy/missing-field "]);
  });

  test("the annotation `all`", () => {
    const annotations = { "pod-policies.kyverno.io/autogen-controllers": "all" };
    expectRefused(
      policyOf({}, { annotations }),
      "policy/autogen-annotation",
      "/metadata/annotations/pod-policies.kyverno.io~1autogen-controllers",
    );
  });

  test("another rule than validate and no admission", () => {
    expectRefused(
      ruleOf({ mutate: { patchStrategicMerge: { a: 1 } } }, { admission: false }),
      "policy/admission-disabled",
      "/spec/rules/0",
    );
  });
});

describe("a rule is refused with", () => {
  const user = { subjects: [{ kind: "User", name: "u" }] };
  const kinds = (...list: string[]): JsonObject => ({ any: [{ resources: { kinds: list } }] });
  const rows: readonly Row[] = [
    ["no body", {}, "policy/rule-body", "/spec/rules/0"],
    ["an empty body", { validate: {} }, "policy/rule-body", "/spec/rules/0"],
    [
      "two bodies",
      { validate: pattern, mutate: { patchStrategicMerge: { a: 1 } } },
      "policy/rule-body",
      "/spec/rules/0",
    ],
    [
      "any and all",
      { match: { ...pods, all: pods.any }, validate: pattern },
      "policy/conflicting-fields",
      "/spec/rules/0/match",
    ],
    [
      "any and resources",
      { match: { ...pods, resources: { kinds: ["Pod"] } }, validate: pattern },
      "policy/conflicting-fields",
      "/spec/rules/0/match",
    ],
    [
      "a filter without kinds",
      { match: { any: [{ resources: { names: ["a"] } }] }, validate: pattern },
      "policy/missing-kinds",
      "/spec/rules/0/match/any/0",
    ],
    [
      "an exclusion of all",
      { exclude: pods, validate: pattern },
      "policy/empty-match",
      "/spec/rules/0/exclude/any/0",
    ],
    [
      "a wrong operation",
      { match: { any: [{ resources: { kinds: ["Pod"], operations: ["create"] } }] }, validate: pattern },
      "policy/unknown-value",
      "/spec/rules/0/match/any/0/resources/operations/0",
    ],
    [
      "a subresource in the background",
      { match: kinds("Pod/exec"), validate: pattern },
      "policy/background-subresource",
      "/spec/rules/0/match/any/0/resources/kinds/0",
    ],
    [
      "all kinds in the background",
      { match: kinds("*"), validate: pattern },
      "policy/wildcard-kind",
      "/spec/rules/0/match/any/0/resources/kinds",
    ],
    [
      "a variable in match",
      { match: kinds("{{ request.kind.kind }}"), validate: pattern },
      "policy/misplaced-variable",
      "/spec/rules/0/match/any/0/resources/kinds/0",
    ],
    [
      "CEL preconditions beside a pattern",
      { celPreconditions: [{ name: "a", expression: "true" }], validate: pattern },
      "policy/misplaced-field",
      "/spec/rules/0/celPreconditions",
    ],
    ["no check", { validate: { message: "m" } }, "policy/validate-check", "/spec/rules/0/validate"],
    ["two checks", { validate: { ...pattern, deny: {} } }, "policy/validate-check", "/spec/rules/0/validate"],
    ["only an assertion", { validate: { assert: {} } }, "policy/validate-check", "/spec/rules/0/validate"],
    [
      "an adding anchor in a check",
      { validate: { pattern: { "+(a)": 1 } } },
      "policy/bad-anchor",
      "/spec/rules/0/validate/pattern/+(a)",
    ],
    [
      "an existence anchor over text",
      { validate: { pattern: { "^(a)": "b" } } },
      "policy/bad-anchor",
      "/spec/rules/0/validate/pattern/^(a)",
    ],
    [
      "a number as a label",
      { validate: { pattern: { metadata: { labels: { a: 1 } } } } },
      "policy/wrong-type",
      "/spec/rules/0/validate/pattern/metadata/labels/a",
    ],
    [
      "anyPattern that is no list",
      { validate: { anyPattern: {} } },
      "policy/wrong-type",
      "/spec/rules/0/validate/anyPattern",
    ],
    [
      "an unknown operator",
      { preconditions: { all: [{ key: "a", operator: "Equls", value: "b" }] }, validate: pattern },
      "policy/bad-condition",
      "/spec/rules/0/preconditions/all/0/operator",
    ],
    [
      "a condition without operator",
      { validate: { deny: { conditions: [{ key: "a", value: "b" }] } } },
      "policy/bad-condition",
      "/spec/rules/0/validate/deny/conditions/0/operator",
    ],
    [
      "a condition without key",
      { validate: { deny: { conditions: { any: [{ operator: "Equals", value: "b" }] } } } },
      "policy/bad-condition",
      "/spec/rules/0/validate/deny/conditions/any/0",
    ],
    [
      "an operation that does not exist",
      {
        preconditions: { all: [{ key: "{{request.operation}}", operator: "Equals", value: "PATCH" }] },
        validate: pattern,
      },
      "policy/bad-condition",
      "/spec/rules/0/preconditions/all/0/value",
    ],
    [
      "conditions that are text",
      { preconditions: "a", validate: pattern },
      "policy/wrong-type",
      "/spec/rules/0/preconditions",
    ],
    [
      "a context entry without source",
      { context: [{ name: "a" }], validate: pattern },
      "policy/context-source",
      "/spec/rules/0/context/0",
    ],
    [
      "a context entry of two sources",
      { context: [{ name: "a", variable: { value: 1 }, configMap: { name: "m" } }], validate: pattern },
      "policy/context-source",
      "/spec/rules/0/context/0",
    ],
    [
      "a variable of nothing",
      { context: [{ name: "a", variable: {} }], validate: pattern },
      "policy/context-source",
      "/spec/rules/0/context/0/variable",
    ],
    [
      "an API call to nowhere",
      { context: [{ name: "a", apiCall: { jmesPath: "b" } }], validate: pattern },
      "policy/context-source",
      "/spec/rules/0/context/0/apiCall",
    ],
    [
      "data in a GET",
      {
        context: [{ name: "a", apiCall: { urlPath: "/a", data: [{ key: "a", value: 1 }] } }],
        validate: pattern,
      },
      "policy/context-source",
      "/spec/rules/0/context/0/apiCall/data",
    ],
    [
      "a reserved name",
      { context: [{ name: "request.a", variable: { value: 1 } }], validate: pattern },
      "policy/reserved-name",
      "/spec/rules/0/context/0/name",
    ],
    [
      "an unknown variable",
      { validate: { ...pattern, message: "{{ reqest.name }}" } },
      "policy/unknown-variable",
      "/spec/rules/0/validate/message",
    ],
    [
      "an element outside of foreach",
      { validate: { ...pattern, message: "{{ element.name }}" } },
      "policy/unknown-variable",
      "/spec/rules/0/validate/message",
    ],
    [
      "a user's name in the background",
      { validate: { ...pattern, message: "{{ request.userInfo.username }}" } },
      "policy/background-user-info",
      "/spec/rules/0/validate/message",
    ],
    [
      "a user in match in the background",
      { match: { any: [{ resources: { kinds: ["Pod"] }, ...user }] }, validate: pattern },
      "policy/background-user-info",
      "/spec/rules/0/match/any/0/subjects",
    ],
    [
      "a foreach without list",
      { validate: { foreach: [{ deny: {} }] } },
      "policy/missing-field",
      "/spec/rules/0/validate/foreach/0",
    ],
    [
      "a nested foreach without check",
      { validate: { foreach: [{ list: "request.object.a", foreach: [{ list: "element.b" }] }] } },
      "policy/validate-check",
      "/spec/rules/0/validate/foreach/0/foreach/0",
    ],
    [
      "a nested foreach that is no list",
      { validate: { foreach: [{ list: "request.object.a", foreach: { list: "element.b" } }] } },
      "policy/wrong-type",
      "/spec/rules/0/validate/foreach/0/foreach",
    ],
    [
      "a control of containers without images",
      { validate: { podSecurity: { level: "baseline", exclude: [{ controlName: "Capabilities" }] } } },
      "policy/pod-security-exclusion",
      "/spec/rules/0/validate/podSecurity/exclude/0",
    ],
    [
      "a control of the Pod with images",
      {
        validate: {
          podSecurity: { level: "baseline", exclude: [{ controlName: "Sysctls", images: ["a"] }] },
        },
      },
      "policy/pod-security-exclusion",
      "/spec/rules/0/validate/podSecurity/exclude/0/images",
    ],
    [
      "a control that the level lacks",
      { validate: { podSecurity: { level: "baseline", exclude: [{ controlName: "Running as Non-root" }] } } },
      "policy/pod-security-exclusion",
      "/spec/rules/0/validate/podSecurity/exclude/0/controlName",
    ],
    [
      "an unknown control",
      { validate: { podSecurity: { level: "baseline", exclude: [{ controlName: "Seccomps" }] } } },
      "policy/unknown-value",
      "/spec/rules/0/validate/podSecurity/exclude/0/controlName",
    ],
    ["no expressions", { validate: { cel: {} } }, "policy/cel", "/spec/rules/0/validate/cel"],
    [
      "two patches",
      {
        match: kinds("Secret"),
        mutate: { patchStrategicMerge: { a: 1 }, patchesJson6902: "- {op: remove, path: /a}" },
      },
      "policy/mutate-patch",
      "/spec/rules/0/mutate",
    ],
    [
      "no targets",
      { mutate: { patchStrategicMerge: { a: 1 }, mutateExistingOnPolicyUpdate: true } },
      "policy/mutate-target",
      "/spec/rules/0/mutate/mutateExistingOnPolicyUpdate",
    ],
    [
      "a target without kind",
      { mutate: { patchStrategicMerge: { a: 1 }, targets: [{ apiVersion: "v1", name: "a" }] } },
      "policy/mutate-target",
      "/spec/rules/0/mutate/targets/0",
    ],
    [
      "a target in its own name",
      {
        mutate: {
          patchStrategicMerge: { a: 1 },
          targets: [{ apiVersion: "v1", kind: "Secret", name: "{{ target.metadata.name }}" }],
        },
      },
      "policy/unknown-variable",
      "/spec/rules/0/mutate/targets/0/name",
    ],
    [
      "two sources to generate",
      {
        generate: {
          apiVersion: "v1",
          kind: "Secret",
          name: "a",
          namespace: "b",
          data: {},
          clone: { name: "c" },
          cloneList: { kinds: ["v1/Secret"] },
        },
      },
      "policy/generate",
      "/spec/rules/0/generate",
    ],
    [
      "a generated anchor",
      { generate: { apiVersion: "v1", kind: "Secret", name: "a", namespace: "b", data: { "(a)": 1 } } },
      "policy/bad-anchor",
      "/spec/rules/0/generate/data/(a)",
    ],
    [
      "no namespace to generate in",
      { generate: { apiVersion: "v1", kind: "Secret", name: "a", data: { a: 1 } } },
      "policy/generate",
      "/spec/rules/0/generate",
    ],
    [
      "a namespace for what has none",
      { generate: { apiVersion: "v1", kind: "Namespace", name: "a", namespace: "b", data: { a: 1 } } },
      "policy/generate",
      "/spec/rules/0/generate/namespace",
    ],
    [
      "no images",
      { verifyImages: [{ failureAction: "Enforce" }] },
      "policy/verify-images",
      "/spec/rules/0/verifyImages/0",
    ],
    [
      "a count that is too high",
      {
        verifyImages: [
          {
            failureAction: "Enforce",
            imageReferences: ["*"],
            attestors: [{ count: 2, entries: [{ keys: { publicKeys: "k" } }] }],
          },
        ],
      },
      "policy/verify-images",
      "/spec/rules/0/verifyImages/0/attestors/0/count",
    ],
    [
      "a digest under audit",
      { verifyImages: [{ failureAction: "Audit", mutateDigest: true, imageReferences: ["*"] }] },
      "policy/verify-images",
      "/spec/rules/0/verifyImages/0/mutateDigest",
    ],
  ];
  test.each(rows)("%s", (_name, fields, code, pointer) => expectRefused(ruleOf(fields), code, pointer));

  test.each([
    ["an unknown subject", { kind: "user", name: "u" }, "policy/unknown-value", "/kind"],
    ["a service account of no namespace", { kind: "ServiceAccount", name: "u" }, "policy/missing-field", ""],
  ])("%s", (_name, subject, code, pointer) => {
    const fields = { exclude: { any: [{ subjects: [subject] }] }, validate: pattern };
    const place = `/spec/rules/0/exclude/any/0/subjects/0${pointer}`;
    expectRefused(ruleOf(fields, { background: false }), code, place);
  });

  test.each([
    ["an unknown operation", "- {op: put, path: /a}"],
    ["a path without slash", "- {op: remove, path: a.b}"],
    ["no list", "op: remove"],
    ["broken YAML", "- ["],
  ])("a JSON patch with %s", (_name, patchesJson6902) => {
    const document = ruleOf({ match: kinds("Secret"), mutate: { patchesJson6902 } });
    expectRefused(document, "policy/json-patch", "/spec/rules/0/mutate/patchesJson6902");
  });

  test.each([
    [
      "kinds without namespaces",
      { match: kinds("Node"), validate: pattern },
      "/spec/rules/0/match/any/0/resources/kinds/0",
    ],
    [
      "other namespaces",
      { match: { any: [{ resources: { kinds: ["Pod"], namespaces: ["other"] } }] }, validate: pattern },
      "/spec/rules/0/match/any/0/resources/namespaces/0",
    ],
    [
      "a target elsewhere",
      { generate: { apiVersion: "v1", kind: "Secret", name: "a", namespace: "b", data: { a: 1 } } },
      "/spec/rules/0/generate/namespace",
    ],
  ])("%s, in a namespaced Policy", (_name, fields, pointer) => {
    expectRefused(ruleOf(fields, {}, "Policy"), "policy/namespaced-policy", pointer);
  });
});

describe("a rule is warned of, and evaluated, with", () => {
  test.each([
    [
      "a deprecated operator",
      { preconditions: { all: [{ key: "a", operator: "In", value: ["b"] }] }, validate: pattern },
      "policy/deprecated-operator",
      "/spec/rules/0/preconditions/all/0/operator",
    ],
    [
      "a slip in a condition",
      { preconditions: { all: [{ key: "a", operator: "Equals", values: "b" }] }, validate: pattern },
      "policy/unknown-field",
      "/spec/rules/0/preconditions/all/0/values",
    ],
    [
      "the default digest under audit",
      { verifyImages: [{ imageReferences: ["*"] }] },
      "policy/image-digest",
      "/spec/rules/0/verifyImages/0",
    ],
    [
      "a JSON patch on Pods",
      { mutate: { patchesJson6902: "- {op: remove, path: /a}" } },
      "policy/pod-patch",
      "/spec/rules/0/mutate/patchesJson6902",
    ],
    [
      "a rule that may start itself",
      {
        match: { any: [{ resources: { kinds: ["Secret"] } }] },
        generate: { apiVersion: "v1", kind: "Secret", name: "a", namespace: "b", data: { a: 1 } },
      },
      "policy/generate-loop",
      "/spec/rules/0/generate/kind",
    ],
  ])("%s", (_name, fields, code, pointer) => {
    expect(findings(ruleOf(fields))).toEqual({ policies: 1, found: [`warning ${code} ${pointer}`] });
  });

  test("a lower-case action", () => {
    expect(findings(policyOf({ validationFailureAction: "enforce" }))).toEqual({
      policies: 1,
      found: ["warning policy/deprecated-value /spec/validationFailureAction"],
    });
  });
});

describe("a rule is taken with", () => {
  test.each([
    [
      "data of a user, without background scans",
      { validate: { ...pattern, message: "{{ request.userInfo.username }}" } },
      { background: false },
    ],
    [
      "an element within foreach",
      {
        validate: {
          foreach: [{ list: "request.object.spec.containers", pattern: { image: "{{ element.image }}" } }],
        },
      },
      {},
    ],
    [
      "a name that it declares",
      {
        context: [{ name: "my-map", configMap: { name: "m" } }],
        validate: { ...pattern, message: '{{ "my-map".data.a }}' },
      },
      {},
    ],
    ["a variable that is escaped", { validate: { ...pattern, message: "\\{{ nothing }}" } }, {}],
    ["a call of a function", { validate: { ...pattern, message: "{{ time_now_utc() }}" } }, {}],
    [
      "user data, because it changes existing objects",
      {
        mutate: {
          patchStrategicMerge: { a: "{{ request.userInfo.username }}" },
          targets: [{ apiVersion: "v1", kind: "Secret", name: "a" }],
        },
      },
      {},
    ],
    [
      "an old list of conditions",
      { preconditions: [{ key: "a", operator: "Equals", value: "b" }], validate: pattern },
      {},
    ],
    [
      "a JSON patch with a bare variable",
      {
        match: { any: [{ resources: { kinds: ["Secret"] } }] },
        mutate: { patchesJson6902: "- op: add\n  path: /a\n  value: {{ request.object.b }}" },
      },
      {},
    ],
    ["a null field", { exclude: null, context: null, validate: { ...pattern, message: null } }, {}],
  ] as readonly (readonly [string, JsonObject, JsonObject])[])("%s", (_name, fields, spec) => {
    expect(findings(ruleOf(fields, spec))).toEqual({ policies: 1, found: [] });
  });
});
