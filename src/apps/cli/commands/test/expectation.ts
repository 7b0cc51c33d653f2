/**
 * One entry of a test's `results`: what a rule is expected to answer for the resources that the entry names.
 * SPEC: reference/kyverno-surface.md section 8.2 (test schema).
 */
import type { Fields } from "./field-reader.ts";

const statuses = ["pass", "fail", "skip", "warn", "error"] as const;
const operations = ["CREATE", "UPDATE", "DELETE"] as const;
const specKeys = ["group", "version", "kind", "namespace", "subresource", "name"] as const;

export type ExpectedStatus = (typeof statuses)[number];

/** What a test may ask for; `CONNECT` is no word of its schema. */
export type TestOperation = (typeof operations)[number];

export type ResourceSpec = Readonly<Partial<Record<(typeof specKeys)[number], string>>>;

export type Expectation = {
  readonly policy: string;
  /** Empty where any rule of the policy is meant. */
  readonly rule: string;
  readonly result: ExpectedStatus;
  readonly kind: string;
  /** `name` or `namespace/name`. */
  readonly resources: readonly string[];
  readonly resourceSpecs: readonly ResourceSpec[];
  readonly operation?: TestOperation;
  readonly patchedResources?: string;
  readonly generatedResources: readonly string[];
  readonly cloneSourceResource?: string;
  readonly failOnMissingResources: boolean;
  /** Of the entry, in the test file. */
  readonly pointer: string;
};

export const expectationKeys: readonly string[] = [
  "policy",
  "rule",
  "result",
  "kind",
  "resources",
  "resourceSpecs",
  "operation",
  "patchedResources",
  "generatedResource",
  "generatedResources",
  "cloneSourceResource",
  "failOnMissingResources",
  "isValidatingAdmissionPolicy",
  "isMutatingAdmissionPolicy",
  "isValidatingPolicy",
  "isImageValidatingPolicy",
  "isMutatingPolicy",
  "isGeneratingPolicy",
  "isDeletingPolicy",
];

/** Where the fields are wrong the reader knows, and the value is not used. */
export function decodeExpectation(fields: Fields): Expectation {
  const operation = fields.word("operation", operations);
  const generated = fields.text("generatedResource");
  fields.required("result", "an expectation");
  return {
    policy: fields.required("policy", "an expectation"),
    rule: fields.text("rule") ?? "",
    result: fields.word("result", statuses) ?? "pass",
    kind: fields.text("kind") ?? "",
    resources: fields.texts("resources"),
    resourceSpecs: fields.objects("resourceSpecs", specKeys).map((spec) => spec.optional(specKeys)),
    generatedResources: [
      ...(generated === undefined ? [] : [generated]),
      ...fields.texts("generatedResources"),
    ],
    failOnMissingResources: fields.flag("failOnMissingResources"),
    ...(operation === undefined ? {} : { operation }),
    ...fields.optional(["patchedResources", "cloneSourceResource"]),
    pointer: fields.pointer,
  };
}
