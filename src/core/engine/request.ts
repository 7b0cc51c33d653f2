/**
 * One request as the engine sees it, and the facts that belong to it. The drivers (webhook, CLI, scan, simulator) build
 * both; the engine cannot tell them apart, so that they cannot disagree.
 */
import type { Json, JsonObject } from "#json";
import type { GroupVersionKind } from "#k8s";
import type { Operation } from "#policy";

export type UserInfo = {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: JsonObject;
};

export type EvaluationRequest = {
  readonly kind: GroupVersionKind;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly operation: Operation;
  readonly namespace: string;
  readonly name: string;
  /** Null on DELETE. */
  readonly object: JsonObject | null;
  /** Null on CREATE. */
  readonly oldObject: JsonObject | null;
  /** Absent in scans, and in the CLI without user information: then matching by user is dropped from match. */
  readonly userInfo?: UserInfo;
  readonly dryRun: boolean;
  /** The AdmissionRequest as it came, where there is one: it is what policies see as `request`. */
  readonly review?: JsonObject;
};

export type LookupKind = "configMap" | "apiCall" | "globalReference" | "imageData" | "externalHost";

/** What the engine wants to know of the world. `key` is unique among lookups of all kinds. */
export type Lookup = { readonly kind: LookupKind; readonly key: string; readonly args: Json };

/**
 * The answer to a lookup. `unset` leaves the entry undeclared, as upstream's CLI does for what was not mocked; the
 * other failures carry the text that the rule's error shows.
 */
export type Fact =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "unset" }
  | {
      readonly kind: "error";
      readonly reason: "not-found" | "denied" | "timed-out" | "unsupported" | "failed";
      readonly message: string;
    };

/** Values that a test or `--values` file gives in place of context entries. Keys may be dotted paths. */
export type GivenValues = {
  readonly variables: Readonly<Record<string, Json>>;
  /** By authored rule name; also met by its autogen rules. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** By authored rule name, then variable: one value for each foreach element. */
  readonly foreach: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>;
};

export type Facts = {
  /** Milliseconds since the epoch; the only clock that policies see. */
  readonly nowMs: number;
  readonly seed: number;
  /** Absent where the namespace is not known or the resource has none. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  /** By `Lookup.key`. */
  readonly lookups: ReadonlyMap<string, Fact>;
  readonly given?: GivenValues;
};
