/**
 * What upstream's admission refuses in a PolicyException.
 * SPEC: api/kyverno/v2 PolicyException.Validate; pkg/validation/exception.
 */
import { checkConditions } from "./check-conditions.ts";
import { checkBlock, filtersOf, reportUserInfo } from "./check-match.ts";
import { checkExclusions } from "./check-pod-security.ts";
import { listField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";
import type { PolicyException } from "./policy.ts";

/** @param spec the exception's `spec` */
export function checkException(exception: PolicyException, spec: Node, findings: Findings): void {
  const match = childNode(spec, "match");
  if (match !== undefined) {
    checkBlock(match, findings);
    if (exception.background) checkUserInfo(match, findings);
  }
  checkConditions(spec, "conditions", findings);
  checkExclusions(spec, "podSecurity", findings);
  if (exception.exceptions.length === 0) {
    reportEmpty(
      placeOf(spec, "exceptions"),
      "the exception names no policies",
      "add an entry with `policyName` and `ruleNames`",
      findings,
    );
  }
  for (const entry of childNodes(spec, "exceptions")) {
    if (entry.value["policyName"] === "")
      reportEmpty(
        placeOf(entry, "policyName"),
        "the policy's name is empty",
        "write the policy's name",
        findings,
      );
    if ((listField(entry.value, "ruleNames") ?? []).length === 0) {
      reportEmpty(
        placeOf(entry, "ruleNames"),
        "the entry names no rules",
        'use `"*"` for all of them',
        findings,
      );
    }
  }
}

function checkUserInfo(match: Node, findings: Findings): void {
  for (const filter of filtersOf(match)) {
    for (const key of ["subjects", "roles", "clusterRoles"]) {
      if ((listField(filter.value, key) ?? []).length > 0)
        reportUserInfo(placeOf(filter, key), key, findings);
    }
  }
}

function reportEmpty(pointer: string, message: string, help: string, findings: Findings): void {
  findings.error({ code: "policy/missing-field", pointer, message, help });
}
