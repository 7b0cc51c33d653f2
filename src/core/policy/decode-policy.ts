/**
 * ClusterPolicy and Policy (`kyverno.io/v1` and `v2beta1`): the document against its shape, then its fields, then what
 * upstream's admission would refuse. An error anywhere means no policy.
 * SPEC: api/kyverno/v1/spec_types.go.
 */
import type { JsonObject } from "#json";
import { appendPointer } from "#json";
import { checkPolicy } from "./check-policy.ts";
import { checkRule } from "./check-rule.ts";
import { checkShape } from "./check-shape.ts";
import { decodeMetadata } from "./decode-metadata.ts";
import type { Metadata } from "./decode-metadata.ts";
import { decodeRule } from "./decode-rule.ts";
import { decodeFailureAction, decodeOverrides } from "./decode-validate.ts";
import {
  flagField,
  listField,
  numberField,
  objectField,
  objectsField,
  optional,
  textField,
} from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNodes } from "./nodes.ts";
import type { Origin, Policy, Rule } from "./policy.ts";

export type PolicyDocument = {
  readonly kind: Policy["kind"];
  readonly apiVersion: string;
  /** Name in `shapes.ts` of the spec of this version. */
  readonly shape: string;
  readonly raw: JsonObject;
  readonly origin: Origin;
  /** Whether what upstream's admission refuses is an error. */
  readonly admission: boolean;
};

/** `undefined` where the document has an error; every reason is among the findings. */
export function decodePolicy(document: PolicyDocument, findings: Findings): Policy | undefined {
  const before = findings.errors;
  const root = document.origin.pointer ?? "";
  const metadata = decodeMetadata(document.raw, root, findings);
  const spec = document.raw["spec"] ?? {};
  const specPointer = appendPointer(root, "spec");
  checkShape(spec, document.shape, specPointer, findings);
  if (findings.errors > before) return undefined;
  const policy = decodeSpec(document, metadata, objectField(document.raw, "spec") ?? {});
  if (!document.admission) return policy;
  const specNode: Node = { value: objectField(document.raw, "spec") ?? {}, pointer: specPointer };
  checkPolicy(policy, specNode, findings);
  const rules = childNodes(specNode, "rules");
  const policyMutatesExisting = rules.some(
    ({ value }) => listField(objectField(value, "mutate") ?? {}, "targets") !== undefined,
  );
  for (const rule of rules) checkRule({ rule, policy, policyMutatesExisting }, findings);
  return findings.errors > before ? undefined : policy;
}

function decodeSpec(document: PolicyDocument, metadata: Metadata, spec: JsonObject): Policy {
  const { kind, apiVersion, raw, origin } = document;
  const webhook = objectField(spec, "webhookConfiguration") ?? {};
  return {
    kind,
    apiVersion,
    name: metadata.name,
    ...(kind === "Policy" ? { namespace: metadata.namespace ?? "default" } : {}),
    labels: metadata.labels,
    annotations: metadata.annotations,
    applyRules: textField(spec, "applyRules") === "One" ? "One" : "All",
    admission: flagField(spec, "admission", true),
    background: flagField(spec, "background", true),
    emitWarning: flagField(spec, "emitWarning", false),
    failurePolicy:
      (textField(webhook, "failurePolicy") ?? textField(spec, "failurePolicy")) === "Ignore"
        ? "Ignore"
        : "Fail",
    ...optional(
      "timeoutSeconds",
      numberField(webhook, "timeoutSeconds") ?? numberField(spec, "webhookTimeoutSeconds"),
    ),
    failureAction: decodeFailureAction(textField(spec, "validationFailureAction")) ?? "Audit",
    failureActionOverrides: decodeOverrides(spec, "validationFailureActionOverrides"),
    rules: decodeRules(spec, appendPointer(origin.pointer ?? "", "spec")),
    raw,
    origin,
  };
}

function decodeRules(spec: JsonObject, specPointer: string): readonly Rule[] {
  const pointer = appendPointer(specPointer, "rules");
  return (objectsField(spec, "rules") ?? []).flatMap((raw, index) => {
    const rule = decodeRule(raw, { pointer: appendPointer(pointer, index) });
    return rule === undefined ? [] : [rule];
  });
}
