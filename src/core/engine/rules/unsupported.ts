/**
 * Rule types that are read and not evaluated yet. They answer with an error, so that nobody takes silence for a pass.
 */
import type { Rule } from "#policy";

import { errored, type Outcome } from "./outcome.ts";

/** What is not supported in this rule, in its author's words; undefined where everything is. */
export function unsupportedPart(rule: Rule): string | undefined {
  const { body } = rule;
  if (body.kind !== "validate") return body.kind;
  const { check } = body.validate;
  switch (check.kind) {
    case "podSecurity":
    case "cel":
    case "manifests":
      return `validate.${check.kind}`;
    case "pattern":
    case "anyPattern":
    case "deny":
    case "foreach":
      return undefined;
  }
}

export function notSupportedYet(part: string): Outcome {
  return errored(`${part} is not supported yet`);
}
