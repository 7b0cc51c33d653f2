/**
 * What the gate wants from the rest of the process, and what it tells it. The gate knows no cluster: policies,
 * namespaces, roles and lookups come through these ports, and what happened goes out to an observer. Nothing here may
 * be slow but `lookup`, which has its own deadline.
 */
import type { CatalogSnapshot } from "#catalog";
import type { EvaluationRequest, Fact, Lookup, PolicyFault, PolicyProgram, UserInfo, Verdict } from "#engine";
import type { JsonObject } from "#json";

export type GatePorts = {
  /** The policies in force; asked once a request. */
  readonly policies: () => CatalogSnapshot;
  /** Whether the operator's configuration keeps this request from all policies. */
  readonly isExcluded: (request: EvaluationRequest, roles: Roles) => boolean;
  /** Labels of a namespace; `undefined` where it is not known. */
  readonly namespaceLabels: (namespace: string) => Readonly<Record<string, string>> | undefined;
  readonly rolesOf: (user: UserInfo) => Roles;
  /** Answers a lookup within `timeoutMs`, or with a typed error. Never rejects. */
  readonly lookup: (lookup: Lookup, timeoutMs: number) => Promise<Fact>;
  /** Diagnostics for a policy, exception or other object of the policy kinds: errors refuse, the others warn. */
  readonly review: (object: JsonObject) => {
    readonly errors: readonly string[];
    readonly warnings: readonly string[];
  };
  /** A canary request came in; the text is returned to the API server as a warning, and so to whoever sent it. */
  readonly canary: (request: JsonObject) => string;
  /** Ready: compiled what was seen. Not ready says why. */
  readonly readiness: () => { readonly ready: boolean; readonly reasons: readonly string[] };
  /** The process is about to end: no new calls should come, and those that come are answered. */
  readonly leaving: () => boolean;
  /** Results of audited rules, once the loop is idle; never awaited. */
  readonly audited: (results: AuditedRequest) => void;
  readonly observer: GateObserver;
  readonly nowMs: () => number;
  readonly seed: () => number;
};

export type Roles = { readonly roles: readonly string[]; readonly clusterRoles: readonly string[] };

export type AuditedRequest = {
  readonly uid: string;
  readonly request: EvaluationRequest;
  readonly verdicts: readonly { readonly program: PolicyProgram; readonly verdict: Verdict }[];
};

/** `shed`: not looked at, for want of room or time. `fault`: a 5xx, so that the failurePolicy decides. */
export type Answer = "allowed" | "denied" | "fault" | "shed";

/** A stable word for each kind of fault, for counters: lists are in the reference page of metrics. */
export type FaultCode =
  | "bad-request"
  | "too-large"
  | "overload"
  | "deadline"
  | "lookup"
  | "budget"
  | "evaluation"
  | "unknown-policy"
  | "not-ready"
  | "bug";

export type GateEvent = {
  /** `fail`, `ignore`, or the path of another webhook (`policy`, `canary`). */
  readonly webhook: string;
  readonly answer: Answer;
  readonly uid: string;
  readonly request: EvaluationRequest | undefined;
  /** Milliseconds from the last byte of the request to the answer. */
  readonly durationMs: number;
  /** Milliseconds that were left until the API server's deadline; absent where it named none. */
  readonly marginMs: number | undefined;
  readonly message: string;
  readonly code: FaultCode | undefined;
  /** Faults of single policies, listed whatever the answer. */
  readonly faults: readonly PolicyFault[];
};

export type GateObserver = {
  readonly answered: (event: GateEvent) => void;
  /** One policy's evaluation: for latency by policy; `steps` of its budget are not timed. */
  readonly evaluated: (policy: string, milliseconds: number) => void;
  readonly auditDropped: (count: number) => void;
};
