/**
 * `validate`: exactly one kind of check, and each kind's own rules. Pod Security exclusions are in
 * `check-pod-security.ts`, patterns in `check-pattern.ts`.
 * SPEC: pkg/validation/policy/validate.
 */
import { checkShape } from "./check-shape.ts";
import { checkOverrides } from "./check-overrides.ts";
import { checkMetadataTexts, checkPattern } from "./check-pattern.ts";
import { checkExclusions } from "./check-pod-security.ts";
import { checkQuery } from "./check-query.ts";
import type { RuleSite } from "./check-rule.ts";
import { field, listField, textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";

export function checkValidate({ rule, policy }: RuleSite, findings: Findings): void {
  const validate = childNode(rule, "validate");
  if (validate === undefined || Object.keys(validate.value).length === 0) return;
  checkOne(validate, checkNames, findings);
  const overrides = childNodes(validate, "failureActionOverrides");
  checkOverrides(overrides, findings);
  if (policy.kind === "Policy") {
    for (const override of overrides) checkOwnNamespace(override, findings);
  }
  checkPatterns(validate, findings);
  for (const entry of childNodes(validate, "foreach")) checkForeach(entry, findings);
  const podSecurity = childNode(validate, "podSecurity");
  if (podSecurity !== undefined) checkExclusions(podSecurity, "exclude", findings);
  const cel = childNode(validate, "cel");
  if (cel !== undefined) checkCel(cel, findings);
}

const checkNames: readonly string[] = [
  "pattern",
  "anyPattern",
  "deny",
  "foreach",
  "podSecurity",
  "cel",
  "manifests",
];
const foreachNames: readonly string[] = ["pattern", "anyPattern", "deny", "foreach"];

function checkOne(node: Node, names: readonly string[], findings: Findings): void {
  const present = names.filter((name) => field(node.value, name) !== undefined);
  if (present.length === 1) return;
  const list = names.map((name) => `\`${name}\``).join(", ");
  const asserts = field(node.value, "assert") !== undefined;
  findings.error({
    code: "policy/validate-check",
    pointer: node.pointer,
    message: `exactly one of ${list} is needed here; found ${present.length === 0 ? "none" : present.join(" and ")}`,
    help: asserts
      ? "`assert` is no longer evaluated: rewrite it"
      : present.length === 0
        ? "say what to check"
        : "make a rule of each",
  });
}

function checkOwnNamespace(override: Node, findings: Findings): void {
  if ((listField(override.value, "namespaces") ?? []).length === 0) return;
  findings.error({
    code: "policy/namespaced-policy",
    pointer: placeOf(override, "namespaces"),
    message: "a namespaced Policy has one namespace: overrides by namespace are not allowed",
    help: "use `failureAction`, or a ClusterPolicy",
  });
}

function checkPatterns(owner: Node, findings: Findings): void {
  const pattern = field(owner.value, "pattern");
  if (pattern !== undefined) {
    checkPattern(pattern, placeOf(owner, "pattern"), "validate", findings);
    checkMetadataTexts(pattern, placeOf(owner, "pattern"), findings);
  }
  const patterns = field(owner.value, "anyPattern");
  if (patterns === undefined) return;
  checkShape(patterns, "[]any", placeOf(owner, "anyPattern"), findings);
  for (const [index, item] of (listField(owner.value, "anyPattern") ?? []).entries()) {
    checkPattern(item, placeOf(owner, "anyPattern", index), "validate", findings);
    checkMetadataTexts(item, placeOf(owner, "anyPattern", index), findings);
  }
}

/** Nested entries have no shape in the CRD, so it is checked here. */
function checkForeach(entry: Node, findings: Findings): void {
  if ((textField(entry.value, "list") ?? "") === "") {
    findings.error({
      code: "policy/missing-field",
      pointer: entry.pointer,
      message: "`list` is missing",
      help: "add `list`, a query for the elements",
    });
  }
  checkQuery(entry, "list", findings);
  checkOne(entry, foreachNames, findings);
  checkPatterns(entry, findings);
  const nested = field(entry.value, "foreach");
  if (nested === undefined) return;
  const before = findings.errors;
  checkShape(nested, "[]ValidateForeach", placeOf(entry, "foreach"), findings);
  if (findings.errors > before) return;
  for (const inner of childNodes(entry, "foreach")) checkForeach(inner, findings);
}

function checkCel(cel: Node, findings: Findings): void {
  const report = (pointer: string, message: string, help: string): void =>
    findings.error({ code: "policy/cel", pointer, message, help });
  if ((listField(cel.value, "expressions") ?? []).length === 0) {
    report(cel.pointer, "`cel` has no expressions", "add `expressions`");
  }
  const hasKind = field(cel.value, "paramKind") !== undefined;
  const reference = childNode(cel, "paramRef");
  if (hasKind !== (reference !== undefined)) {
    report(cel.pointer, "`paramKind` and `paramRef` go together", "add the other one");
  }
  if (reference === undefined) return;
  const hasName = (textField(reference.value, "name") ?? "") !== "";
  if (hasName === (field(reference.value, "selector") !== undefined)) {
    report(
      reference.pointer,
      "a parameter is named by exactly one of `name` and `selector`",
      "keep or add one",
    );
  }
}
