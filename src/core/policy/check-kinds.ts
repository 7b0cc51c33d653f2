/**
 * Kinds that a rule's body or the background scan cannot deal with: subresources and the wildcard.
 * SPEC: pkg/validation/policy validateWildcard, validateNoSubresources (background).
 */
import { parseKindSelector } from "#k8s";
import { filtersOf } from "./check-match.ts";
import type { RuleSite } from "./check-rule.ts";
import { hasBody } from "./decode-rule.ts";
import { field, objectField, textsField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import { childNode, placeOf } from "./nodes.ts";

export function checkRuleKinds(site: RuleSite, findings: Findings): void {
  for (const side of ["match", "exclude"]) {
    const block = childNode(site.rule, side);
    if (block === undefined) continue;
    for (const filter of filtersOf(block)) {
      const kinds = textsField(objectField(filter.value, "resources") ?? {}, "kinds") ?? [];
      for (const [index, kind] of kinds.entries()) {
        checkSubresource(site, kind, placeOf(filter, "resources", "kinds", index), findings);
      }
      if (kinds.includes("*")) checkWildcard(site, kinds, placeOf(filter, "resources", "kinds"), findings);
    }
  }
}

/** Kinds of objects that only subresources have; a scan never meets them. */
const subresourceObjects: readonly string[] = [
  "Binding",
  "Eviction",
  "NodeProxyOptions",
  "PodAttachOptions",
  "PodExecOptions",
  "PodPortForwardOptions",
  "PodProxyOptions",
  "Scale",
  "ServiceProxyOptions",
  "TokenRequest",
];

function checkSubresource(site: RuleSite, kind: string, pointer: string, findings: Findings): void {
  if (!site.policy.background || !hasBody(site.rule.value, "validate")) return;
  const selector = parseKindSelector(kind);
  if (selector.subresource === "" && !subresourceObjects.includes(selector.kind)) return;
  findings.error({
    code: "policy/background-subresource",
    pointer,
    message: `\`${kind}\` is a subresource, and a background scan has none`,
    help: "set `spec.background: false`",
  });
}

function checkWildcard(site: RuleSite, kinds: readonly string[], pointer: string, findings: Findings): void {
  const report = (message: string, help: string): void =>
    findings.error({ code: "policy/wildcard-kind", pointer, message, help });
  if (site.policy.background) {
    report("a rule for all kinds is not allowed with background scans", "set `spec.background: false`");
  }
  if (kinds.length > 1) report("`*` stands beside other kinds", "remove the other kinds");
  const rule = site.rule.value;
  const validate = objectField(rule, "validate") ?? {};
  const mutate = objectField(rule, "mutate") ?? {};
  const bodies = ["generate", "verifyImages"].filter((name) => hasBody(rule, name));
  const foreach = [validate, mutate].some((body) => field(body, "foreach") !== undefined);
  const unfit = [...bodies, ...(foreach ? ["foreach"] : [])];
  if (unfit.length > 0) {
    report(`a rule for all kinds cannot have \`${unfit.join("`, `")}\``, "name the kinds");
  }
  for (const patterns of [field(validate, "pattern"), field(mutate, "patchStrategicMerge")]) {
    if (typeof patterns !== "object" || patterns === null) continue;
    const beyond = Object.keys(patterns).find((key) => key !== "metadata");
    if (beyond !== undefined)
      report(`a rule for all kinds may only look at \`metadata\`, not at \`${beyond}\``, "name the kinds");
  }
}
