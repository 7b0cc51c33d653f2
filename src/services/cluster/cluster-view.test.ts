import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import type { Informer, InformerChange } from "#kube";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { objectOf } from "../../../test/support/policies.ts";
import { createClusterView } from "./cluster-view.ts";
import { createRoleIndex } from "./role-index.ts";
import type { WatchedKind } from "./watched-kinds.ts";

/** A watched collection in the test's hands. */
class FakeInformer implements Informer {
  readonly kind: WatchedKind;
  readonly objects = new Map<string, JsonObject>();
  readonly listeners: ((change: InformerChange) => void)[] = [];
  started = false;
  #isSynced = false;
  #done: () => void = () => undefined;

  constructor(kind: WatchedKind) {
    this.kind = kind;
  }

  start(): Promise<void> {
    this.started = true;
    return this.#isSynced ? Promise.resolve() : new Promise((done) => (this.#done = done));
  }

  sync(): void {
    this.#isSynced = true;
    this.#done();
  }

  put(object: JsonObject): void {
    const kept = this.kind.trim?.(object) ?? object;
    const { name, namespace = "" } = kept["metadata"] as { name: string; namespace?: string };
    const type = this.objects.has(`${namespace}/${name}`) ? "updated" : "added";
    this.objects.set(`${namespace}/${name}`, kept);
    for (const listener of this.listeners) listener({ type, object: kept });
  }

  drop(object: JsonObject): void {
    const { name, namespace = "" } = object["metadata"] as { name: string; namespace?: string };
    this.objects.delete(`${namespace}/${name}`);
    for (const listener of this.listeners) listener({ type: "deleted", object });
  }

  stop(): void {
    this.started = false;
  }

  synced(): boolean {
    return this.#isSynced;
  }

  get(namespace: string, name: string): JsonObject | undefined {
    return this.objects.get(`${namespace}/${name}`);
  }

  list(): readonly JsonObject[] {
    return [...this.objects.values()];
  }

  size(): number {
    return this.objects.size;
  }

  onChange(listener: (change: InformerChange) => void): void {
    this.listeners.push(listener);
  }

  lastContactMs(): number {
    return 1;
  }
}

function setUp() {
  const clock = createFakeClock();
  const made = new Map<string, FakeInformer>();
  const view = createClusterView({
    namespace: "postern",
    configMapName: "postern",
    clock,
    informers(kind) {
      const informer = new FakeInformer(kind);
      made.set(kind.title, informer);
      return informer;
    },
  });
  const informer = (title: string): FakeInformer => {
    const found = made.get(title);
    if (found === undefined) throw new Error(`no ${title}: ${[...made.keys()].join(", ")}`);
    return found;
  };
  const syncAll = (): void => {
    for (const [title, one] of made) if (!title.includes("role bindings")) one.sync();
  };
  return { clock, view, informer, syncAll };
}

const policy = (name: string, more = ""): JsonObject =>
  objectOf(`
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: ${name}}
spec:
  background: false
  rules:
    - name: r
      match: {any: [{resources: {kinds: [ConfigMap]}${more}}]}
      validate: {message: refused, deny: {}}`);

const keys = (view: ReturnType<typeof setUp>["view"]): readonly string[] =>
  view.policies().entries.map(({ key }) => key);

