/**
 * The check of a rule by its kind: one table from what a rule says to the closure that answers for it.
 */
import type { Rule, ValidateCheck } from "#policy";

import type { CheckProgram } from "../program.ts";
import { compileDenyCheck } from "./deny-check.ts";
import { compileForeachCheck } from "./foreach-check.ts";
import { compileAnyPatternCheck, compilePatternCheck, type CheckSetting } from "./pattern-check.ts";
import { notSupportedYet, unsupportedPart } from "./unsupported.ts";

export function compileCheck(rule: Rule, setting: CheckSetting): CheckProgram {
  const unsupported = unsupportedPart(rule);
  if (unsupported !== undefined || rule.body.kind !== "validate") {
    const outcome = notSupportedYet(unsupported ?? rule.body.kind);
    return () => outcome;
  }
  return compileValidateCheck(rule.body.validate.check, setting);
}

function compileValidateCheck(check: ValidateCheck, setting: CheckSetting): CheckProgram {
  switch (check.kind) {
    case "pattern":
      return compilePatternCheck(check.pattern, setting);
    case "anyPattern":
      return compileAnyPatternCheck(check.patterns, setting);
    case "deny":
      return compileDenyCheck(check.conditions, setting);
    case "foreach":
      return compileForeachCheck(check.foreach, setting, 0);
    case "podSecurity":
    case "cel":
    case "manifests": {
      const outcome = notSupportedYet(check.kind);
      return () => outcome;
    }
  }
}
