/**
 * A policy as decoded: every field that the engine reads has a type here, and `raw` keeps what the author wrote, for
 * the transformations that upstream does on text (autogen) and for rule types that are evaluated later.
 * SPEC: api/kyverno/v1 of Kyverno 1.19; reference/kyverno-surface.md section 1.
 */
import type { Json, JsonObject } from "#json";

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
export type FailureAction = "Audit" | "Enforce";
export type FailurePolicy = "Ignore" | "Fail";

/** Where a policy was read, so that diagnostics and results can point at it. */
export type Origin = {
  readonly file: string;
  readonly document: number;
  /** Of the object in its document, where that is a list: `/items/3`. */
  readonly pointer?: string;
};

export type Policy = {
  readonly kind: "ClusterPolicy" | "Policy";
  readonly apiVersion: string;
  readonly name: string;
  /** Set for `Policy` only (`default` where the document has none). */
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly applyRules: "All" | "One";
  readonly admission: boolean;
  readonly background: boolean;
  readonly emitWarning: boolean;
  readonly failurePolicy: FailurePolicy;
  readonly timeoutSeconds?: number;
  readonly failureAction: FailureAction;
  readonly failureActionOverrides: readonly FailureActionOverride[];
  /** The author's rules; pod controllers' rules come from `autogenRules`. */
  readonly rules: readonly Rule[];
  readonly raw: JsonObject;
  readonly origin: Origin;
};

export type FailureActionOverride = {
  /** As written; an unknown word makes the entry void. */
  readonly action: string;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelectorSpec;
};

export type LabelSelectorSpec = {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};

export type Rule = {
  readonly name: string;
  /** JSON pointer of the authored rule in its document; a generated rule keeps that of the rule it comes from. */
  readonly pointer: string;
  /** Name of the authored rule when this one was generated for pod controllers. */
  readonly generatedFrom?: string;
  readonly match: MatchBlock;
  readonly exclude?: MatchBlock;
  readonly preconditions?: Json;
  readonly celPreconditions?: readonly JsonObject[];
  readonly context: readonly ContextEntry[];
  readonly reportProperties: Readonly<Record<string, string>>;
  readonly imageExtractors?: JsonObject;
  readonly skipBackgroundRequests: boolean;
  readonly body: RuleBody;
  readonly raw: JsonObject;
};

export type RuleBody =
  | { readonly kind: "validate"; readonly validate: ValidateSpec }
  | { readonly kind: "mutate"; readonly mutate: JsonObject }
  | { readonly kind: "generate"; readonly generate: JsonObject }
  | { readonly kind: "verifyImages"; readonly verifyImages: readonly JsonObject[] };

export type ValidateSpec = {
  readonly failureAction?: FailureAction;
  readonly failureActionOverrides: readonly FailureActionOverride[];
  readonly allowExistingViolations: boolean;
  readonly message?: string;
  readonly check: ValidateCheck;
};

export type ValidateCheck =
  | { readonly kind: "pattern"; readonly pattern: Json }
  | { readonly kind: "anyPattern"; readonly patterns: readonly Json[] }
  | { readonly kind: "deny"; readonly conditions?: Json }
  | { readonly kind: "foreach"; readonly foreach: readonly ForeachSpec[] }
  | { readonly kind: "podSecurity" | "cel" | "manifests"; readonly spec: JsonObject };

export type ForeachSpec = {
  readonly list: string;
  readonly elementScope?: boolean;
  readonly context: readonly ContextEntry[];
  readonly preconditions?: Json;
  readonly check:
    | { readonly kind: "pattern"; readonly pattern: Json }
    | { readonly kind: "anyPattern"; readonly patterns: readonly Json[] }
    | { readonly kind: "deny"; readonly conditions?: Json }
    | { readonly kind: "foreach"; readonly foreach: readonly ForeachSpec[] };
};

/** `direct` is the deprecated form without any/all. */
export type MatchBlock = {
  readonly any?: readonly ResourceFilter[];
  readonly all?: readonly ResourceFilter[];
  readonly direct?: ResourceFilter;
};

export type ResourceFilter = {
  readonly resources?: ResourceDescription;
  readonly roles?: readonly string[];
  readonly clusterRoles?: readonly string[];
  readonly subjects?: readonly Subject[];
};

export type Subject = { readonly kind: string; readonly name: string; readonly namespace?: string };

export type ResourceDescription = {
  readonly kinds?: readonly string[];
  readonly name?: string;
  readonly names?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly selector?: LabelSelectorSpec;
  readonly namespaceSelector?: LabelSelectorSpec;
  readonly operations?: readonly string[];
};

/** A named value that a rule may load; exactly one source. */
export type ContextEntry = { readonly name: string; readonly source: ContextSource };

export type ContextSource =
  | { readonly kind: "variable"; readonly value?: Json; readonly jmesPath?: string; readonly default?: Json }
  | { readonly kind: "configMap"; readonly name: string; readonly namespace?: string }
  | {
      readonly kind: "apiCall";
      readonly urlPath?: string;
      readonly service?: JsonObject;
      readonly method: "GET" | "POST";
      readonly data?: readonly JsonObject[];
      readonly jmesPath?: string;
      readonly default?: Json;
    }
  | {
      readonly kind: "imageRegistry";
      readonly reference: string;
      readonly jmesPath?: string;
      readonly credentials?: JsonObject;
    }
  | { readonly kind: "globalReference"; readonly name: string; readonly jmesPath?: string };

/** `kyverno.io` PolicyException, v2 and v2beta1. */
export type PolicyException = {
  readonly name: string;
  readonly namespace: string;
  readonly background: boolean;
  readonly match: MatchBlock;
  readonly conditions?: Json;
  readonly exceptions: readonly { readonly policyName: string; readonly ruleNames: readonly string[] }[];
  readonly podSecurity: readonly JsonObject[];
  readonly raw: JsonObject;
  readonly origin: Origin;
};

/** A policy of a kind that is known and not evaluated yet (the CEL kinds, cleanup): reported, never passed over. */
export type UnsupportedPolicy = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly raw: JsonObject;
  readonly origin: Origin;
};

/** What one file of policies holds; documents of other kinds are left to the caller in `others`. */
export type ParsedPolicies = {
  readonly policies: readonly Policy[];
  readonly exceptions: readonly PolicyException[];
  readonly unsupported: readonly UnsupportedPolicy[];
  readonly others: readonly { readonly value: JsonObject; readonly origin: Origin }[];
};
