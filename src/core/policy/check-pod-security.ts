/**
 * Exclusions from Pod Security: the control must exist at the level, name images where it is about containers, and a
 * field comes with its values. In rules and in exceptions.
 * SPEC: pkg/validation/policy ValidatePodSecurity; pkg/pss/utils controls.
 */
import { listField, textField } from "./fields.ts";
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
  const control = textField(exclusion.value, "controlName") ?? "";
  checkImages(exclusion, control, findings);
  if (level === "baseline" && restrictedControls.has(control)) {
    report(
      placeOf(exclusion, "controlName"),
      `\`${control}\` is not checked at level \`baseline\``,
      "remove the exclusion",
      findings,
    );
  }
  const hasField = (textField(exclusion.value, "restrictedField") ?? "") !== "";
  if (hasField === hasItems(exclusion, "values")) return;
  const missing = hasField ? "values" : "restrictedField";
  report(exclusion.pointer, "`restrictedField` and `values` go together", `add \`${missing}\``, findings);
}

function checkImages(exclusion: Node, control: string, findings: Findings): void {
  const hasImages = hasItems(exclusion, "images");
  if (containerControls.has(control) && !hasImages) {
    const message = `\`${control}\` is about containers: an exclusion must name images`;
    report(exclusion.pointer, message, "add `images`", findings);
  }
  if (podControls.has(control) && hasImages) {
    const message = `\`${control}\` is about the Pod: an exclusion cannot name images`;
    report(placeOf(exclusion, "images"), message, "remove `images`", findings);
  }
}

function hasItems(node: Node, key: string): boolean {
  return (listField(node.value, key) ?? []).length > 0;
}

function report(pointer: string, message: string, help: string, findings: Findings): void {
  findings.error({ code: "policy/pod-security-exclusion", pointer, message, help });
}
