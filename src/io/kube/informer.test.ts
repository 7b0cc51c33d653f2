/**
 * A server in memory that does everything that servers do to those who watch them: it cuts streams, in the middle of a
 * line as well, forgets old versions, falls silent, answers with errors, and does not know a kind for a while. Whatever
 * it does, an informer ends up with what the server has, and so does whoever listened to the changes.
 */
import { describe, expect, test } from "vitest";

import type { Json, JsonObject } from "#json";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import type { InformerChange, KubeAnswer, KubeCall, KubeClient, KubeStream } from "./contract.ts";
import { createInformer } from "./informer.ts";
import { KubeError } from "./kube-error.ts";

const type = { group: "example.com", version: "v1", resource: "things" };

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

type Stored = { readonly name: string; readonly version: number; readonly value: number };

/** Watchers get lines pushed; a cut ends them. */
class FakeServer {
  readonly random: () => number;
  readonly objects = new Map<string, Stored>();
  readonly history: { readonly version: number; readonly type: string; readonly object: Stored }[] = [];
  version = 1;
  /** Versions before this are forgotten. */
  oldest = 1;
  served = true;
  troubled = false;
  readonly streams = new Set<FakeStream>();
  lists = 0;

  constructor(random: () => number) {
    this.random = random;
  }

  change(): void {
    this.version += 1;
    const name = `o${Math.floor(this.random() * 12)}`;
    const known = this.objects.get(name);
    const object = { name, version: this.version, value: Math.floor(this.random() * 1000) };
    const what = known === undefined ? "ADDED" : this.random() < 0.3 ? "DELETED" : "MODIFIED";
    if (what === "DELETED") this.objects.delete(name);
    else this.objects.set(name, object);
    this.history.push({ version: this.version, type: what, object });
    for (const stream of this.streams) stream.push({ type: what, object: manifest(object) });
  }

  /** The peer is gone and nobody says so: what is connected never hears of anything again. */
  silence(): void {
    for (const stream of this.streams) stream.mute();
  }

  cutAll(): void {
    for (const stream of this.streams) stream.fail();
  }

  forget(): void {
    this.oldest = this.version;
  }

  answer(call: KubeCall): Json {
    this.lists += 1;
    this.refuse(call);
    const items = [...this.objects.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const from = Number(call.query?.["continue"]?.split("@")[0] ?? 0);
    const at = Number(call.query?.["continue"]?.split("@")[1] ?? this.version);
    if (at < this.oldest) throw gone();
    const page = items.slice(from, from + 5);
    const more = from + 5 < items.length && at === this.version;
    return {
      metadata: { resourceVersion: String(at), ...(more ? { continue: `${from + 5}@${at}` } : {}) },
      items: page.map(manifest),
    };
  }

  open(call: KubeCall): FakeStream {
    this.refuse(call);
    const from = Number(call.query?.["resourceVersion"]);
    const stream = new FakeStream(() => this.streams.delete(stream));
    if (from < this.oldest) {
      if (this.random() < 0.5) throw gone();
      stream.push({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });
      stream.end();
      return stream;
    }
    for (const { version, type: what, object } of this.history) {
      if (version > from) stream.push({ type: what, object: manifest(object) });
    }
    this.streams.add(stream);
    return stream;
  }

  refuse(call: KubeCall): void {
    const at = `${call.method} ${call.path}`;
    if (!this.served) throw new KubeError({ status: 404, reason: "NotFound", message: at });
    if (this.troubled && this.random() < 0.5) {
      throw new KubeError({ status: this.random() < 0.5 ? 503 : 0, reason: "", message: at });
    }
  }
}

class FakeStream implements KubeStream {
  readonly #onClose: () => void;
  readonly #lines: JsonObject[] = [];
  #muted = false;
  #over: "ended" | "broken" | undefined;
  #wake: () => void = () => undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  mute(): void {
    this.#muted = true;
  }

