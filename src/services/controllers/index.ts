/** Door of `controllers`: what keeps a cluster's registrations, statuses and alarms as they should be. */
export { createController } from "./controller.ts";
export { createPolicyStatusController } from "./policy-status/policy-status-controller.ts";
export { createWatchdog } from "./watchdog/watchdog.ts";
export { CANARY_LABEL, buildRegistrations } from "./webhook-config/build-registrations.ts";
export { conditionOf } from "./webhook-config/conditions.ts";
export { canaryAnswer } from "./webhook-config/canary.ts";
export { exclusions, exclusionsWithout } from "./webhook-config/exclusions.ts";
export { createWebhookConfigController } from "./webhook-config/webhook-config-controller.ts";
export type { Controller, ControllerLog, ControllerPorts, RegistrationOptions, Safety } from "./ports.ts";
export type { RegistrationInput, Registrations } from "./webhook-config/build-registrations.ts";
export type { CanaryResult } from "./webhook-config/canary.ts";
export type {
  Exclusion,
  IdentityExclusion,
  KindExclusion,
  NamespaceExclusion,
} from "./webhook-config/exclusions.ts";
export type { Gap } from "./webhook-config/policy-reach.ts";
export { handPatchesIn } from "./webhook-config/reconcile.ts";
export type { HandPatch } from "./webhook-config/reconcile.ts";
export type { Watchdog } from "./watchdog/watchdog.ts";
export type {
  RegistrationPhase,
  RegistrationState,
  WebhookConfigController,
} from "./webhook-config/webhook-config-controller.ts";
