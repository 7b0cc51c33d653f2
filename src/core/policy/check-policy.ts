/**
 * What upstream's admission refuses in a policy as a whole, and what it warns of. Rules are checked in `check-rule.ts`.
 * SPEC: pkg/validation/policy Validate; api/kyverno/v1 Spec.Validate.
 */
import { appendPointer } from "#json";
import { checkOverrides } from "./check-overrides.ts";
import { ruleBodyNames, hasBody } from "./decode-rule.ts";
import { field, numberField, objectField, textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";
import type { Policy } from "./policy.ts";

const MAX_NAME = 63;

/** @param spec the policy's `spec` */
export function checkPolicy(policy: Policy, spec: Node, findings: Findings): void {
  const root = policy.origin.pointer ?? "";
  checkMetadata(policy, appendPointer(root, "metadata"), findings);
  if (policy.kind === "ClusterPolicy") checkNoNamespace(policy, appendPointer(root, "metadata"), findings);
  checkSwitches(policy, spec, findings);
  checkReplacedFields(spec, findings);
  checkRuleNames(spec, findings);
  checkSpecOverrides(policy, spec, findings);
  const action = textField(spec.value, "validationFailureAction");
  if (action === "enforce" || action === "audit") {
    findings.warn({
      code: "policy/deprecated-value",
      pointer: placeOf(spec, "validationFailureAction"),
      message: `\`${action}\` is a deprecated spelling`,
      help: `write \`${action === "enforce" ? "Enforce" : "Audit"}\``,
    });
  }
}

function checkMetadata(policy: Policy, pointer: string, findings: Findings): void {
  if (policy.name.length > MAX_NAME) {
    findings.error({
      code: "policy/name-too-long",
      pointer: appendPointer(pointer, "name"),
      message: `the name has ${policy.name.length} characters, more than ${MAX_NAME}`,
      help: "choose a shorter name",
    });
  }
  const annotation = "pod-policies.kyverno.io/autogen-controllers";
  if (policy.annotations[annotation] === "all") {
    findings.error({
      code: "policy/autogen-annotation",
      pointer: appendPointer(appendPointer(pointer, "annotations"), annotation),
      message: "`all` is not allowed as the list of controllers",
      help: "remove the annotation: without it rules are generated for all controllers",
    });
  }
}

function checkNoNamespace(policy: Policy, pointer: string, findings: Findings): void {
  const namespace = textField(objectField(policy.raw, "metadata") ?? {}, "namespace") ?? "";
  if (namespace === "") return;
  findings.error({
    code: "policy/cluster-scope",
    pointer: appendPointer(pointer, "namespace"),
    message: `a ClusterPolicy lives in no namespace, found \`${namespace}\``,
    help: "remove `namespace`, or make it a `Policy`",
  });
}

function checkSwitches(policy: Policy, spec: Node, findings: Findings): void {
  if (policy.admission) return;
  if (!policy.background) {
    findings.error({
      code: "policy/never-evaluated",
      pointer: placeOf(spec, "admission"),
      message: "`admission` and `background` are both false: the policy would never be evaluated",
      help: "set one of them to true",
    });
  }
  for (const rule of childNodes(spec, "rules")) {
    if (hasBody(rule.value, "validate")) continue;
    findings.error({
      code: "policy/admission-disabled",
      pointer: rule.pointer,
      message: "with `admission: false` only validate rules are allowed",
      help: "remove `spec.admission`, or move the rule to another policy",
    });
  }
}

function checkReplacedFields(spec: Node, findings: Findings): void {
  if (field(spec.value, "generateExistingOnPolicyUpdate") !== undefined) {
    findings.error({
      code: "policy/removed-field",
      pointer: placeOf(spec, "generateExistingOnPolicyUpdate"),
      message: "`generateExistingOnPolicyUpdate` is no longer accepted",
      help: "use `generateExisting` in the generate rule",
    });
  }
  const webhook = childNode(spec, "webhookConfiguration");
  for (const [old, current] of replaced) {
    if (field(spec.value, old) === undefined) continue;
    if (webhook === undefined || field(webhook.value, current) === undefined) continue;
    findings.error({
      code: "policy/conflicting-fields",
      pointer: placeOf(spec, old),
      message: `\`${old}\` and \`webhookConfiguration.${current}\` say the same thing twice`,
      help: `remove \`${old}\`, which is deprecated`,
    });
  }
  checkTimeout(spec, "webhookTimeoutSeconds", findings);
  if (webhook !== undefined) checkTimeout(webhook, "timeoutSeconds", findings);
}

/** Deprecated fields of the spec with the names that they have below `webhookConfiguration`. */
const replaced: readonly (readonly [string, string])[] = [
  ["failurePolicy", "failurePolicy"],
  ["webhookTimeoutSeconds", "timeoutSeconds"],
];

function checkTimeout(node: Node, key: string, findings: Findings): void {
  const seconds = numberField(node.value, key);
  if (seconds === undefined || (seconds >= 1 && seconds <= 30)) return;
  findings.error({
    code: "policy/out-of-range",
    pointer: placeOf(node, key),
    message: `the timeout is \`${seconds}\` seconds; it must be from 1 to 30`,
    help: "choose a number from 1 to 30",
  });
}

function checkRuleNames(spec: Node, findings: Findings): void {
  const rules = childNodes(spec, "rules");
  if (rules.length === 0) {
    findings.error({
      code: "policy/no-rules",
      pointer: spec.pointer,
      message: "the policy has no rules",
      help: `add \`rules\`, each with a \`name\`, a \`match\` and one of ${ruleBodyNames.join(", ")}`,
    });
  }
  const seen = new Set<string>();
  for (const rule of rules) {
    const name = textField(rule.value, "name") ?? "";
    if (name === "") reportNamelessRule(rule, findings);
    else if (seen.has(name)) reportDuplicateRule(rule, name, findings);
    else if (name.length > MAX_NAME) reportLongRuleName(rule, name, findings);
    seen.add(name);
  }
}

function reportNamelessRule(rule: Node, findings: Findings): void {
  findings.error({
    code: "policy/missing-field",
    pointer: placeOf(rule, "name"),
    message: "the rule has no name",
    help: "give it a name that no other rule of the policy has",
  });
}

function reportDuplicateRule(rule: Node, name: string, findings: Findings): void {
  findings.error({
    code: "policy/duplicate-rule",
    pointer: placeOf(rule, "name"),
    message: `two rules are named \`${name}\``,
    help: "names of rules are unique within a policy",
  });
}

function reportLongRuleName(rule: Node, name: string, findings: Findings): void {
  findings.error({
    code: "policy/name-too-long",
    pointer: placeOf(rule, "name"),
    message: `the rule's name has ${name.length} characters, more than ${MAX_NAME}`,
    help: "choose a shorter name",
  });
}

function checkSpecOverrides(policy: Policy, spec: Node, findings: Findings): void {
  const key = "validationFailureActionOverrides";
  const overrides = childNodes(spec, key);
  if (policy.kind === "Policy" && overrides.length > 0) {
    findings.error({
      code: "policy/namespaced-policy",
      pointer: placeOf(spec, key),
      message: `\`${key}\` is not allowed in a namespaced Policy`,
      help: "use `validationFailureAction`, or a ClusterPolicy",
    });
  }
  checkOverrides(overrides, findings);
}
