/**
 * Exclusions from Pod Security: the control must exist at the level, name images where it is about containers, and a
 * field comes with its values. In rules and in exceptions.
 * SPEC: pkg/validation/policy ValidatePodSecurity; pkg/pss/utils controls.
 */
import { field, listField, textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNodes, placeOf } from "./nodes.ts";

const containerControls: ReadonlySet<string> = new Set([
  "Capabilities",
  "Privileged Containers",
  "Host Ports",
  "/proc Mount Type",
  "Privilege Escalation",
]);

const podControls: ReadonlySet<string> = new Set([
  "Host Namespaces",
  "HostPath Volumes",
  "Sysctls",
  "Volume Types",
]);

const restrictedControls: ReadonlySet<string> = new Set([
  "Volume Types",
  "Privilege Escalation",
  "Running as Non-root",
  "Running as Non-root user",
]);

/** @param owner has the list below `key`, and the level, where there is one */
export function checkExclusions(owner: Node, key: string, findings: Findings): void {
  const level = textField(owner.value, "level");
  for (const exclusion of childNodes(owner, key)) checkExclusion(exclusion, level, findings);
}

function checkExclusion(exclusion: Node, level: string | undefined, findings: Findings): void {
  const report = (pointer: string, message: string, help: string): void =>
    findings.error({ code: "policy/pod-security-exclusion", pointer, message, help });
  const control = textField(exclusion.value, "controlName") ?? "";
  const hasImages = (listField(exclusion.value, "images") ?? []).length > 0;
  if (containerControls.has(control) && !hasImages) {
    report(
      exclusion.pointer,
      `\`${control}\` is about containers: an exclusion must name images`,
      "add `images`",
    );
  }
  if (podControls.has(control) && hasImages) {
    report(
      placeOf(exclusion, "images"),
      `\`${control}\` is about the Pod: an exclusion cannot name images`,
      "remove `images`",
    );
  }
  if (level === "baseline" && restrictedControls.has(control)) {
    report(
      placeOf(exclusion, "controlName"),
      `\`${control}\` is not checked at level \`baseline\``,
      "remove the exclusion",
    );
  }
  const hasField = (textField(exclusion.value, "restrictedField") ?? "") !== "";
  if (hasField !== (listField(exclusion.value, "values") ?? []).length > 0) {
    const missing = hasField ? "values" : "restrictedField";
    if (field(exclusion.value, missing) === undefined || hasField) {
      report(exclusion.pointer, "`restrictedField` and `values` go together", `add \`${missing}\``);
    }
  }
}
