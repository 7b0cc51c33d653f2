import { expect, test } from "vitest";
import { gvkOf } from "./gvk.ts";
import { kindTable } from "./kind-table.ts";
import { isNamespaced, knownKind, pluralOf } from "./kinds.ts";

test.each([
  ["v1", "Pod", true, "pods"],
  ["v1", "Namespace", false, "namespaces"],
  ["v1", "Endpoints", true, "endpoints"],
  ["apps/v1", "Deployment", true, "deployments"],
  ["rbac.authorization.k8s.io/v1beta1", "ClusterRole", false, "clusterroles"],
  ["networking.k8s.io/v1", "NetworkPolicy", true, "networkpolicies"],
  ["networking.k8s.io/v1", "ServiceCIDR", false, "servicecidrs"],
  ["kyverno.io/v1", "ClusterPolicy", false, "clusterpolicies"],
  ["example.com/v1", "Gateway", true, "gatewaies"],
  ["example.com/v1", "Address", true, "addresses"],
  ["example.com/v1", "Widget", true, "widgets"],
  ["example.com/v1", "Pod", true, "pods"],
])("%s %s", (apiVersion, kind, namespaced, plural) => {
  const gvk = gvkOf(apiVersion, kind);
  expect(isNamespaced(gvk)).toBe(namespaced);
  expect(pluralOf(gvk)).toBe(plural);
});

test("subresources name the kind that they take", () => {
  const pod = knownKind("", "Pod");
  expect(pod?.subresources.get("exec")).toBe("PodExecOptions");
  expect(pod?.subresources.get("ephemeralcontainers")).toBe("Pod");
  expect(knownKind("apps", "Deployment")?.subresources.get("scale")).toBe("Scale");
  expect(knownKind("apps", "Pod")).toBeUndefined();
});

test("every row of the table is well formed and no kind stands twice in a group", () => {
  for (const [group, rows] of Object.entries(kindTable)) {
    const kinds = rows.map((row) => row.split(" ")[0]);
    expect(new Set(kinds).size, group).toBe(kinds.length);
    for (const row of rows) expect(row).toMatch(/^[A-Z]\w+ [a-z]+ [NC](?: [a-z]+=[A-Z]\w+)*$/);
  }
});
