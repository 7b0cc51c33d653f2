/** Calls that objects become, and what lists make of pages, also of those that the server forgot. */
import { describe, expect, test } from "vitest";

import type { Json, JsonObject } from "#json";
import type { KubeCall, KubeClient } from "./contract.ts";
import { KubeError, isGone } from "./kube-error.ts";
import { createObjects } from "./objects.ts";

const deployments = { group: "apps", version: "v1", resource: "deployments" };
const namespaces = { group: "", version: "v1", resource: "namespaces" };
const web = { metadata: { name: "web", namespace: "shop" }, spec: { replicas: 1 } };

/** A client that remembers calls and answers as told. */
function clientOf(answer: (call: KubeCall, count: number) => Json): {
  readonly client: KubeClient;
  readonly calls: KubeCall[];
} {
  const calls: KubeCall[] = [];
  const client: KubeClient = {
    server: "https://a",
    async send(call) {
      calls.push(call);
      return { status: 200, body: answer(call, calls.length), warnings: [] };
    },
    watch: () => Promise.reject(new Error("not here")),
    counts: () => [],
    close: () => undefined,
  };
  return { client, calls };
}

const refuse = (status: number, reason: string): never => {
  throw new KubeError({ status, reason, message: reason });
};
const page = (names: readonly string[], next = ""): JsonObject => ({
  metadata: next === "" ? {} : { continue: next },
  items: names.map((name) => ({ metadata: { name } })),
});

describe("objects become calls", () => {
  const { client, calls } = clientOf(() => ({}));
  const objects = createObjects(client, deployments, "control");
  const at = { namespace: "shop", name: "web" };
  const path = "/apis/apps/v1/namespaces/shop/deployments";

  test.each([
    ["get", () => objects.get("shop", "web"), { method: "GET", path: `${path}/web` }],
    ["create", () => objects.create(web), { method: "POST", path, query: {}, body: web }],
    [
      "create, dry",
      () => objects.create(web, { dryRun: true, fieldManager: "postern" }),
      { method: "POST", path, query: { dryRun: "All", fieldManager: "postern" }, body: web },
    ],
    ["replace", () => objects.replace(web), { method: "PUT", path: `${path}/web`, query: {}, body: web }],
    [
      "replace a status",
      () => objects.replace(web, { subresource: "status" }),
      { method: "PUT", path: `${path}/web/status`, query: {}, body: web },
    ],
    [
      "json patch",
      () => objects.patch(at, "json", []),
      {
        method: "PATCH",
        path: `${path}/web`,
        query: {},
        body: [],
        contentType: "application/json-patch+json",
      },
    ],
    [
      "merge patch of a scale",
      () => objects.patch(at, "merge", {}, { subresource: "scale" }),
      {
        method: "PATCH",
        path: `${path}/web/scale`,
        query: {},
        body: {},
        contentType: "application/merge-patch+json",
      },
    ],
    [
      "strategic patch",
      () => objects.patch(at, "strategic", {}),
      {
        method: "PATCH",
        path: `${path}/web`,
        query: {},
        body: {},
        contentType: "application/strategic-merge-patch+json",
      },
    ],
    [
      "apply",
      () => objects.apply(web, { fieldManager: "postern" }),
      {
        method: "PATCH",
        path: `${path}/web`,
        query: { fieldManager: "postern", force: "true" },
        body: web,
        contentType: "application/apply-patch+yaml",
      },
    ],
    [
      "remove",
      () => objects.remove("shop", "web"),
      {
        method: "DELETE",
        path: `${path}/web`,
        body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" },
      },
    ],
    [
      "remove this one and no other of its name",
      () => objects.remove("shop", "web", { uid: "u1" }),
      {
        method: "DELETE",
        path: `${path}/web`,
        body: {
          apiVersion: "v1",
          kind: "DeleteOptions",
          propagationPolicy: "Background",
          preconditions: { uid: "u1" },
        },
      },
    ],
  ] as const)("%s", async (_name, act, call) => {
    calls.length = 0;
    await act();
    expect(calls).toEqual([{ ...call, purpose: "control" }]);
  });

  test("of the core group, without a namespace, with a name that is no path", async () => {
    const { client: core, calls: seen } = clientOf(() => ({}));
    await createObjects(core, namespaces, "control").get("", "a/../b");
    expect(seen[0]?.path).toBe("/api/v1/namespaces/a%2F..%2Fb");
  });
});

test("an object that is gone is removed; one that is another is not", async () => {
  const gone = createObjects(clientOf(() => refuse(404, "NotFound")).client, deployments, "control");
  await expect(gone.remove("shop", "web")).resolves.toBeUndefined();
  const other = createObjects(clientOf(() => refuse(409, "Conflict")).client, deployments, "control");
  await expect(other.remove("shop", "web", { uid: "u1" })).rejects.toMatchObject({ status: 409 });
});

test("an answer that is no object is an error", async () => {
  const objects = createObjects(clientOf(() => "<html>").client, deployments, "control");
  await expect(objects.get("shop", "web")).rejects.toThrow("the answer is no object");
});

describe("a list", () => {
  const read = async (client: KubeClient): Promise<unknown[]> => {
    const names: unknown[] = [];
    const options = { labelSelector: "a=b", fieldSelector: "c=d" };
    for await (const { metadata } of createObjects(client, namespaces, "watch").list(options)) {
      names.push((metadata as JsonObject)["name"]);
    }
    return names;
  };

  test("comes page by page, with its selectors", async () => {
    const { client, calls } = clientOf((_, count) => (count === 1 ? page(["a", "b"], "p2") : page(["c"])));
    expect(await read(client)).toEqual(["a", "b", "c"]);
    const query = { limit: "500", labelSelector: "a=b", fieldSelector: "c=d" };
    expect(calls.map((call) => call.query)).toEqual([query, { ...query, continue: "p2" }]);
  });

  test("asks for a page only when somebody reads it", async () => {
    const { client, calls } = clientOf(() => page(["a"], "more"));
    for await (const _ of createObjects(client, namespaces, "watch").list()) break;
    expect(calls.length).toBe(1);
  });

  test("that the server forgot begins anew, and repeats nothing", async () => {
    const { client } = clientOf(({ query }, count) => {
      if (query?.["continue"] === "p2" && count === 2) return refuse(410, "Expired");
      return query?.["continue"] === undefined ? page(["a", "b"], "p2") : page(["c"]);
    });
    expect(await read(client)).toEqual(["a", "b", "c"]);
  });

  test("that the server forgets each time ends with what the server says", async () => {
    const { client, calls } = clientOf(({ query }) =>
      query?.["continue"] === undefined ? page(["a"], "p2") : refuse(410, "Expired"),
    );
    await expect(read(client)).rejects.toSatisfy(isGone);
    expect(calls.length).toBe(8);
  });

  test("that cannot be begun is not begun anew", async () => {
    const { client, calls } = clientOf(() => refuse(410, "Expired"));
    await expect(read(client)).rejects.toSatisfy(isGone);
    expect(calls.length).toBe(1);
  });
});
