/**
 * The check of a rule by its kind: what is evaluated, and what is read only and answers that it is not supported yet.
 */
import type { Rule } from "#policy";

import type { CheckProgram } from "../program.ts";
import { compileSubjectCheck } from "./foreach-check.ts";
import type { CheckSetting } from "./pattern-check.ts";
import { notSupportedYet } from "./unsupported.ts";

export function compileCheck({ body }: Rule, setting: CheckSetting): CheckProgram {
  if (body.kind !== "validate") return unsupported(body.kind);
  const { check } = body.validate;
  switch (check.kind) {
    case "pattern":
    case "anyPattern":
    case "deny":
    case "foreach":
      return compileSubjectCheck(check, setting, 0);
    case "podSecurity":
    case "cel":
    case "manifests":
      return unsupported(`validate.${check.kind}`);
  }
}

function unsupported(part: string): CheckProgram {
  const outcome = notSupportedYet(part);
  return () => outcome;
}
