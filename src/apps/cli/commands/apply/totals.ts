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
  /** @param flagged some rule has something to say against it */
  readonly addResource: (flagged: boolean) => void;
  /** A policy that cannot be evaluated counts as one error, never as silence. */
  readonly addUnsupported: (policy: UnsupportedPolicy) => void;
  readonly resources: () => number;
  readonly summary: (used: Pick<Summary, "exceptions" | "exceptionsLeftOut">) => Summary;
};

export function createTotals(programs: readonly PolicyProgram[]): Totals {
  const policies = new Map<string, Counts>(programs.map((program) => [program.key, noCounts()]));
  const counts = noCounts();
  let resources = 0;
  let flaggedResources = 0;
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
    addResource: (flagged) => {
      resources += 1;
      if (flagged) flaggedResources += 1;
    },
    addUnsupported: (policy) => add(policyKey(policy), "error"),
    resources: () => resources,
    summary: ({ exceptions, exceptionsLeftOut }) => ({
      rules: programs.reduce((sum, program) => sum + program.rules.length, 0),
      resources,
      flaggedResources,
      exceptions,
      exceptionsLeftOut,
      policies,
      counts,
    }),
  };
}
