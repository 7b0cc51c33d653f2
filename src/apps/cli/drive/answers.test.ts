/** What lookups are answered from files, and what is left open. */
import { describe, expect, test } from "vitest";
import type { Lookup } from "#engine";
import type { JsonObject } from "#json";
import { createAnswers, imageAnswers, objectAnswers } from "./answers.ts";
import { isExternalAddress } from "#platform";
import { createObjectStore } from "./object-store.ts";
import { countedStatus, exitCodeOf, noCounts } from "./tally.ts";

function object(apiVersion: string, kind: string, name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name, ...more } };
}

const pod = object("v1", "Pod", "a", { namespace: "x", labels: { app: "web" } });
const other = object("v1", "Pod", "b", { namespace: "y" });
const again = object("v1", "Pod", "a", { namespace: "x", labels: { app: "second" } });
const shop = object("v1", "Namespace", "x");
const ingress = object("networking.k8s.io/v1", "Ingress", "i", { namespace: "x" });
const store = createObjectStore([pod, other, again, shop, ingress]);

describe("GETs", () => {
  test.each([
    ["/api/v1/namespaces/x/pods/a", pod],
    ["/api/v1/namespaces/x", shop],
    ["/apis/networking.k8s.io/v1/namespaces/x/ingresses/i", ingress],
    ["/api/v1/namespaces/x/pods/none", undefined],
    ["/api/v1/namespaces/none", undefined],
    ["/healthz", undefined],
    ["/api", undefined],
  ])("of %s", (path, want) => {
    expect(store.query(path)).toBe(want);
  });

  test.each([
    ["/api/v1/pods", [pod, other]],
    ["/api/v1/namespaces/x/pods", [pod]],
    ["/api/v1/pods?labelSelector=app%3Dweb", [pod]],
    ["/api/v1/pods?labelSelector=app!=web", [other]],
    ["/api/v1/pods?labelSelector=app", [pod]],
    ["/api/v1/namespaces/none/pods", []],
    ["/api/v1/services", []],
  ])("of the list %s", (path, items) => {
    expect(store.query(path)).toMatchObject({ items });
  });
});

describe("lookups", () => {
  const answer = createAnswers([
    objectAnswers(store),
    imageAnswers([{ image: "nginx", registry: "docker.io" }]),
  ]);

  test.each([
    { kind: "configMap", args: { namespace: "x", name: "none" }, want: { kind: "unset" } },
    { kind: "globalReference", args: { name: "g" }, want: { kind: "unset" } },
    {
      kind: "apiCall",
      args: { method: "GET", urlPath: "/api/v1/namespaces/x" },
      want: { kind: "value", value: shop },
    },
    {
      kind: "apiCall",
      args: { method: "GET", urlPath: "/api/v1/nodes/n" },
      want: { kind: "error", reason: "not-found" },
    },
    {
      kind: "apiCall",
      args: { method: "POST", urlPath: "/api/v1/nodes" },
      want: { kind: "error", reason: "unsupported" },
    },
    { kind: "apiCall", args: { method: "GET", service: {} }, want: { kind: "error", reason: "unsupported" } },
    {
      kind: "imageData",
      args: { reference: "nginx" },
      want: { kind: "value", value: { registry: "docker.io" } },
    },
    { kind: "imageData", args: { reference: "redis" }, want: { kind: "unset" } },
  ] as const)("$kind $args", async ({ kind, args, want }) => {
    const lookup: Lookup = { kind, key: JSON.stringify([kind, args]), args };
    expect(await answer(lookup)).toMatchObject(want);
  });

  test("are answered once a run", async () => {
    let asked = 0;
    const counting = createAnswers([() => ({ kind: "value", value: ++asked })]);
    const lookup: Lookup = { kind: "apiCall", key: "k", args: {} };
    expect([await counting(lookup), await counting(lookup)]).toEqual([
      { kind: "value", value: 1 },
      { kind: "value", value: 1 },
    ]);
  });
});

test.each([
  ["8.8.8.8", true],
  ["10.1.2.3", false],
  ["172.31.0.1", false],
  ["172.32.0.1", true],
  ["127.0.0.1", false],
  ["::1", false],
  ["2001:4860::1", true],
  ["fd00::1", false],
  ["not an address", false],
])("%s is external: %s", (address, want) => {
  expect(isExternalAddress(address)).toBe(want);
});

describe("counting", () => {
  test.each([
    ["fail", "Enforce", true, true, "fail"],
    ["fail", "Audit", true, true, "warn"],
    ["fail", "Audit", true, false, "fail"],
    ["fail", "Enforce", false, false, "warn"],
    ["error", "Audit", false, true, "error"],
  ] as const)("%s in %s, scored %s, audit-warn %s counts as %s", (...row) => {
    const [status, action, scored, auditWarn, want] = row;
    expect(countedStatus({ status, action }, { scored }, auditWarn)).toBe(want);
  });

  test.each([
    [{ pass: 1 }, 0],
    [{ fail: 1 }, 1],
    [{ error: 1 }, 1],
    [{ pass: 1, warn: 1 }, 5],
    [{ skip: 1 }, 5],
  ])("%j ends with %i", (counts, want) => {
    expect(exitCodeOf({ ...noCounts(), ...counts }, { warnExitCode: 5, warnNoPass: true })).toBe(want);
  });
});
