/**
 * What one check of a rule says, before the rule's name, action and properties are put around it. Passing outcomes are
 * made once, when the rule is compiled; only failures allocate.
 */
import type { RuleStatus } from "../verdict.ts";

export type Outcome = {
  readonly status: RuleStatus;
  readonly message: string;
  /** Where the resource failed, as upstream writes it (`/spec/containers/0/image/`). */
  readonly path?: string;
};

export function passed(message: string): Outcome {
  return { status: "pass", message };
}

export function failed(message: string, path?: string): Outcome {
  return path === undefined ? { status: "fail", message } : { status: "fail", message, path };
}

export function skipped(message: string): Outcome {
  return { status: "skip", message };
}

/** `step` is upstream's name of what went wrong; the cause follows after a colon. */
export function errored(step: string, cause?: string): Outcome {
  return { status: "error", message: cause === undefined ? step : `${step}: ${cause}` };
}
