/**
 * How results are counted and what follows for the exit code, as upstream's command line does it.
 * SPEC: kyverno-surface.md section 8.1 (Counters, Exit).
 */
import type { RuleResult, RuleStatus, Verdict } from "#engine";
import { exitCodes } from "../command.ts";

export type Counts = Record<RuleStatus, number>;

export function noCounts(): Counts {
  return { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
}

/** The status that a result counts as: a failure that is not scored is a warning, so is one in Audit if asked for. */
export function countedStatus(
  result: Pick<RuleResult, "status" | "action">,
  verdict: Pick<Verdict, "scored">,
  auditWarn: boolean,
): RuleStatus {
  if (result.status !== "fail") return result.status;
  return !verdict.scored || (auditWarn && result.action === "Audit") ? "warn" : "fail";
}

export type ExitOptions = { readonly warnExitCode: number; readonly warnNoPass: boolean };

/** The exit code that the counts ask for, where all input was read. */
export function exitCodeOf(counts: Counts, options: ExitOptions): number {
  if (counts.fail > 0 || counts.error > 0) return exitCodes.policyResult;
  if (counts.warn > 0 && options.warnExitCode !== 0) return options.warnExitCode;
  if (counts.pass === 0 && options.warnNoPass) return options.warnExitCode;
  return exitCodes.fine;
}
