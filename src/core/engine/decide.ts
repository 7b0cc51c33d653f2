/**
 * From verdicts to what is done. Evaluation says what is so; this one function, used by every door, says what follows.
 * INVARIANT (design.md 2): a refusal means that a policy is violated and nothing else. A rule that could not be
 * evaluated is a fault, for which the policy's failure policy answers: `Ignore` allows with a warning, `Fail` fails the
 * call (an HTTP 5xx), unless there is a violation as well, which refuses.
 * Rules in Audit neither refuse nor fail a call, whatever becomes of them.
 */
import type { FailurePolicy } from "#policy";
import type { DeniedResource } from "./denial-text.ts";
import { denialText } from "./denial-text.ts";
import type { RuleResult, Verdict } from "./verdict.ts";

/** What became of one policy: its verdict, or the reason why there is none (budget, lookups, a bug). */
export type PolicyOutcome = {
  readonly failurePolicy: FailurePolicy;
  readonly result: Verdict | { readonly kind: "fault"; readonly policy: string; readonly message: string };
};

/** One thing that could not be decided; `rule` is absent where the policy as a whole could not. */
export type PolicyFault = {
  readonly policy: string;
  readonly rule?: string;
  readonly message: string;
  readonly failurePolicy: FailurePolicy;
};

/** `faults` are for counters and logs; they are listed whatever the action. */
export type Action =
  | { readonly kind: "allow"; readonly warnings: readonly string[]; readonly faults: readonly PolicyFault[] }
  | { readonly kind: "deny"; readonly message: string; readonly faults: readonly PolicyFault[] }
  | { readonly kind: "fault"; readonly message: string; readonly faults: readonly PolicyFault[] };

const NO_TEXTS: readonly string[] = [];
const NO_FAULTS: readonly PolicyFault[] = [];
const ALLOW: Action = { kind: "allow", warnings: NO_TEXTS, faults: NO_FAULTS };

/**
 * Joins the outcomes of all policies that one request met, in their order.
 * @param resource names the object in a refusal
 */
export function decide(outcomes: readonly PolicyOutcome[], resource: DeniedResource): Action {
  if (outcomes.every(isQuiet)) return ALLOW;
  const faults = outcomes.flatMap(faultsOf);
  if (outcomes.some(isViolated)) {
    return { kind: "deny", message: denialText(resource, collectDenials(outcomes)), faults };
  }
  const failing = faults.filter((fault) => fault.failurePolicy === "Fail");
  if (failing.length > 0) return { kind: "fault", message: failing.map(faultText).join("; "), faults };
  return { kind: "allow", warnings: outcomes.flatMap(warningsOf), faults };
}

/** PERF: nearly all requests end here, without an allocation. */
function isQuiet(outcome: PolicyOutcome): boolean {
  if (outcome.result.kind === "fault") return false;
  for (const rule of outcome.result.rules) if (rule.status !== "pass" && rule.status !== "skip") return false;
  return true;
}

function isViolated({ result }: PolicyOutcome): boolean {
  return (
    result.kind === "verdict" &&
    result.rules.some((rule) => rule.status === "fail" && rule.action === "Enforce")
  );
}

function faultsOf({ result, failurePolicy }: PolicyOutcome): readonly PolicyFault[] {
  if (result.kind === "fault") return [{ policy: result.policy, message: result.message, failurePolicy }];
  return result.rules
    .filter((rule) => rule.status === "error" && rule.action === "Enforce")
    .map((rule) => ({ policy: result.policy, rule: rule.rule, message: rule.message, failurePolicy }));
}

function faultText({ policy, rule, message }: Omit<PolicyFault, "failurePolicy">): string {
  return `policy ${rule === undefined ? policy : `${policy}.${rule}`}: ${message}`;
}

/** Everything of the enforced rules that is not in order, errors beside the violations included. */
function collectDenials(outcomes: readonly PolicyOutcome[]): Map<string, Map<string, string>> {
  const denials = new Map<string, Map<string, string>>();
  for (const { result } of outcomes) {
    if (result.kind === "fault") continue;
    const rules = new Map(result.rules.filter(isDenied).map((rule) => [rule.rule, rule.message]));
    if (rules.size > 0) denials.set(titleOf(result.policy, denials), rules);
  }
  return denials;
}

function isDenied(rule: RuleResult): boolean {
  return rule.action === "Enforce" && rule.status !== "pass" && rule.status !== "skip";
}

/** Upstream names a policy without its namespace; the namespace is kept where two would be one entry. */
function titleOf(policy: string, taken: ReadonlyMap<string, unknown>): string {
  const name = policy.slice(policy.indexOf("/") + 1);
  return taken.has(name) ? policy : name;
}

/** Enforced rules always speak up; audited ones where the policy asks for warnings. */
function warningsOf({ result }: PolicyOutcome): readonly string[] {
  if (result.kind === "fault") return [faultText(result)];
  return result.rules
    .filter(
      (rule) =>
        rule.status !== "pass" && rule.status !== "skip" && (rule.emitWarning || rule.action === "Enforce"),
    )
    .map((rule) => `policy ${result.policy}.${rule.rule}: ${rule.message}`);
}
