/**
 * One entry of a policy report: what a rule said about an object, in the words of the report kinds. `wgpolicyk8s.io`
 * and `openreports.io` share its fields, so that dashboards read both.
 * SPEC: Kyverno 1.19 pkg/utils/report; kyverno-surface.md section 7.1.
 */
import type { JsonObject } from "#json";
import { isObject, member } from "#json";
import type { RuleResult, RuleStatus, Verdict } from "#engine";

export type ObjectReference = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly resourceVersion?: string;
  readonly uid?: string;
};

/** Members that are empty are absent; `scored` is absent where it is false, as upstream encodes it. */
export type ReportResult = {
  readonly source: string;
  readonly policy: string;
  readonly rule: string;
  readonly result: RuleStatus;
  readonly message?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly scored?: true;
  readonly properties?: Readonly<Record<string, string>>;
  readonly timestamp: { readonly seconds: number; readonly nanos: 0 };
  readonly resources?: readonly ObjectReference[];
};

/** What one policy said about one object. `background` and `admission` are the policy's own switches. */
export type Evaluated = {
  readonly resource: JsonObject;
  readonly verdict: Verdict;
  readonly background: boolean;
  readonly admission: boolean;
};

export type ReportOptions = {
  /** Who speaks: `postern`, or `kyverno` where its names are adopted. */
  readonly source: string;
  /** Milliseconds since the epoch; reports keep whole seconds. */
  readonly nowMs: number;
  /** Failures of rules in Audit count as warnings. */
  readonly auditWarn: boolean;
};

const severities: ReadonlySet<string> = new Set(["critical", "high", "medium", "low", "info"]);

/** The report entries of one verdict, a rule each, in the verdict's order. */
export function reportResults(evaluated: Evaluated, options: ReportOptions): readonly ReportResult[] {
  return evaluated.verdict.rules.map((rule) => reportResult(evaluated, rule, options));
}

function reportResult(evaluated: Evaluated, rule: RuleResult, options: ReportOptions): ReportResult {
  const { verdict } = evaluated;
  const message = messageOf(rule);
  const severity = verdict.severity ?? "";
  return {
    source: options.source,
    policy: verdict.policy,
    rule: rule.rule,
    result: resultOf(rule, verdict.scored, options.auditWarn),
    ...(message === "" ? {} : { message }),
    ...(severities.has(severity) ? { severity } : {}),
    ...(verdict.category === undefined || verdict.category === "" ? {} : { category: verdict.category }),
    ...(verdict.scored ? { scored: true } : {}),
    properties: propertiesOf(evaluated, rule),
    timestamp: { seconds: Math.floor(options.nowMs / 1000), nanos: 0 },
    resources: [referenceTo(evaluated.resource)],
  };
}

function resultOf(rule: RuleResult, scored: boolean, auditWarn: boolean): RuleStatus {
  if (rule.status !== "fail") return rule.status;
  return !scored || (auditWarn && rule.action === "Audit") ? "warn" : "fail";
}

/** Properties may carry a message for a status, and one for all, which is stronger. */
function messageOf(rule: RuleResult): string {
  const { properties = {} } = rule;
  return properties["message"] || properties[`${rule.status}Message`] || rule.message;
}

function propertiesOf(
  { background, admission }: Evaluated,
  rule: RuleResult,
): Readonly<Record<string, string>> {
  const names = (rule.exceptions ?? []).map((key) => key.slice(key.indexOf("/") + 1));
  return {
    ...rule.properties,
    process: background ? "background scan" : admission ? "admission review" : "",
    ...(names.length === 0 ? {} : { exceptions: names.join(",") }),
  };
}

/** The object as reports refer to it. */
export function referenceTo(resource: JsonObject): ObjectReference {
  const metadata = member(resource, "metadata");
  const from = isObject(metadata) ? metadata : {};
  const pairs = [
    ...["apiVersion", "kind"].map((key) => [key, member(resource, key)] as const),
    ...["name", "namespace", "resourceVersion", "uid"].map((key) => [key, member(from, key)] as const),
  ];
  return Object.fromEntries(pairs.filter(([, value]) => typeof value === "string" && value !== ""));
}
