/**
 * Which documents are policies: what is decoded, what is known and not evaluated yet, and what a slip of the pen was
 * probably meant to be.
 */
import { specShapes } from "./shapes.ts";

/** The kinds that are decoded, with the versions of `kyverno.io` that they are served in. */
export const decodedKinds: Readonly<
  Record<"ClusterPolicy" | "Policy" | "PolicyException", readonly string[]>
> = {
  ClusterPolicy: ["v1", "v2beta1"],
  Policy: ["v1", "v2beta1"],
  PolicyException: ["v2", "v2beta1"],
};

export type DecodedKind = keyof typeof decodedKinds;

export function isDecodedKind(kind: string): kind is DecodedKind {
  return Object.hasOwn(decodedKinds, kind);
}

/** Name in `shapes.ts` of the spec of a served version. */
export function specShapeOf(kind: DecodedKind, version: string): string {
  const family = kind === "PolicyException" ? kind : "Policy";
  return specShapes[`${family}/${version}`] ?? "any";
}

/** Kinds of `kyverno.io` that are no policies: left to the caller. */
const otherKyvernoKinds: readonly string[] = ["GlobalContextEntry", "UpdateRequest"];

const unsupportedKinds: Readonly<Record<string, readonly string[] | "all">> = {
  "kyverno.io": ["CleanupPolicy", "ClusterCleanupPolicy"],
  "policies.kyverno.io": "all",
  "json.kyverno.io": "all",
  "admissionregistration.k8s.io": ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"],
};

/** A policy of a kind that is known and not evaluated yet. */
export function isUnsupportedKind(group: string, kind: string): boolean {
  const kinds = Object.hasOwn(unsupportedKinds, group) ? unsupportedKinds[group] : undefined;
  return kinds !== undefined && (kinds === "all" || kinds.includes(kind));
}

/** Every kind of the group `kyverno.io`. */
export const kyvernoKinds: readonly string[] = [
  ...Object.keys(decodedKinds),
  "CleanupPolicy",
  "ClusterCleanupPolicy",
  ...otherKyvernoKinds,
];
