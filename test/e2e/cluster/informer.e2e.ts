/**
 * Informers that are lied to by everything between them and a real API server: connections that break, also in the
 * middle of a line, or say nothing any more; an API server that is killed and started again; versions that are
 * forgotten; a kind that comes and goes. Objects are made, changed and removed at random all the while. In the end, and
 * each time that the way is clear, an informer has what a list has, its changes add up to the same, and nothing was ever
 * in it that nobody wrote.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { createInformer, createKubeClient, createObjects, loadClusterConfig } from "#kube";
import type { Informer, InformerChange, KubeClient, ResourceType } from "#kube";
import { type Clock, systemClock } from "#platform";
import { until } from "../control-plane/child.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, available, canRun, full, seed } from "../control-plane/suites.ts";
import { createRandom, shuffle } from "../night-a/sample.ts";
import { type RoughRoute, openRoughRoute } from "./rough-route.ts";

const configMaps: ResourceType = { group: "", version: "v1", resource: "configmaps" };
const secrets: ResourceType = { group: "", version: "v1", resource: "secrets" };
const things: ResourceType = { group: "e2e.postern.dev", version: "v1", resource: "things" };

/** Time runs sixty times as fast for what waits: a connection counts as silent after three seconds. */
const hurried: Clock = { ...systemClock, later: (run, delayMs) => systemClock.later(run, delayMs / 60) };

const ROUNDS = full ? 60 : 12;

type Follower = {
  readonly title: string;
  readonly type: ResourceType;
  readonly informer: Informer;
  readonly client: KubeClient;
  readonly changes: InformerChange[];
  readonly seen: Seen;
};

/** What a follower had to do, and was told. */
type Seen = { lists: number; tooOld: number };

function watched(client: KubeClient, seen: Seen): KubeClient {
  return {
    server: client.server,
    counts: () => client.counts(),
    close: () => client.close(),
    send(call) {
      if (call.query?.["continue"] === undefined) seen.lists += 1;
      return client.send(call);
    },
    async watch(call) {
      const stream = await client.watch(call);
      return { close: stream.close, [Symbol.asyncIterator]: () => noted(stream, seen) };
    },
  };
}

async function* noted(stream: AsyncIterable<JsonObject>, seen: Seen): AsyncGenerator<JsonObject> {
  for await (const event of stream) {
    if (event["type"] === "ERROR") seen.tooOld += 1;
    yield event;
  }
}

async function clientOf(kubeconfig: string): Promise<KubeClient> {
  const config = await loadClusterConfig({ env: {}, nowMs: Date.now, kubeconfig });
  return createKubeClient(config, { userAgent: "postern-e2e", nowMs: Date.now, random: Math.random });
}

const metadataOf = (object: JsonObject): JsonObject => object["metadata"] as JsonObject;
const keyOf = (object: JsonObject): string =>
  `${String(metadataOf(object)["namespace"] ?? "")}/${String(metadataOf(object)["name"])}`;

/** What an object is, whichever way it came: a list leaves its items without kind. */
function outline(objects: Iterable<JsonObject>): readonly string[] {
  return [...objects]
    .map((object) => `${keyOf(object)} ${JSON.stringify([metadataOf(object), valueOf(object)])}`)
    .toSorted();
}

function valueOf(object: JsonObject): string {
  const data = (object["data"] ?? {}) as JsonObject;
  return String(data["value"]).slice(0, 20);
}

function replay(changes: readonly InformerChange[]): ReadonlyMap<string, JsonObject> {
  const seen = new Map<string, JsonObject>();
  for (const { type: what, object, previous } of changes) {
    const key = keyOf(object);
    if (seen.has(key) !== (what !== "added")) throw new Error(`${what} ${key} does not follow`);
    if (what === "updated" && previous !== seen.get(key)) throw new Error(`${key}: another before`);
    if (what === "deleted") seen.delete(key);
    else seen.set(key, object);
  }
  return seen;
}

