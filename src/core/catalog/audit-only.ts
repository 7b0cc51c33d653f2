/** Whether a policy can change an answer: refuse a request in some namespace, or warn about one. */
import type { FailureAction, FailureActionOverride, Policy } from "#policy";

/** False as soon as anything in it may enforce or warn; what is audited only can wait until the answer is out. */
export function isAuditOnly(policy: Policy): boolean {
  if (policy.emitWarning || mayEnforce(policy.failureAction, policy.failureActionOverrides)) return false;
  return policy.rules.every(
    ({ body }) =>
      body.kind !== "validate" ||
      !mayEnforce(body.validate.failureAction ?? "Audit", body.validate.failureActionOverrides),
  );
}

function mayEnforce(action: FailureAction, overrides: readonly FailureActionOverride[]): boolean {
  return action === "Enforce" || overrides.some((entry) => /^enforce$/i.test(entry.action));
}
