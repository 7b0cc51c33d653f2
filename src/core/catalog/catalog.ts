/**
 * The policies in force. Documents come in as a cluster has them, one at a time and in any order; what comes out is a
 * snapshot that never changes: the compiled programs in name order, found by index, and the condition of each policy.
 * INVARIANT: a bad policy shows in its own entry and in nothing else; a policy that was good keeps its last good
 * program when a change makes it unusable, so that a webhook never shrinks without a word.
 */
import type { Diagnostic } from "#diag";
import type { PolicyProgram, ProgramIndex } from "#engine";
import type { JsonObject } from "#json";
import type { Policy, Rule } from "#policy";
import type { MatchCondition } from "./configuration.ts";

/** Why a policy is not ready, as a condition's reason. */
export type NotReadyReason = "Invalid" | "NotSupportedYet" | "AdmissionDisabled";

export type Readiness =
  | { readonly ready: true }
  | {
      readonly ready: false;
      readonly reason: NotReadyReason;
      /** Says what is wrong and where. */
      readonly message: string;
      /** An older generation's program goes on in its place. */
      readonly keepsOldProgram: boolean;
    };

export type CatalogEntry = {
  readonly kind: "ClusterPolicy" | "Policy";
  readonly name: string;
  /** Empty for a ClusterPolicy. */
  readonly namespace: string;
  /** `name`, or `namespace/name`. */
  readonly key: string;
  readonly uid: string;
  /** metadata.generation of the newest document. */
  readonly generation: number;
  readonly readiness: Readiness;
  readonly diagnostics: readonly Diagnostic[];
  /** The program in force: absent where the policy never was ready. */
  readonly program?: PolicyProgram;
  /** The policy that the program was compiled from, with its computed rules (autogen included). */
  readonly inForce?: {
    readonly policy: Policy;
    readonly rules: readonly Rule[];
    readonly generation: number;
  };
  /** `spec.webhookConfiguration.matchConditions` of the policy in force. */
  readonly matchConditions: readonly MatchCondition[];
  /**
   * Whether it is called by a webhook of its own: it has match conditions, or asks to be opened when the gate is dead,
   * which must not open others.
   */
  readonly ownWebhook: boolean;
  /** Whether the program in force, or an exception from it, may ask which roles somebody has. */
  readonly needsRoles: boolean;
  /** The object as it came last, with its status. */
  readonly object: JsonObject;
};

export type CatalogSnapshot = {
  /** Grows by one with every change. */
  readonly revision: number;
  /** In name order (key, by code point). */
  readonly entries: readonly CatalogEntry[];
  /**
   * What the two webhooks for all policies ask, by the policy's failurePolicy. A policy with a webhook of its own is in
   * neither: it is found by its key.
   */
  readonly fail: ProgramIndex<PolicyProgram>;
  readonly ignore: ProgramIndex<PolicyProgram>;
  /** Policies that can neither refuse nor warn: for after the answer. They are in neither of the others. */
  readonly audited: ProgramIndex<PolicyProgram>;
  readonly isAuditOnly: (key: string) => boolean;
  readonly programOf: (key: string) => PolicyProgram | undefined;
};

export type Catalog = {
  /** Adds or replaces a ClusterPolicy, Policy or PolicyException; other kinds are ignored. */
  readonly put: (object: JsonObject) => void;
  readonly remove: (object: JsonObject) => void;
  /** The present state; the same object until something changes. Compiles what changed since the last one, and only that. */
  readonly snapshot: () => CatalogSnapshot;
};
