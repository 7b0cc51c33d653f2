/** The same server, told in its two ways: what is served, what is preferred, and what is down. */
import { describe, expect, test } from "vitest";

import type { Json } from "#json";
import type { ApiResource, KubeCall, KubeClient } from "./contract.ts";
import { createDiscovery } from "./discovery.ts";
import { KubeError } from "./kube-error.ts";

type Paths = Record<string, Json | (() => Json)>;

function clientOf(paths: Paths): { readonly client: KubeClient; readonly calls: KubeCall[] } {
  const calls: KubeCall[] = [];
  const client: KubeClient = {
    server: "https://a",
    async send(call) {
      calls.push(call);
      const answer = paths[call.path];
      if (answer === undefined) throw new KubeError({ status: 503, reason: "", message: call.path });
      return { status: 200, body: typeof answer === "function" ? answer() : answer, warnings: [] };
    },
    watch: () => Promise.reject(new Error("not here")),
    counts: () => [],
    close: () => undefined,
  };
  return { client, calls };
}

const kind = (group: string, version: string, name: string) => ({ group, version, kind: name });
const verbs = ["create", "get", "list"];

const aggregatedCore = {
  kind: "APIGroupDiscoveryList",
  items: [
    {
      metadata: { name: "" },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              resource: "pods",
              responseKind: kind("", "v1", "Pod"),
              scope: "Namespaced",
              verbs,
              subresources: [
                { subresource: "eviction", responseKind: kind("policy", "v1", "Eviction") },
                { subresource: "status", responseKind: kind("", "v1", "Pod") },
              ],
            },
            { resource: "namespaces", responseKind: kind("", "v1", "Namespace"), scope: "Cluster", verbs },
          ],
        },
      ],
    },
  ],
};

const aggregatedGroups = {
  kind: "APIGroupDiscoveryList",
  items: [
    {
      metadata: { name: "autoscaling" },
      versions: ["v2", "v1"].map((version) => ({
        version,
        resources: [
          {
            resource: "horizontalpodautoscalers",
            responseKind: kind("autoscaling", version, "HorizontalPodAutoscaler"),
            scope: "Namespaced",
            verbs,
          },
        ],
      })),
    },
    {
      metadata: { name: "subresources.kubevirt.io" },
      versions: [
        {
          version: "v1",
          freshness: "Stale",
          resources: [
            { resource: "machines", responseKind: null, subresources: [{ subresource: "console" }] },
            {
              resource: "guests",
              responseKind: kind("subresources.kubevirt.io", "v1", "Guest"),
              subresources: [
                { subresource: "logs", responseKind: kind("", "v1", "Pod") },
                { subresource: "console" },
              ],
            },
          ],
        },
      ],
    },
  ],
};

const classicCore = { "/api": { kind: "APIVersions", versions: ["v1"] } };
const classicGroups = {
  "/apis": {
    kind: "APIGroupList",
    groups: [
      {
        name: "autoscaling",
        versions: [{ version: "v2" }, { version: "v1" }],
        preferredVersion: { version: "v2" },
      },
      { name: "metrics.k8s.io", versions: [{ version: "v1" }], preferredVersion: { version: "v1" } },
    ],
  },
  "/apis/autoscaling/v1": {
    resources: [
      {
        name: "horizontalpodautoscalers",
        kind: "HorizontalPodAutoscaler",
        namespaced: true,
        verbs,
      },
    ],
  },
  "/apis/autoscaling/v2": {
    resources: [
      {
        name: "horizontalpodautoscalers",
        kind: "HorizontalPodAutoscaler",
        namespaced: true,
        verbs,
      },
    ],
  },
};
const classicV1 = {
  "/api/v1": {
    resources: [
      { name: "pods", kind: "Pod", namespaced: true, verbs },
      { name: "pods/eviction", kind: "Eviction", group: "policy", version: "v1", namespaced: true, verbs },
      { name: "pods/status", kind: "Pod", namespaced: true, verbs },
      { name: "namespaces", kind: "Namespace", namespaced: false, verbs },
    ],
  },
};

const pods = {
  group: "",
  version: "v1",
  resource: "pods",
  kind: "Pod",
  namespaced: true,
  verbs,
  subresources: [
    { name: "eviction", kind: "Eviction", group: "policy", version: "v1" },
    { name: "status", kind: "Pod", group: "", version: "v1" },
  ],
  preferred: true,
};
const spaces = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
  verbs,
  subresources: [],
  preferred: true,
};
const autoscaler = (version: string, preferred: boolean) => ({
  group: "autoscaling",
  version,
  resource: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  namespaced: true,
  verbs,
  subresources: [],
  preferred,
});

