/** Where results go: one sink a format. Each gets the resources in order and the totals at the end. */
import type { Verdict } from "#engine";
import type { UnsupportedPolicy } from "#policy";
import type { LoadedResource } from "../../load/resources.ts";
import type { Finding } from "../../render/findings.ts";
import type { Summary } from "../../render/summary.ts";

export type Sink = {
  /** @param findings the results that are worth a line: all with `--detailed-results` */
  readonly resource: (
    loaded: LoadedResource,
    verdicts: readonly Verdict[],
    findings: readonly Finding[],
  ) => void;
  readonly unsupported: (policy: UnsupportedPolicy) => void;
  readonly end: (summary: Summary) => void;
};

/** What is said of a policy that is known and not evaluated. */
export function unsupportedMessage(policy: UnsupportedPolicy): string {
  return `${policy.kind} (${policy.apiVersion}) is not supported yet: it was not evaluated`;
}
