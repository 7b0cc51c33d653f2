/** Counts of a run, by policy and in all; every policy has a line, also one that nothing met. */
import type { PolicyProgram, RuleStatus } from "#engine";
import type { UnsupportedPolicy } from "#policy";
import type { Counts } from "../../drive/tally.ts";
import { noCounts } from "../../drive/tally.ts";
import { policyKey } from "../../load/policies.ts";
import type { Summary } from "../../render/summary.ts";

export type Totals = {
  readonly counts: Counts;
  readonly add: (policy: string, status: RuleStatus) => void;
  readonly addResource: () => void;
  /** A policy that cannot be evaluated counts as one error, never as silence. */
  readonly addUnsupported: (policy: UnsupportedPolicy) => void;
  readonly resources: () => number;
  readonly summary: (exceptions: number) => Summary;
};

export function createTotals(programs: readonly PolicyProgram[]): Totals {
  const policies = new Map<string, Counts>(programs.map((program) => [program.key, noCounts()]));
  const counts = noCounts();
  let resources = 0;
  function add(policy: string, status: RuleStatus): void {
    let own = policies.get(policy);
    if (own === undefined) {
      own = noCounts();
      policies.set(policy, own);
    }
    own[status] += 1;
    counts[status] += 1;
  }
  return {
    counts,
    add,
    addResource: () => {
      resources += 1;
    },
    addUnsupported: (policy) => add(policyKey(policy), "error"),
    resources: () => resources,
    summary: (exceptions) => ({
      rules: programs.reduce((sum, program) => sum + program.rules.length, 0),
      resources,
      exceptions,
      policies,
      counts,
    }),
  };
}