describe("the view of a cluster", () => {
  test("is ready once everything was seen and compiled, and says what it waits for", async () => {
    const { clock, view, informer, syncAll } = setUp();
    const started = view.start();
    informer("cluster policies").put(policy("a"));
    await clock.advance(0);
    expect(view.readiness().reasons).toContain("namespaces: not listed yet");
    syncAll();
    await started;
    expect(view.readiness()).toEqual({ ready: true, reasons: [] });
    expect(keys(view)).toEqual(["a"]);
  });

  test("compiles what changed a moment later, several changes at once", async () => {
    const { clock, view, informer, syncAll } = setUp();
    syncAll();
    await view.start();
    let told = 0;
    view.onChange(() => (told += 1));
    informer("cluster policies").put(policy("a"));
    informer("cluster policies").put(policy("b"));
    expect(keys(view)).toEqual([]);
    await clock.advance(50);
    expect([keys(view), told]).toEqual([["a", "b"], 1]);
    informer("cluster policies").drop(policy("a"));
    await clock.advance(50);
    expect(keys(view)).toEqual(["b"]);
  });

  test("waits for role bindings before a policy that asks for roles is in force, and asks for none before", async () => {
    const { clock, view, informer, syncAll } = setUp();
    syncAll();
    await view.start();
    expect(informer("role bindings").started).toBe(false);
    informer("cluster policies").put(policy("roles", ", clusterRoles: [admin]"));
    await clock.advance(50);
    expect([keys(view), informer("role bindings").started]).toEqual([[], true]);
    informer("cluster role bindings").put(
      objectOf(
        "metadata: {name: b}\nroleRef: {kind: ClusterRole, name: admin}\nsubjects: [{kind: User, name: ann}]",
      ),
    );
    informer("role bindings").sync();
    informer("cluster role bindings").sync();
    await clock.advance(50);
    expect(keys(view)).toEqual(["roles"]);
    expect(view.rolesOf({ username: "ann", groups: [] })).toEqual({ roles: [], clusterRoles: ["admin"] });
  });

  test("knows labels of namespaces, ConfigMaps that are cached, and the configuration as it changes", async () => {
    const { clock, view, informer, syncAll } = setUp();
    syncAll();
    await view.start();
    informer("namespaces").put(
      objectOf("metadata: {name: shop, labels: {team: a}, annotations: {big: text}}"),
    );
    expect(view.namespaceLabels("shop")).toEqual({ team: "a" });
    expect(view.namespaceLabels("none")).toBeUndefined();
    expect(informer("namespaces").get("", "shop")).toEqual({
      metadata: { name: "shop", labels: { team: "a" } },
    });
    informer("cached ConfigMaps").put(objectOf("metadata: {name: c, namespace: shop}\ndata: {a: b}"));
    expect(view.configMap("shop", "c")).toMatchObject({ data: { a: "b" } });
    informer("ConfigMap postern/postern").put(
      objectOf("metadata: {name: postern, namespace: postern}\ndata: {excludeUsernames: ann}"),
    );
    await clock.advance(50);
    expect(view.configuration().excludeUsernames).toEqual(["ann"]);
    const request = {
      kind: { group: "", version: "v1", kind: "Pod" },
      subresource: "",
      operation: "CREATE" as const,
      namespace: "shop",
      name: "p",
      object: {},
      oldObject: null,
      dryRun: false,
      userInfo: { username: "ann", groups: [] },
    };
    expect(view.isExcluded(request, { roles: [], clusterRoles: [] })).toBe(true);
  });
});

describe("the roles of somebody", () => {
  const binding = (
    kind: string,
    name: string,
    namespace: string | undefined,
    subject: JsonObject,
  ): JsonObject => ({
    metadata: { name: `${kind}-${name}`, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { kind, name },
    subjects: [subject],
  });

  test("come from bindings for the user, the groups and the service account", () => {
    const index = createRoleIndex();
    index.put(binding("Role", "r", "ns", { kind: "User", name: "ann" }));
    index.put(binding("ClusterRole", "c", undefined, { kind: "Group", name: "devs" }));
    index.put(
      binding("ClusterRole", "in-ns", "ns", { kind: "ServiceAccount", name: "app", namespace: "shop" }),
    );
    expect(index.rolesOf({ username: "ann", groups: ["devs"] })).toEqual({
      roles: ["ns:r"],
      clusterRoles: ["c"],
    });
    expect(index.rolesOf({ username: "system:serviceaccount:shop:app", groups: [] })).toEqual({
      roles: [],
      clusterRoles: ["in-ns"],
    });
    expect(index.rolesOf({ username: "bob", groups: [] })).toEqual({ roles: [], clusterRoles: [] });
  });

  test("go when a binding changes or goes, and stay where another gives the same", () => {
    const index = createRoleIndex();
    const given = binding("ClusterRole", "c", undefined, { kind: "User", name: "ann" });
    const second = { ...given, metadata: { name: "second" } };
    index.put(given);
    index.put(second);
    index.remove(given);
    expect(index.rolesOf({ username: "ann", groups: [] }).clusterRoles).toEqual(["c"]);
    index.put({ ...second, subjects: [{ kind: "User", name: "bob" }] });
    expect(index.rolesOf({ username: "ann", groups: [] }).clusterRoles).toEqual([]);
    index.put({ metadata: { name: "second" }, roleRef: 7, subjects: "none" });
    expect(index.rolesOf({ username: "bob", groups: [] }).clusterRoles).toEqual([]);
  });
});
