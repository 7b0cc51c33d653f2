/** The kinds that Postern watches, as a cluster has them after an installation; their schemas let everything through. */
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { until } from "../control-plane/child.ts";

type PolicyKind = {
  readonly kind: string;
  readonly plural: string;
  readonly version: string;
  readonly scope: "Cluster" | "Namespaced";
};

const kinds: readonly PolicyKind[] = [
  { kind: "ClusterPolicy", plural: "clusterpolicies", version: "v1", scope: "Cluster" },
  { kind: "Policy", plural: "policies", version: "v1", scope: "Namespaced" },
  { kind: "PolicyException", plural: "policyexceptions", version: "v2", scope: "Namespaced" },
];

/** Resolves when the API server serves them. */
export async function installPolicyKinds(plane: ControlPlane): Promise<void> {
  for (const { kind, plural, version, scope } of kinds) {
    const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const { status, text } = await plane.call({
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      body: {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${plural}.kyverno.io` },
        spec: {
          group: "kyverno.io",
          scope,
          names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
          versions: [
            {
              name: version,
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
            },
          ],
        },
      },
    });
    if (status !== 201) throw new Error(text);
    await until(`${plural} to be served`, async () => {
      const answer = await plane.call({ method: "GET", path: `/apis/kyverno.io/${version}/${plural}` });
      return answer.status === 200 ? true : undefined;
    });
  }
}
