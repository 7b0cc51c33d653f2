/** Object and webhook names, in both styles. SPEC: kyverno-surface.md sections 6.1, 6.2. */
import type { RegistrationOptions } from "../ports.ts";

export type RegistrationNames = {
  /** Names of the four configurations. */
  readonly resource: string;
  readonly policy: string;
  readonly exception: string;
  readonly canary: string;
  /** Webhooks within them; for resources the beginning of the name. */
  readonly validate: string;
  readonly validatePolicy: string;
  readonly validateException: string;
  readonly canaryWebhook: string;
  readonly labels: Readonly<Record<string, string>>;
};

const own = { "postern.dev/managed-by": "postern" };

const table: Readonly<Record<RegistrationOptions["names"], RegistrationNames>> = {
  postern: {
    resource: "postern-resource-validating-webhook-cfg",
    policy: "postern-policy-validating-webhook-cfg",
    exception: "postern-exception-validating-webhook-cfg",
    canary: "postern-canary-validating-webhook-cfg",
    validate: "validate.postern.svc",
    validatePolicy: "validate-policy.postern.svc",
    validateException: "validate-exception.postern.svc",
    canaryWebhook: "canary.postern.svc",
    labels: own,
  },
  kyverno: {
    resource: "kyverno-resource-validating-webhook-cfg",
    policy: "kyverno-policy-validating-webhook-cfg",
    exception: "kyverno-exception-validating-webhook-cfg",
    canary: "postern-canary-validating-webhook-cfg",
    validate: "validate.kyverno.svc",
    validatePolicy: "validate-policy.kyverno.svc",
    validateException: "kyverno-svc.kyverno.svc",
    canaryWebhook: "canary.postern.svc",
    labels: { ...own, "webhook.kyverno.io/managed-by": "kyverno" },
  },
};

export function namesOf(style: RegistrationOptions["names"]): RegistrationNames {
  return table[style];
}