describe.runIf(canRun).each(full ? available : [anyVersion])(
  "informers, on a real API server %s",
  (version) => {
    const random = createRandom(seed);
    const pick = <T>(values: readonly T[]): T => {
      const value = values[Math.floor(random() * values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    };
    let plane: ControlPlane;
    let direct: KubeClient;
    let route: RoughRoute;
    const followers: Follower[] = [];
    /** Values that somebody tried to write, by object. */
    const written = new Set<string>();
    let count = 0;

    const follow = async (
      title: string,
      type: ResourceType,
      options: { readonly clock?: Clock; readonly onChange?: () => void } = {},
    ): Promise<void> => {
      const seen = { lists: 0, tooOld: 0 };
      const client = await clientOf(plane.kubeconfigFor(route.address));
      const informer = createInformer(
        watched(client, seen),
        { type, labelSelector: "made=here" },
        options.clock ?? systemClock,
      );
      const changes: InformerChange[] = [];
      informer.onChange((change) => {
        changes.push(change);
        options.onChange?.();
      });
      followers.push({ title, type, informer, client, changes, seen });
      await informer.start();
    };

    beforeAll(async () => {
      plane = await startControlPlane({
        version,
        // Versions are forgotten soon, and secrets are watched in etcd itself.
        apiServerFlags: ["--etcd-compaction-interval=5s", "--watch-cache-sizes=secrets#0"],
      });
      direct = await clientOf(plane.kubeconfig);
      route = await openRoughRoute(plane.server);
      await follow("config maps", configMaps);
      await follow("config maps, with a listener that takes its time", configMaps, { onChange: block });
      await follow("config maps, with little patience", configMaps, { clock: hurried });
      await follow("secrets", secrets);
      await follow("things", things, { clock: hurried });
    });

    afterAll(async () => {
      for (const { informer, client } of followers) {
        informer.stop();
        client.close();
      }
      direct.close();
      await route.close();
      await plane.stop();
    });

    /** One random write. What fails may have been done all the same; the list will know. */
    const write = async (): Promise<void> => {
      const type = pick([configMaps, configMaps, secrets, things]);
      const objects = createObjects(direct, type, "command");
      const name = `o${Math.floor(random() * 25)}`;
      const what = random();
      count += 1;
      // One in five is far larger than what comes at once, so that what breaks, breaks within a line.
      const value = `${count}${" ".repeat(random() < 0.2 ? 150_000 : 10)}`;
      written.add(`default/${name} ${value.slice(0, 20)}`);
      const encoded = type === secrets ? { stringData: { value } } : { data: { value } };
      const object = {
        apiVersion: type.group === "" ? "v1" : `${type.group}/v1`,
        kind: { configmaps: "ConfigMap", secrets: "Secret" }[type.resource] ?? "Thing",
        metadata: { name, namespace: "default", labels: { made: "here" } },
        ...encoded,
      };
      try {
        if (what < 0.25) await objects.remove("default", name);
        else if (what < 0.6) await objects.patch({ namespace: "default", name }, "merge", encoded);
        else await objects.create(object);
      } catch {
        // Not there, there already, nobody there to ask.
      }
    };

    /** In another kind, so that versions go by that a watch of these kinds does not see. */
    const writeMany = async (): Promise<void> => {
      await Promise.all(Array.from({ length: 20 }, write));
    };

    let isDefined = false;
    const toggleDefinition = async (): Promise<void> => {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const one = `${path}/things.e2e.postern.dev`;
      if (isDefined) await plane.call({ method: "DELETE", path: one });
      else {
        // What was removed takes a moment to be gone.
        await until("the kind to be defined", async () => {
          const { status } = await plane.call({ method: "POST", path, body: definition });
          return status === 201 ? true : undefined;
        });
      }
      isDefined = !isDefined;
    };

    const troubles: Readonly<Record<string, () => Promise<unknown> | void>> = {
      "connections break": () => route.breakNow(),
      "connections break within a line": () => route.breakAfter(Math.floor(random() * 60_000)),
      "nobody connects for a while": async () => {
        route.cut();
        await writeMany();
        await sleep(random() * 1500);
        route.mend();
      },
      "connections say nothing any more": () => route.hush(),
      "the API server is killed": async () => {
        await plane.stopApiServer();
        await sleep(random() * 1000);
        await plane.startApiServer();
      },
      // It ends its watches properly, and would wait a minute for whoever calls.
      "the API server is stopped": async () => {
        const stopped = plane.stopApiServer("SIGTERM");
        await sleep(3000);
        await plane.stopApiServer("SIGKILL");
        await stopped;
        await plane.startApiServer();
      },
      "the API server is another one after a while": async () => {
        route.cut();
        await writeMany();
        await sleep(12_000);
        await plane.restartApiServer();
        await writeMany();
        route.mend();
      },
      "the kind goes, or comes again": toggleDefinition,
      "the kind comes again, or goes": toggleDefinition,
    };

    /** Everything that the server has of a kind; nothing where it does not serve it. */
    const listed = async (type: ResourceType): Promise<readonly string[]> => {
      const all: JsonObject[] = [];
      try {
        const list = createObjects(direct, type, "command").list({ labelSelector: "made=here" });
        for await (const object of list) all.push(object);
      } catch (error) {
        if (type !== things) throw error;
      }
      return outline(all);
    };

    const compareAll = async (): Promise<void> => {
      for (const { title, type, informer } of followers) {
        const wanted = await listed(type);
        await until(
          () => `${title} to be those of a list:\n${difference(outline(informer.list()), wanted)}`,
          () => (outline(informer.list()).join("\n") === wanted.join("\n") ? true : undefined),
          // A connection that says nothing costs the patient three minutes.
          240_000,
        );
      }
    };

    test(`after ${ROUNDS} rounds of trouble they have what a list has, and never had what nobody wrote`, async () => {
      const kinds = Object.entries(troubles);
      const drawn = Array.from({ length: ROUNDS }, (_, round) => round).map((round) =>
        round < kinds.length ? undefined : pick(kinds),
      );
      const rounds = [...shuffle(kinds, random), ...drawn.filter((entry) => entry !== undefined)];
      await toggleDefinition();
      for (const [title, trouble] of rounds) {
        const writing = new AbortController();
        const writer = (async () => {
          while (!writing.signal.aborted) await Promise.all([write(), write(), sleep(20)]);
        })();
        await sleep(random() * 600);
        await trouble();
        await sleep(300 + random() * 600);
        writing.abort();
        await writer;
        // The patient ones would wait for three minutes: where that is not the point, the silent ones are let go.
        if (title === "connections say nothing any more" && !full) {
          await sleep(4000);
          route.breakNow();
        }
        await compareAll();
      }
      for (const { title, informer, changes, seen } of followers) {
        expect(outline(replay(changes).values()), title).toEqual(outline(informer.list()));
        expect(changes.length, title).toBeGreaterThan(ROUNDS);
        expect(seen.lists, title).toBeGreaterThan(1);
      }
      expect(followers.filter(({ seen }) => seen.tooOld > 0).length).toBeGreaterThan(0);
      const invented = followers
        .filter(({ type }) => type !== secrets)
        .flatMap(({ changes }) => changes.map(({ object }) => `${keyOf(object)} ${valueOf(object)}`))
        .filter((line) => !written.has(line));
      expect(invented).toEqual([]);
    }, 1_800_000);
  },
);

/** Five milliseconds in which the process does nothing else. */
function block(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

function difference(have: readonly string[], wanted: readonly string[]): string {
  const extra = have.filter((line) => !wanted.includes(line)).map((line) => `+ ${line.slice(0, 300)}`);
  const missing = wanted.filter((line) => !have.includes(line)).map((line) => `- ${line.slice(0, 300)}`);
  return [...extra, ...missing].slice(0, 10).join("\n");
}

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.e2e.postern.dev" },
  spec: {
    group: "e2e.postern.dev",
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { data: { type: "object", additionalProperties: { type: "string" } } },
          },
        },
      },
    ],
  },
};
