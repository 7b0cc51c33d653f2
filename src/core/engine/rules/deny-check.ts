/**
 * `validate.deny`: the resource is refused when the conditions hold. No conditions at all hold, as upstream has it.
 * SPEC: Kyverno 1.19 pkg/engine/handlers/validation/validate_resource.go (validateDeny, getDenyMessage).
 */
import type { Json } from "#json";

import { compileConditions } from "../conditions/conditions.ts";
import { isEvaluationError } from "../evaluation-error.ts";
import type { CheckProgram } from "../program.ts";
import { denyFailure } from "./message.ts";
import { errored, failed, passed } from "./outcome.ts";
import type { CheckSetting } from "./pattern-check.ts";

export function compileDenyCheck(conditions: Json | undefined, setting: CheckSetting): CheckProgram {
  const program = compileConditions(conditions ?? null, setting.scope);
  const pass = passed(`validation rule '${setting.rule}' passed.`);
  return (context) => {
    const answer = program.evaluate(context);
    if (isEvaluationError(answer)) return errored("failed to check deny conditions", answer.message);
    if (!answer.result) return pass;
    return failed(denyFailure(setting, context, answer.message));
  };
}
