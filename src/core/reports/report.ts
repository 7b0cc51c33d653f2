/**
 * Report objects. In a cluster there is one report for each object (`resourceReport`), which bounds its size by the
 * number of rules; on the command line the results of all objects are merged (`mergedReports`).
 * SPEC: wgpolicyk8s.io/v1alpha2, openreports.io/v1alpha1; kyverno-surface.md sections 7.1 and 8.1.
 */
import type { JsonObject } from "#json";
import type { ObjectReference, ReportResult } from "./result.ts";
import { referenceTo } from "./result.ts";
import type { ReportSummary } from "./summary.ts";
import { summarize } from "./summary.ts";

type OwnerReference = Pick<ObjectReference, "apiVersion" | "kind" | "name" | "uid">;

export type PolicyReport = {
  readonly apiVersion: "wgpolicyk8s.io/v1alpha2" | "openreports.io/v1alpha1";
  readonly kind: "PolicyReport" | "ClusterPolicyReport" | "ClusterReport";
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly scope?: ObjectReference;
  readonly results: readonly ReportResult[];
  readonly summary: ReportSummary;
};

/**
 * The report of one object, named by its uid and owned by it, so that it goes when the object goes. Its results are
 * about the scope and do not repeat it; they are sorted by policy, rule and source.
 * @param managedBy value of the label `app.kubernetes.io/managed-by`
 */
export function resourceReport(
  resource: JsonObject,
  results: readonly ReportResult[],
  managedBy: string,
): PolicyReport {
  const scope = referenceTo(resource);
  const { namespace, resourceVersion: _version, ...identity } = scope;
  return {
    apiVersion: "wgpolicyk8s.io/v1alpha2",
    kind: namespace === undefined ? "ClusterPolicyReport" : "PolicyReport",
    metadata: {
      name: scope.uid ?? fallbackName(scope),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { "app.kubernetes.io/managed-by": managedBy },
      ...(scope.uid === undefined ? {} : { ownerReferences: [identity] }),
    },
    scope,
    results: results.toSorted(compareResults).map(withoutResources),
    summary: summarize(results),
  };
}

/** An object that was never in a cluster has no uid; kind and name tell it apart well enough in a folder. */
function fallbackName(scope: ObjectReference): string {
  return `${scope.kind ?? ""}-${scope.name ?? ""}`.toLowerCase();
}

function withoutResources({ resources: _resources, ...result }: ReportResult): ReportResult {
  return result;
}

function compareResults(a: ReportResult, b: ReportResult): number {
  return (
    compareText(a.policy, b.policy) ||
    compareText(a.rule, b.rule) ||
    compareText(a.source, b.source) ||
    a.timestamp.seconds - b.timestamp.seconds
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The reports of one run, as `kyverno apply --policy-report` has them: one ClusterReport `merged` for all cluster
 * policies, where there are results, and then one report for each namespaced policy. Results stay in their order, the
 * policies in the order of their first result.
 */
export function mergedReports(results: readonly ReportResult[]): readonly PolicyReport[] {
  const byPolicy = new Map<string, ReportResult[]>();
  for (const result of results) {
    const list = byPolicy.get(result.policy) ?? [];
    list.push(result);
    byPolicy.set(result.policy, list);
  }
  const policies = [...byPolicy];
  const clustered = policies.filter(([policy]) => !policy.includes("/")).flatMap(([, list]) => list);
  const namespaced = policies.filter(([policy]) => policy.includes("/"));
  return [
    ...(clustered.length === 0 ? [] : [openReport("ClusterReport", { name: "merged" }, clustered)]),
    ...namespaced.map(([policy, list]) => {
      const [namespace = "", name = ""] = policy.split("/");
      return openReport("PolicyReport", { name, namespace }, list);
    }),
  ];
}

function openReport(
  kind: PolicyReport["kind"],
  metadata: PolicyReport["metadata"],
  results: readonly ReportResult[],
): PolicyReport {
  return { apiVersion: "openreports.io/v1alpha1", kind, metadata, results, summary: summarize(results) };
}
