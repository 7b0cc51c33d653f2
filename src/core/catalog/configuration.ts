/**
 * The operator's configuration in upstream's words: the ConfigMap that Kyverno installations already have (its keys
 * are read as they are), decoded and checked. What is wrong in it is a diagnostic; the key then counts as not set, and
 * the rest stands.
 * SPEC: Kyverno 1.19 pkg/config; kyverno-surface.md section 7.7.
 */
import type { Json, JsonObject } from "#json";
import type { LabelSelectorSpec } from "#policy";

export type MatchCondition = { readonly name: string; readonly expression: string };

export type ResourceFilterEntry = {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
};

export type GateConfiguration = {
  readonly resourceFilters: readonly ResourceFilterEntry[];
  /** Wildcards; an entry that starts with `!` takes back what others exclude. */
  readonly excludeGroups: readonly string[];
  readonly excludeUsernames: readonly string[];
  readonly excludeRoles: readonly string[];
  readonly excludeClusterRoles: readonly string[];
  readonly namespaceSelector?: LabelSelectorSpec;
  readonly objectSelector?: LabelSelectorSpec;
  readonly matchConditions: readonly MatchCondition[];
  readonly webhookAnnotations: Readonly<Record<string, string>>;
  readonly webhookLabels: Readonly<Record<string, string>>;
  /** What could not be read, one sentence a key. */
  readonly problems: readonly string[];
  /** The ConfigMap's data as it came, for later readers. */
  readonly data: Readonly<Record<string, Json>> | JsonObject;
};
