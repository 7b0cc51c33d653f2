/** Generated rules: a few shapes by hand; the rest is in the conformance suite `autogen`. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#json";
import { autogenRules } from "./autogen.ts";
import { shiftReferences } from "./autogen-references.ts";
import { decodePolicyDocument } from "./parse-policies.ts";
import type { Policy } from "./policy.ts";

const pods = { any: [{ resources: { kinds: ["Pod"] } }] };

function policyOf(rule: JsonObject, annotation?: string): Policy {
  const annotations =
    annotation === undefined ? {} : { "pod-policies.kyverno.io/autogen-controllers": annotation };
  const document = {
    apiVersion: "kyverno.io/v1",
    kind: "ClusterPolicy",
    metadata: { name: "p", annotations },
    spec: { rules: [{ name: "r", match: pods, ...rule }] },
  };
  const policy = decodePolicyDocument(document, { file: "p", document: 0 }).policies[0];
  if (policy === undefined) throw new Error("the policy is refused");
  return policy;
}

const pattern = { validate: { message: "{{ request.object.metadata.name }}", pattern: { spec: { a: 1 } } } };

describe("generated rules", () => {
  test("are decoded, keep the place of their rule, and follow the Pod", () => {
    const rules = autogenRules(policyOf(pattern));
    expect(rules.map(({ name, generatedFrom, pointer }) => [name, generatedFrom, pointer])).toEqual([
      ["r", undefined, "/spec/rules/0"],
      ["autogen-r", "r", "/spec/rules/0"],
      ["autogen-cronjob-r", "r", "/spec/rules/0"],
    ]);
    expect(rules[1]?.body).toMatchObject({
      validate: {
        message: "{{ request.object.spec.template.metadata.name }}",
        check: { kind: "pattern", pattern: { spec: { template: { spec: { a: 1 } } } } },
      },
    });
    expect(rules[2]?.match.any?.[0]?.resources?.kinds).toEqual(["batch/v1/CronJob"]);
  });

  test("are only those for a kind, when that is known", () => {
    expect(autogenRules(policyOf(pattern), "Deployment").map(({ name }) => name)).toEqual(["r", "autogen-r"]);
    expect(autogenRules(policyOf(pattern), "Pod").map(({ name }) => name)).toEqual(["r"]);
  });

  test.each([
    ["none", ["r"]],
    ["CronJob", ["r", "autogen-cronjob-r"]],
    ["Job,Deployment", ["r", "autogen-r"]],
  ])("follow the annotation `%s`", (annotation, names) => {
    expect(autogenRules(policyOf(pattern, annotation)).map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ["another kind", { match: { any: [{ resources: { kinds: ["Service"] } }] } }],
    ["names", { match: { any: [{ resources: { kinds: ["Pod"], names: ["a"] } }] } }],
    ["another kind beside Pod", { match: { any: [{ resources: { kinds: ["Pod", "Service"] } }] } }],
    ["labels to exclude", { exclude: { any: [{ resources: { selector: { matchLabels: { a: "b" } } } }] } }],
  ])("are not made for a rule with %s", (_name, fields) => {
    expect(autogenRules(policyOf({ ...pattern, ...fields })).map(({ name }) => name)).toEqual(["r"]);
  });
});

describe("a reference in a message", () => {
  test.each([
    ["see $(../pattern/spec/a) there", "pattern", "see $(../pattern/spec/template/spec/a) there"],
    ["$(./../anyPattern/1/a)", "anyPattern", "$(./../anyPattern/1/spec/template/a)"],
    ["$(./anyPattern/1)", "anyPattern", "$(./anyPattern/1/spec/template)"],
    ["\\$(pattern/a)", "pattern", "\\$(pattern/a)"],
    ["$(a) pattern", "pattern", "$(a) pattern"],
    ["pattern/a", "pattern", "pattern/a"],
  ])("%s", (message, pivot, want) => {
    expect(shiftReferences(message, "spec/template", pivot)).toBe(want);
  });
});