function byPlace(one: ApiResource, other: ApiResource): number {
  const place = ({ group, version, resource }: ApiResource): string => `${group}/${version}/${resource}`;
  return place(one) < place(other) ? -1 : 1;
}

describe("discovery", () => {
  test("is two calls where the server has it aggregated", async () => {
    const { client, calls } = clientOf({ "/api": aggregatedCore, "/apis": aggregatedGroups });
    const { resources } = await createDiscovery(client).refresh();
    expect(resources.slice(0, 4)).toEqual([pods, spaces, autoscaler("v2", true), autoscaler("v1", false)]);
    expect(calls.map(({ path }) => path)).toEqual(["/api", "/apis"]);
    expect(calls[0]?.accept).toBe(
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
    );
  });

  test("names a group that is stale, keeps its kinds, and takes no place of subresources for a kind", async () => {
    const { client } = clientOf({ "/api": aggregatedCore, "/apis": aggregatedGroups });
    const { resources, failed } = await createDiscovery(client).refresh();
    expect(failed).toEqual(["subresources.kubevirt.io/v1"]);
    expect(resources.slice(4)).toMatchObject([
      {
        resource: "guests",
        subresources: [
          { name: "logs", kind: "Pod", group: "", version: "v1" },
          { name: "console", kind: "", group: "subresources.kubevirt.io", version: "v1" },
        ],
      },
    ]);
  });

  test("goes group by group where the server does not, and says the same", async () => {
    const { client, calls } = clientOf({ ...classicCore, ...classicGroups, ...classicV1 });
    const { resources, failed } = await createDiscovery(client).refresh();
    expect(resources).toEqual([pods, spaces, autoscaler("v2", true), autoscaler("v1", false)]);
    expect(failed).toEqual(["metrics.k8s.io/v1"]);
    expect(calls.every(({ purpose }) => purpose === "control")).toBe(true);
  });

  test("keeps the kinds of a group that cannot be read any more, until the server says that it has gone", async () => {
    const paths: Paths = { ...classicCore, ...classicGroups, ...classicV1 };
    const discovery = createDiscovery(clientOf(paths).client);
    const kinds = async (): Promise<unknown> => (await discovery.refresh()).resources.toSorted(byPlace);
    const all = [pods, spaces, autoscaler("v1", false), autoscaler("v2", true)].toSorted(byPlace);
    expect(await kinds()).toEqual(all);
    delete paths["/apis/autoscaling/v2"];
    expect(await kinds()).toEqual(all);
    expect(discovery.current()?.failed.toSorted()).toEqual(["autoscaling/v2", "metrics.k8s.io/v1"]);
    expect(await kinds()).toEqual(all);
    paths["/apis"] = { kind: "APIGroupList", groups: [] };
    expect(await kinds()).toEqual([pods, spaces].toSorted(byPlace));
  });

  test.each([
    ["core", { "/api": aggregatedCore, ...classicGroups }],
    ["groups", { ...classicCore, ...classicV1, "/apis": aggregatedGroups }],
  ])("takes each half as it comes: aggregated %s", async (_half, paths: Paths) => {
    const { resources } = await createDiscovery(clientOf(paths).client).refresh();
    expect(resources).toEqual(expect.arrayContaining([pods, spaces, autoscaler("v2", true)]));
  });

  test("keeps its last answer when the next one fails, and asks once for all who ask at one time", async () => {
    let down = false;
    const { client, calls } = clientOf({
      "/api": aggregatedCore,
      "/apis": () => {
        if (down) throw new KubeError({ status: 503, reason: "", message: "down" });
        return aggregatedGroups;
      },
    });
    const discovery = createDiscovery(client);
    expect(discovery.current()).toBeUndefined();
    const [one, other] = await Promise.all([discovery.refresh(), discovery.refresh()]);
    expect(one).toBe(other);
    expect(calls.length).toBe(2);
    down = true;
    await expect(discovery.refresh()).rejects.toThrow("down");
    expect(discovery.current()).toBe(one);
    down = false;
    expect(await discovery.refresh()).not.toBe(one);
  });
});
