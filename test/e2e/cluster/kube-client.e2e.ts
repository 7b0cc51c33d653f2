import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  createDiscovery,
  createKubeClient,
  createObjects,
  isAlreadyExists,
  isConflict,
  isNotFound,
  loadClusterConfig,
} from "#kube";
import type { KubeClient } from "#kube";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, canRun } from "../control-plane/suites.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };

describe.runIf(canRun)("the client, on a real API server", () => {
  let plane: ControlPlane;
  let client: KubeClient;

  beforeAll(async () => {
    plane = await startControlPlane({ version: anyVersion });
    const config = await loadClusterConfig({ env: {}, nowMs: Date.now, kubeconfig: plane.kubeconfig });
    client = createKubeClient(config, { userAgent: "postern-e2e", nowMs: Date.now, random: Math.random });
  });

  afterAll(async () => {
    client.close();
    await plane.stop();
  });

  const configMap = (name: string, data: Record<string, string> = {}) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", labels: { made: "here" } },
    data,
  });

  test("an object is made, read, changed, applied to and removed", async () => {
    const objects = createObjects(client, configMaps, "command");
    const made = await objects.create(configMap("one", { a: "1" }));
    await expect(objects.create(configMap("one"))).rejects.toSatisfy(isAlreadyExists);
    await objects.patch({ namespace: "default", name: "one" }, "merge", { data: { b: "2" } });
    await expect(objects.replace(made)).rejects.toSatisfy(isConflict);
    await objects.apply(configMap("one", { c: "3" }), { fieldManager: "e2e" });
    expect((await objects.get("default", "one"))["data"]).toEqual({ a: "1", b: "2", c: "3" });
    await objects.create(configMap("two"), { dryRun: true });
    await expect(objects.get("default", "two")).rejects.toSatisfy(isNotFound);
    await objects.remove("default", "one");
    await objects.remove("default", "one");
    await expect(objects.get("default", "one")).rejects.toSatisfy(isNotFound);
  });

  test("a list of more than a page has each object once", async () => {
    const objects = createObjects(client, configMaps, "command");
    const names = Array.from({ length: 620 }, (_, index) => `page-${index}`);
    for (let at = 0; at < names.length; at += 20) {
      await Promise.all(names.slice(at, at + 20).map((name) => objects.create(configMap(name))));
    }
    const seen: string[] = [];
    for await (const object of objects.list({ namespace: "default", labelSelector: "made=here" })) {
      seen.push(String((object["metadata"] as Record<string, unknown>)["name"]));
    }
    expect(seen.toSorted()).toEqual(names.toSorted());
  });

  test("discovery knows the kinds, their scope and their subresources", async () => {
    const discovery = createDiscovery(client);
    expect(discovery.current()).toBeUndefined();
    const { resources, failed } = await discovery.refresh();
    const find = (group: string, resource: string) =>
      resources.find((entry) => entry.group === group && entry.resource === resource && entry.preferred);
    expect(failed).toEqual([]);
    expect(find("", "namespaces")).toMatchObject({ kind: "Namespace", namespaced: false });
    expect(find("apps", "deployments")).toMatchObject({
      kind: "Deployment",
      namespaced: true,
      version: "v1",
    });
    expect(find("apps", "deployments")?.subresources).toContainEqual({
      name: "scale",
      kind: "Scale",
      group: "autoscaling",
      version: "v1",
    });
  });

  test("texts of warnings come with the answer", async () => {
    const { warnings } = await client.send({
      method: "POST",
      path: "/apis/apps/v1/namespaces/default/deployments",
      query: { dryRun: "All" },
      body: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "d", namespace: "default" },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: {
            metadata: { labels: { a: "b" } },
            spec: {
              containers: [{ name: "c", image: "x" }],
              nodeSelector: { "beta.kubernetes.io/arch": "amd64" },
            },
          },
        },
      },
      purpose: "command",
    });
    expect(warnings.join("\n")).toContain("beta.kubernetes.io/arch");
  });

  test("a watch tells of what happens after it began", async () => {
    const objects = createObjects(client, configMaps, "command");
    const { body } = await client.send({
      method: "GET",
      path: "/api/v1/namespaces/default/configmaps",
      query: { limit: "1" },
      purpose: "watch",
    });
    const version = (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    const stream = await client.watch({
      method: "GET",
      path: "/api/v1/namespaces/default/configmaps",
      query: { watch: "true", resourceVersion: version },
      purpose: "watch",
    });
    await objects.create(configMap("watched"));
    for await (const event of stream) {
      expect(event).toMatchObject({ type: "ADDED", object: { metadata: { name: "watched" } } });
      break;
    }
    stream.close();
  });

  test("what is refused says the call and the server's reason", async () => {
    await expect(
      client.send({ method: "GET", path: "/api/v1/namespaces/default/configmaps/none", purpose: "command" }),
    ).rejects.toThrow('GET /api/v1/namespaces/default/configmaps/none: configmaps "none" not found');
    expect(client.counts()).toContainEqual(
      expect.objectContaining({ purpose: "command", method: "GET", code: 404 }) as unknown,
    );
  });
});
