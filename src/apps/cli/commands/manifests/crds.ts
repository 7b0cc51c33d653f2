/**
 * The policy kinds as CustomResourceDefinitions: the versions, names and columns that upstream's have, so that either may
 * be installed over the other, and a schema that keeps every field. What is wrong in a policy is said by Postern's own
 * decoder, with the place and a fix, which a schema cannot do.
 * SPEC: kyverno-surface.md section 1; the CRDs of Kyverno 1.19.
 */
import type { JsonObject } from "#json";

type Kind = {
  readonly kind: string;
  readonly plural: string;
  readonly short: string;
  readonly scope: "Cluster" | "Namespaced";
  /** The first is stored. */
  readonly versions: readonly string[];
  readonly isPolicy: boolean;
};

const kinds: readonly Kind[] = [
  {
    kind: "ClusterPolicy",
    plural: "clusterpolicies",
    short: "cpol",
    scope: "Cluster",
    versions: ["v1", "v2beta1"],
    isPolicy: true,
  },
  {
    kind: "Policy",
    plural: "policies",
    short: "pol",
    scope: "Namespaced",
    versions: ["v1", "v2beta1"],
    isPolicy: true,
  },
  {
    kind: "PolicyException",
    plural: "policyexceptions",
    short: "polex",
    scope: "Namespaced",
    versions: ["v2", "v2beta1"],
    isPolicy: false,
  },
];

const keepsAll: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const column = (name: string, jsonPath: string, type: string, priority = 0): JsonObject => ({
  name,
  jsonPath,
  type,
  ...(priority === 0 ? {} : { priority }),
});

const columns: readonly JsonObject[] = [
  column("ADMISSION", ".spec.admission", "boolean"),
  column("BACKGROUND", ".spec.background", "boolean"),
  column("READY", '.status.conditions[?(@.type == "Ready")].status', "string"),
  column("AGE", ".metadata.creationTimestamp", "date"),
  column("FAILURE POLICY", ".spec.failurePolicy", "string", 1),
  column("VALIDATE", ".status.rulecount.validate", "integer", 1),
  column("PARTLY", '.status.conditions[?(@.type == "PartiallyEnforced")].status', "string", 1),
  column("MESSAGE", '.status.conditions[?(@.type == "Ready")].message', "string"),
];

export function crdManifests(): readonly JsonObject[] {
  return kinds.map(({ kind, plural, short, scope, versions, isPolicy }) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.kyverno.io` },
    spec: {
      group: "kyverno.io",
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [short],
        categories: ["kyverno"],
      },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        ...(isPolicy ? { subresources: { status: {} }, additionalPrinterColumns: columns } : {}),
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              spec: keepsAll,
              status: keepsAll,
            },
          },
        },
      })),
    },
  }));
}