  push(line: JsonObject): void {
    if (this.#muted) return;
    this.#lines.push(line);
    this.#wake();
  }

  end(): void {
    this.#over ??= "ended";
    this.#wake();
  }

  fail(): void {
    this.#over ??= "broken";
    this.#onClose();
    this.#wake();
  }

  close(): void {
    this.fail();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JsonObject> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) yield line;
      else if (this.#over === "ended") return;
      else if (this.#over === "broken") {
        throw new KubeError({ status: 0, reason: "", message: "watch: the connection broke" });
      } else await new Promise<void>((done) => (this.#wake = done));
    }
  }
}

function gone(): KubeError {
  return new KubeError({ status: 410, reason: "Expired", message: "too old" });
}

function manifest({ name, version, value }: Stored): JsonObject {
  return { metadata: { name, resourceVersion: String(version) }, value };
}

function clientOf(server: FakeServer): KubeClient {
  return {
    server: "fake",
    send: async (call): Promise<KubeAnswer> => ({ status: 200, body: server.answer(call), warnings: [] }),
    watch: async (call) => server.open(call),
    counts: () => [],
    close: () => undefined,
  };
}

function setUp(seed: number) {
  const random = seeded(seed);
  const server = new FakeServer(random);
  const clock = createFakeClock(1_800_000_000_000, random);
  const problems: KubeError[] = [];
  const changes: InformerChange[] = [];
  const informer = createInformer(
    clientOf(server),
    { type, onProblem: (error) => problems.push(error) },
    clock,
  );
  informer.onChange((change) => changes.push(change));
  return { random, server, clock, informer, problems, changes };
}

const nameOf = (object: JsonObject): string => String((object["metadata"] as JsonObject)["name"]);
const outline = (objects: Iterable<JsonObject>): string[] =>
  [...objects].map((object) => JSON.stringify(object)).sort();

function replay(changes: readonly InformerChange[]): Map<string, JsonObject> {
  const seen = new Map<string, JsonObject>();
  for (const { type: what, object } of changes) {
    const name = nameOf(object);
    expect(seen.has(name), `${what} ${name}`).toBe(what !== "added");
    if (what === "deleted") seen.delete(name);
    else seen.set(name, object);
  }
  return seen;
}

describe("an informer", () => {
  test.each(Array.from({ length: 200 }, (_, seed) => seed + 1))(
    "ends up with what the server has (%i)",
    async (seed) => {
      const { random, server, clock, informer, changes } = setUp(seed);
      const steps: (() => void)[] = [
        () => server.change(),
        () => server.change(),
        () => server.change(),
        () => server.cutAll(),
        () => server.forget(),
        () => (server.troubled = random() < 0.5),
        () => server.silence(),
        () => (server.served = random() < 0.8),
      ];
      for (let count = 0; count < 8; count++) server.change();
      void informer.start();
      for (let count = 0; count < 60; count++) {
        steps[Math.floor(random() * steps.length)]?.();
        await clock.advance(Math.floor(random() * 3000));
      }
      Object.assign(server, { troubled: false, served: true });
      await clock.advance(200_000);
      expect(informer.synced()).toBe(true);
      expect(outline(informer.list())).toEqual(outline([...server.objects.values()].map(manifest)));
      expect(outline(replay(changes).values())).toEqual(outline(informer.list()));
      informer.stop();
    },
  );

  test("is synced and empty while its kind is not served, and finds it when it is", async () => {
    const { server, clock, informer, problems } = setUp(1);
    server.served = false;
    server.change();
    let started = false;
    void informer.start().then(() => (started = true));
    await clock.advance(10);
    expect([started, informer.synced(), informer.size()]).toEqual([true, true, 0]);
    server.served = true;
    await clock.advance(20_000);
    expect(informer.size()).toBe(1);
    expect(problems).toEqual([]);
    informer.stop();
  });

  test("gives up a connection that says nothing, and misses nothing by it", async () => {
    const { server, clock, informer } = setUp(2);
    void informer.start();
    await clock.advance(10);
    server.silence();
    server.change();
    await clock.advance(100_000);
    expect(informer.size()).toBe(0);
    await clock.advance(40_000);
    expect(informer.size()).toBe(1);
    informer.stop();
  });

  test("lists once, and not again while the server knows where it was", async () => {
    const { server, clock, informer } = setUp(3);
    void informer.start();
    await clock.advance(10);
    for (let count = 0; count < 5; count++) {
      server.change();
      server.cutAll();
      await clock.advance(5000);
    }
    expect(server.lists).toBe(1);
    informer.stop();
  });

  test("tells of trouble each time, and tries less and less often", async () => {
    const { server, clock, informer, problems } = setUp(4);
    server.refuse = () => {
      throw new KubeError({ status: 403, reason: "Forbidden", message: "no" });
    };
    void informer.start();
    await clock.advance(10_000);
    const early = problems.length;
    await clock.advance(600_000);
    expect(early).toBeGreaterThan(2);
    expect(problems.length - early).toBeLessThan(60);
    expect(informer.synced()).toBe(false);
    informer.stop();
  });

  test("keeps what `trim` leaves, and drops what it leaves nothing of", async () => {
    const random = seeded(5);
    const server = new FakeServer(random);
    const clock = createFakeClock();
    const informer = createInformer(
      clientOf(server),
      {
        type,
        trim: (object) =>
          Number(object["value"]) > 500 ? { metadata: object["metadata"] ?? null } : undefined,
      },
      clock,
    );
    for (let count = 0; count < 30; count++) server.change();
    void informer.start();
    await clock.advance(10);
    const kept = [...server.objects.values()].filter(({ value }) => value > 500).map(({ name }) => name);
    expect(informer.list().map(nameOf).sort()).toEqual(kept.sort());
    expect(informer.list().every((object) => object["value"] === undefined)).toBe(true);
    informer.stop();
  });
});
