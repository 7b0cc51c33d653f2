import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  createDiscovery,
  createKubeClient,
  createObjects,
  isAlreadyExists,
  isConflict,
  isGone,
  isNotFound,
  loadClusterConfig,
} from "#kube";
import type { ClusterConfig, Discovery, KubeClient } from "#kube";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, canRun } from "../control-plane/suites.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const secrets = { group: "", version: "v1", resource: "secrets" };
const pods = { group: "", version: "v1", resource: "pods" };
const budgets = { group: "policy", version: "v1", resource: "poddisruptionbudgets" };

/** What is served, a line each, in an order of its own. */
function rowsOf({ resources }: Discovery): readonly string[] {
  return resources
    .map(({ group, version, resource, kind, namespaced, preferred, verbs, subresources }) => {
      const below = subresources
        .map((sub) => `${sub.name}=${sub.group}/${sub.version} ${sub.kind}`)
        .toSorted();
      const where = `${namespaced ? "namespaced" : "cluster"}${preferred ? ", preferred" : ""}`;
      return `${group}/${version} ${resource} ${kind} ${where}: ${verbs.toSorted().join()} [${below.join()}]`;
    })
    .toSorted();
}

describe.runIf(canRun)("the client, on a real API server", () => {
  let plane: ControlPlane;
  let config: ClusterConfig;
  let client: KubeClient;
  const clientOf = (more: Partial<ClusterConfig> = {}): KubeClient =>
    createKubeClient(
      { ...config, ...more },
      { userAgent: "postern-e2e", nowMs: Date.now, random: Math.random },
    );

  beforeAll(async () => {
    plane = await startControlPlane({
      version: anyVersion,
      // Secrets are read from etcd, and etcd forgets soon: that is how a list becomes too old between its pages.
      apiServerFlags: ["--etcd-compaction-interval=5s", "--watch-cache-sizes=secrets#0"],
    });
    config = await loadClusterConfig({ env: {}, nowMs: Date.now, kubeconfig: plane.kubeconfig });
    client = clientOf();
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

  test("discovery group by group says the same as the aggregated one", async () => {
    const plain: KubeClient = {
      ...client,
      send: (call) => client.send({ ...call, accept: "application/json" }),
    };
    const [aggregated, classic] = [
      await createDiscovery(client).refresh(),
      await createDiscovery(plain).refresh(),
    ];
    expect(aggregated.resources.length).toBeGreaterThan(50);
    expect(rowsOf(classic)).toEqual(rowsOf(aggregated));
    expect(classic.failed).toEqual([]);
  });

  test("a list that the server forgot between two pages goes on with what there is, each object once", async () => {
    const objects = createObjects(client, secrets, "command");
    const secret = (name: string) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace: "default" },
    });
    const names = Array.from({ length: 510 }, (_, index) => `page-${String(index).padStart(3, "0")}`);
    for (let at = 0; at < names.length; at += 30) {
      await Promise.all(names.slice(at, at + 30).map((name) => objects.create(secret(name))));
    }
    const seen: string[] = [];
    for await (const object of objects.list({ namespace: "default" })) {
      seen.push(String((object["metadata"] as Record<string, unknown>)["name"]));
      if (seen.length !== 500) continue;
      await objects.create(secret("page-zzz"));
      await objects.remove("default", "page-505");
      await forgotten(client);
    }
    expect(seen.toSorted()).toEqual([...names.filter((name) => name !== "page-505"), "page-zzz"]);
  });

  test("an eviction that the server turns away unread is made again when the server wants, and only then", async () => {
    await createObjects(client, { ...pods, resource: "serviceaccounts" }, "command").create({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "default", namespace: "default" },
    });
    const meta = { name: "kept", namespace: "default", labels: { app: "kept" } };
    await createObjects(client, pods, "command").create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: meta,
      spec: {
        automountServiceAccountToken: false,
        nodeName: "nowhere",
        containers: [{ name: "c", image: "x" }],
      },
    });
    await createObjects(client, pods, "command").patch(
      meta,
      "merge",
      { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      { subresource: "status" },
    );
    const objects = createObjects(client, budgets, "command");
    await objects.create({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "kept", namespace: "default" },
      spec: { minAvailable: 1, selector: { matchLabels: { app: "kept" } } },
    });
    const evict = (timeoutMs: number) =>
      client.send({
        method: "POST",
        path: "/api/v1/namespaces/default/pods/kept/eviction",
        body: {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: "kept", namespace: "default" },
        },
        purpose: "command",
        timeoutMs,
      });
    const asked = () => client.counts().find((row) => row.method === "POST" && row.code === 429)?.count ?? 0;
    // Nobody has looked at the budget yet: the server says when to come back, which is later than this call has time.
    await expect(evict(3000)).rejects.toMatchObject({
      status: 429,
      reason: "TooManyRequests",
      retryAfterSeconds: 10,
    });
    expect(asked()).toBe(1);
    const patient = evict(30_000);
    await expect.poll(asked).toBe(2);
    const status = (disruptionsAllowed: number) =>
      objects.patch(
        { namespace: "default", name: "kept" },
        "merge",
        {
          status: {
            observedGeneration: 1,
            disruptionsAllowed,
            currentHealthy: 1 + disruptionsAllowed,
            desiredHealthy: 1,
            expectedPods: 1,
          },
        },
        { subresource: "status" },
      );
    // Once somebody has, its no is the answer: the call that was waiting has it, and does not insist.
    await status(0);
    await expect(patient).rejects.toMatchObject({ status: 429, retryAfterSeconds: undefined });
    expect(asked()).toBe(3);
    await status(1);
    expect((await evict(3000)).status).toBe(201);
  });

  test("calls are made as somebody else, with all that is said of them", async () => {
    const ann = clientOf({
      impersonate: {
        user: "ann",
        uid: "7",
        groups: ["devs", "ops"],
        extra: { "example.org/Scope": ["a", "b"] },
      },
    });
    const { body } = await ann.send({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      purpose: "command",
    });
    expect(body).toMatchObject({
      status: {
        userInfo: {
          username: "ann",
          uid: "7",
          groups: ["devs", "ops", "system:authenticated"],
          extra: { "example.org/scope": ["a", "b"] },
        },
      },
    });
    ann.close();
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

/** Until the server no longer knows a list that begins now. */
async function forgotten(client: KubeClient): Promise<void> {
  const path = "/api/v1/namespaces/default/secrets";
  const { body } = await client.send({ method: "GET", path, query: { limit: "1" }, purpose: "command" });
  const token = (body as { metadata: { continue: string } }).metadata.continue;
  const next = () =>
    client
      .send({ method: "GET", path, query: { limit: "1", continue: token }, purpose: "command" })
      .then(() => false, isGone);
  await expect.poll(next, { timeout: 60_000, interval: 500 }).toBe(true);
}
