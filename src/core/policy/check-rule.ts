/**
 * The checks of one rule, in order. Each looks at one topic and says all that it finds.
 */
import { checkConditionsOfRule } from "./check-conditions.ts";
import { checkContexts } from "./check-context.ts";
import { checkGenerate } from "./check-generate.ts";
import { checkMatch } from "./check-match.ts";
import { checkMutate } from "./check-mutate.ts";
import { checkRuleKinds } from "./check-kinds.ts";
import { checkValidate } from "./check-validate.ts";
import { checkVariables } from "./check-variables.ts";
import { checkVerifyImages } from "./check-verify-images.ts";
import { hasBody, ruleBodyNames } from "./decode-rule.ts";
import { field, objectField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { placeOf } from "./nodes.ts";
import type { Policy } from "./policy.ts";

/** A rule with what its checks must know of the policy. */
export type RuleSite = {
  readonly rule: Node;
  readonly policy: Policy;
  /** Some rule of the policy changes existing objects: then user data is allowed in the background. */
  readonly policyMutatesExisting: boolean;
};

const ruleChecks: readonly ((site: RuleSite, findings: Findings) => void)[] = [
  checkBody,
  checkCompanions,
  checkMatch,
  checkRuleKinds,
  checkContexts,
  checkConditionsOfRule,
  checkValidate,
  checkMutate,
  checkGenerate,
  checkVerifyImages,
  checkVariables,
];

export function checkRule(site: RuleSite, findings: Findings): void {
  for (const check of ruleChecks) check(site, findings);
}

function checkBody({ rule }: RuleSite, findings: Findings): void {
  const bodies = ruleBodyNames.filter((name) => hasBody(rule.value, name));
  if (bodies.length === 1) return;
  const found = bodies.length === 0 ? "none of them" : bodies.map((name) => `\`${name}\``).join(" and ");
  findings.error({
    code: "policy/rule-body",
    pointer: rule.pointer,
    message: `a rule has exactly one of ${ruleBodyNames.map((name) => `\`${name}\``).join(", ")}; this one has ${found}`,
    help: bodies.length === 0 ? "say what the rule does" : "make a rule of each",
  });
}

/** Fields that only make sense beside a certain body. */
function checkCompanions({ rule }: RuleSite, findings: Findings): void {
  const cel = field(objectField(rule.value, "validate") ?? {}, "cel");
  if (field(rule.value, "celPreconditions") !== undefined && cel === undefined) {
    findings.error({
      code: "policy/misplaced-field",
      pointer: placeOf(rule, "celPreconditions"),
      message: "`celPreconditions` is only allowed beside `validate.cel`",
      help: "use `preconditions`",
    });
  }
  if (field(rule.value, "context") !== undefined && cel !== undefined) {
    findings.error({
      code: "policy/misplaced-field",
      pointer: placeOf(rule, "context"),
      message: "`context` is not allowed beside `validate.cel`",
      help: "use `validate.cel.variables`",
    });
  }
}
