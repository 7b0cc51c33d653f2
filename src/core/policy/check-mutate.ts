/**
 * `mutate`: one kind of patch, sound patches, and targets that can be found. Patches by path are in
 * `check-json-patch.ts`.
 * SPEC: pkg/validation/policy/mutate.
 */
import { checkJsonPatch } from "./check-json-patch.ts";
import { checkMetadataTexts, checkPattern } from "./check-pattern.ts";
import { checkQuery } from "./check-query.ts";
import type { RuleSite } from "./check-rule.ts";
import { checkShape } from "./check-shape.ts";
import { filtersOf } from "./check-match.ts";
import { field, flagField, objectField, textField, textsField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";

export function checkMutate({ rule, policy }: RuleSite, findings: Findings): void {
  const mutate = childNode(rule, "mutate");
  if (mutate === undefined || Object.keys(mutate.value).length === 0) return;
  checkPatchKind(mutate, findings);
  checkPatches(mutate, findings);
  warnOfPodPatch(rule, mutate, findings);
  for (const entry of childNodes(mutate, "foreach")) checkForeach(entry, findings);
  const targets = childNodes(mutate, "targets");
  if (flagField(mutate.value, "mutateExistingOnPolicyUpdate", false) && targets.length === 0) {
    findings.error({
      code: "policy/mutate-target",
      pointer: placeOf(mutate, "mutateExistingOnPolicyUpdate"),
      message: "`mutateExistingOnPolicyUpdate` needs targets",
      help: "add `targets`",
    });
  }
  for (const target of targets) checkTarget(target, policy.namespace, findings);
}

/** Such a rule is not carried over to controllers, so their Pods differ from their templates. */
function warnOfPodPatch(rule: Node, mutate: Node, findings: Findings): void {
  const match = childNode(rule, "match");
  if (match === undefined || (textField(mutate.value, "patchesJson6902") ?? "") === "") return;
  if (field(mutate.value, "targets") !== undefined) return;
  const kinds = filtersOf(match).flatMap(
    (filter) => textsField(objectField(filter.value, "resources") ?? {}, "kinds") ?? [],
  );
  if (!kinds.includes("Pod")) return;
  findings.warn({
    code: "policy/pod-patch",
    pointer: placeOf(mutate, "patchesJson6902"),
    message: "the patch reaches Pods only, not the controllers that make them",
    help: "use `patchStrategicMerge`, which is carried over, or match the controllers",
  });
}

const patchNames: readonly string[] = ["patchStrategicMerge", "patchesJson6902", "foreach"];

function checkPatchKind(node: Node, findings: Findings): void {
  const present = patchNames.filter(
    (name) => field(node.value, name) !== undefined && node.value[name] !== "",
  );
  if (present.length === 1) return;
  findings.error({
    code: "policy/mutate-patch",
    pointer: node.pointer,
    message: `exactly one of ${patchNames.map((name) => `\`${name}\``).join(", ")} is needed here; found ${present.length === 0 ? "none" : present.join(" and ")}`,
    help: present.length === 0 ? "say what to change" : "make a rule of each",
  });
}

function checkPatches(node: Node, findings: Findings): void {
  const patch = textField(node.value, "patchesJson6902");
  if (patch !== undefined) checkJsonPatch(patch, placeOf(node, "patchesJson6902"), findings);
  const merge = field(node.value, "patchStrategicMerge");
  if (merge === undefined) return;
  checkPattern(merge, placeOf(node, "patchStrategicMerge"), "mutate", findings);
  checkMetadataTexts(merge, placeOf(node, "patchStrategicMerge"), findings);
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
  checkPatchKind(entry, findings);
  checkPatches(entry, findings);
  const nested = field(entry.value, "foreach");
  if (nested === undefined) return;
  const before = findings.errors;
  checkShape(nested, "[]MutateForeach", placeOf(entry, "foreach"), findings);
  if (findings.errors > before) return;
  for (const inner of childNodes(entry, "foreach")) checkForeach(inner, findings);
}

function checkTarget(target: Node, policyNamespace: string | undefined, findings: Findings): void {
  const report = (pointer: string, message: string, help: string): void =>
    findings.error({ code: "policy/mutate-target", pointer, message, help });
  for (const key of ["apiVersion", "kind"]) {
    if ((textField(target.value, key) ?? "") === "")
      report(target.pointer, `the target has no \`${key}\``, `add \`${key}\``);
  }
  const namespace = textField(target.value, "namespace");
  if (policyNamespace !== undefined && namespace !== policyNamespace) {
    findings.error({
      code: "policy/namespaced-policy",
      pointer: target.pointer,
      message: `a namespaced Policy changes only what is in its own namespace, \`${policyNamespace}\``,
      help: `set the target's \`namespace: ${policyNamespace}\``,
    });
  }
}
