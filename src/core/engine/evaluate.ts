/**
 * The one evaluation path. Every door (webhook, scan, CLI, simulator) calls `evaluate` with a program, a request and
 * the facts that it has; the answer is a verdict, or the lookups that are missing. It is synchronous and pure: the same
 * arguments give the same answer, and nothing here knows a cluster from a folder of files.
 * SPEC: Kyverno 1.19 pkg/engine/validation.go, engine.go (order of the steps); kyverno-surface.md sections 1.1, 1.5.
 */
import { Budget, Interruption } from "#diag";

import { EvaluationRun } from "./context/evaluation-run.ts";
import type { PolicyProgram, RuleProgram, RuleVariant } from "./program.ts";
import type { EvaluationRequest, Facts } from "./request.ts";
import type { TraceSink } from "./trace.ts";
import type { Needs, RuleResult, Verdict } from "./verdict.ts";

const NO_RESULTS: readonly RuleResult[] = [];

/** Pod controllers whose pods an authored rule sees through its generated ones. */
const controllerVariants: ReadonlyMap<string, RuleVariant> = new Map([
  ["DaemonSet", "template"],
  ["Deployment", "template"],
  ["Job", "template"],
  ["ReplicaSet", "template"],
  ["ReplicationController", "template"],
  ["StatefulSet", "template"],
  ["CronJob", "cronjob"],
]);

/**
 * Evaluates one policy.
 * @param trace hears the steps of a program that was compiled with `traced`
 * @returns a verdict with one result a rule that answered, or `Needs` with every lookup that could be named in this pass
 */
export function evaluate(
  program: PolicyProgram,
  request: EvaluationRequest,
  facts: Facts,
  trace?: TraceSink,
): Verdict | Needs {
  const run = new EvaluationRun(request, facts, new Budget(program.budget), { trace });
  const rules = runRules(program, run);
  const { lookups } = run;
  if (lookups !== undefined) return { kind: "needs", lookups: [...lookups.values()] };
  const { key, scored, labels } = program;
  return {
    kind: "verdict",
    policy: key,
    scored,
    severity: labels.severity,
    category: labels.category,
    rules,
  };
}

function runRules(program: PolicyProgram, run: EvaluationRun): readonly RuleResult[] {
  let results: RuleResult[] | undefined;
  const variant = controllerVariants.get(run.request.kind.kind);
  for (const rule of program.rules) {
    if (rule.variant !== "authored" && rule.variant !== variant) continue;
    if (!rule.match.matches(run.request, run.facts)) {
      if (run.trace !== undefined) traceMismatch(rule, run, run.trace);
      continue;
    }
    const result = runRule(rule, run);
    if (result === undefined) continue;
    // PERF: a literal takes what it holds, a list that grows takes 17 places.
    if (results === undefined) results = [result];
    else results.push(result);
    if (program.stopsAfterFirst && (result.status === "pass" || result.status === "fail")) break;
  }
  return results ?? NO_RESULTS;
}

/** A rule that waits for a lookup has no result in this pass; the others go on, to name theirs. */
function runRule(rule: RuleProgram, run: EvaluationRun): RuleResult | undefined {
  try {
    return rule.evaluate(run);
  } catch (thrown) {
    if (!(thrown instanceof Interruption)) throw thrown;
    if (thrown.reason === "pending") return undefined;
    return rule.overBudget(run);
  }
}

function traceMismatch({ rule, match }: RuleProgram, run: EvaluationRun, trace: TraceSink): void {
  const outcome = match.explain(run.request, run.facts) ?? "";
  trace.emit({ rule: rule.name, step: "match", outcome });
}
