/**
 * A server in memory that does everything that servers do to those who watch them: it cuts and ends streams, forgets old
 * versions, falls silent, answers late and with errors, tells things twice, and does not know a kind for a while.
 * Whatever it does, an informer has what the server had at one moment, later moments later, and in the end what it has;
 * and so does whoever listened to the changes. Lines that are cut are the stream's (watch-stream.test.ts).
 */
import { describe, expect, test } from "vitest";

import type { Json, JsonObject } from "#json";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { Fault } from "#diag";
import type { Clock } from "#platform";
import { wait } from "#platform";
import type {
  InformerChange,
  InformerOptions,
  KubeAnswer,
  KubeCall,
  KubeClient,
  KubeStream,
} from "./contract.ts";
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

type Stored = {
  readonly name: string;
  readonly uid: number;
  readonly version: number;
  readonly value: number;
};
type Event = { readonly version: number; readonly line: JsonObject };

const PAGE = 5;

/**
 * Watchers get lines pushed; a cut ends them. Every state that ever was is kept, so that lists go on from where they
 * were begun, and so that a test can ask whether something was so at one moment.
 */
class FakeServer {
  readonly random: () => number;
  readonly states: ReadonlyMap<string, Stored>[] = [new Map(), new Map()];
  readonly history: Event[] = [];
  readonly streams = new Set<FakeStream>();
  /** Versions before this are forgotten. */
  oldest = 1;
  served = true;
  troubled = false;
  lists = 0;
  watches = 0;

  constructor(random: () => number) {
    this.random = random;
  }

  get version(): number {
    return this.states.length - 1;
  }

  get objects(): ReadonlyMap<string, Stored> {
    return this.states[this.version] ?? new Map();
  }

  change(name = `o${Math.floor(this.random() * 12)}`): void {
    const known = this.objects.get(name);
    if (known !== undefined && this.random() < 0.3) this.#delete(known);
    else this.#write(name, known?.uid ?? this.version + 1);
  }

  /** Another object by the same name. */
  recreate(): void {
    const known = [...this.objects.values()][0];
    if (known === undefined) return;
    this.#delete(known);
    this.#write(known.name, this.version + 1);
  }

  /** As when a definition is removed: its objects go, then nobody knows the kind. */
  unserve(): void {
    for (const known of this.objects.values()) this.#delete(known);
    this.served = false;
    this.cutAll();
  }

  bookmark(): void {
    this.#push({ type: "BOOKMARK", object: { metadata: { resourceVersion: String(this.version) } } });
  }

  repeatLast(): void {
    const last = this.history.at(-1);
    if (last !== undefined) this.#push(last.line);
  }

  /** An error of the server's own, in the middle of the stream. */
  stumble(): void {
    this.#push({ type: "ERROR", object: { kind: "Status", code: 500, reason: "InternalError" } });
    this.cutAll();
  }

  /** The peer is gone and nobody says so: what is connected never hears of anything again. */
  silence(): void {
    for (const stream of this.streams) stream.mute();
  }

  cutAll(): void {
    for (const stream of this.streams) stream.fail();
  }

  endAll(): void {
    for (const stream of this.streams) stream.end();
  }

  forget(): void {
    this.oldest = this.version;
  }

  answer(call: KubeCall): Json {
    this.lists += 1;
    this.refuse(call);
    const [from = 0, at = this.version] = (call.query?.["continue"]?.split("@") ?? []).map(Number);
    if (at < this.oldest) throw gone();
    const items = [...(this.states[at]?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
    const next = from + PAGE < items.length ? { continue: `${from + PAGE}@${at}` } : {};
    return {
      metadata: { resourceVersion: String(at), ...next },
      items: items.slice(from, from + PAGE).map(manifest),
    };
  }

  open(call: KubeCall): FakeStream {
    this.watches += 1;
    this.refuse(call);
    const from = Number(call.query?.["resourceVersion"]);
    const stream = new FakeStream(() => this.streams.delete(stream));
    if (from < this.oldest) {
      if (this.random() < 0.5) throw gone();
      stream.push({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });
      stream.end();
      return stream;
    }
    for (const { version, line } of this.history) if (version > from) stream.push(line);
    this.streams.add(stream);
    return stream;
  }

  refuse(call: KubeCall): void {
    const at = `${call.method} ${call.path}`;
    if (!this.served) throw new KubeError({ status: 404, reason: "NotFound", message: at });
    if (this.troubled && this.random() < 0.5) {
      const status = [0, 429, 500, 503][Math.floor(this.random() * 4)] ?? 0;
      throw new KubeError({ status, reason: "", message: at });
    }
  }

  #write(name: string, uid: number): void {
    const object = { name, uid, version: this.version + 1, value: Math.floor(this.random() * 1000) };
    this.#commit(
      this.objects.has(name) ? "MODIFIED" : "ADDED",
      object,
      new Map(this.objects).set(name, object),
    );
  }

  #delete(known: Stored): void {
    const next = new Map(this.objects);
    next.delete(known.name);
    this.#commit("DELETED", { ...known, version: this.version + 1 }, next);
  }

  #commit(what: string, object: Stored, next: ReadonlyMap<string, Stored>): void {
    this.states.push(next);
    const line = { type: what, object: manifest(object) };
    this.history.push({ version: this.version, line });
    this.#push(line);
  }

  #push(line: JsonObject): void {
    for (const stream of this.streams) stream.push(line);
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
    this.#onClose();
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

function manifest({ name, uid, version, value }: Stored): JsonObject {
  return { metadata: { name, uid: `u${uid}`, resourceVersion: String(version) }, value };
}

/** Answers are `lateMs` under way, so that things happen between the pages of a list. */
function clientOf(server: FakeServer, clock: Clock, wire: { lateMs: number }): KubeClient {
  return {
    server: "fake",
    async send(call): Promise<KubeAnswer> {
      const body = server.answer(call);
      if (wire.lateMs > 0) await wait(clock, wire.lateMs);
      return { status: 200, body, warnings: [] };
    },
    async watch(call) {
      if (wire.lateMs > 0) await wait(clock, wire.lateMs);
      return server.open(call);
    },
    counts: () => [],
    close: () => undefined,
  };
}

function setUp(seed: number, options: Partial<InformerOptions> = {}) {
  const random = seeded(seed);
  const server = new FakeServer(random);
  const clock = createFakeClock(1_800_000_000_000, random);
  const wire = { lateMs: 0 };
  const problems: KubeError[] = [];
  const changes: InformerChange[] = [];
  const client = clientOf(server, clock, wire);
  const informer = createInformer(
    client,
    { type, onProblem: (error) => problems.push(error), ...options },
    clock,
  );
  informer.onChange((change) => changes.push(change));
  return { random, server, clock, wire, client, informer, problems, changes };
}

const nameOf = (object: JsonObject): string => String((object["metadata"] as JsonObject)["name"]);
const uidOf = (object: JsonObject | undefined): string =>
  String((object?.["metadata"] as JsonObject | undefined)?.["uid"]);
const outline = (objects: Iterable<JsonObject>): string[] =>
  [...objects].map((object) => JSON.stringify(object)).sort();

function replay(changes: readonly InformerChange[]): Map<string, JsonObject> {
  const seen = new Map<string, JsonObject>();
  for (const { type: what, object, previous } of changes) {
    const name = nameOf(object);
    expect(seen.has(name), `${what} ${name}`).toBe(what !== "added");
    if (what === "updated") {
      expect(previous).toBe(seen.get(name));
      expect(uidOf(object)).toBe(uidOf(previous));
    }
    if (what === "deleted") seen.delete(name);
    else seen.set(name, object);
  }
  return seen;
}

/** The first moment from `since` on at which the server had exactly this. */
function momentOf(server: FakeServer, objects: readonly JsonObject[], since: number): number | undefined {
  const wanted = outline(objects).join();
  const at = server.states
    .slice(since)
    .findIndex((state) => outline([...state.values()].map(manifest)).join() === wanted);
  return at < 0 ? undefined : at + since;
}

describe("an informer", () => {
  test.each(Array.from({ length: 300 }, (_, seed) => seed + 1))(
    "has what the server had at one moment, and in the end what it has (%i)",
    async (seed) => {
      const { random, server, clock, wire, informer, changes } = setUp(seed);
      const steps: (() => void)[] = [
        ...Array.from({ length: 6 }, () => () => server.change()),
        () => server.recreate(),
        () => server.bookmark(),
        () => server.repeatLast(),
        () => server.stumble(),
        () => server.cutAll(),
        () => server.endAll(),
        () => server.forget(),
        () => server.silence(),
        () => (server.troubled = random() < 0.5),
        () => (wire.lateMs = random() < 0.5 ? Math.floor(random() * 4000) : 0),
        () => (random() < 0.7 ? (server.served = true) : server.unserve()),
      ];
      for (let count = 0; count < 20; count++) server.change();
      void informer.start();
      let moment = 0;
      for (let count = 0; count < 100; count++) {
        steps[Math.floor(random() * steps.length)]?.();
        await clock.advance(Math.floor(random() * 3000));
        if (!informer.synced()) continue;
        const found = momentOf(server, informer.list(), moment);
        expect(found, `step ${count}: ${outline(informer.list()).join()}`).toBeDefined();
        moment = found ?? moment;
      }
      Object.assign(server, { troubled: false, served: true });
      wire.lateMs = 0;
      await clock.advance(600_000);
      expect(informer.synced()).toBe(true);
      expect(outline(informer.list())).toEqual(outline([...server.objects.values()].map(manifest)));
      expect(outline(replay(changes).values())).toEqual(outline(informer.list()));
      informer.stop();
    },
  );

  test("keeps what it has while the pages of a new list come", async () => {
    const { server, clock, wire, informer } = setUp(11);
    for (let count = 0; count < 12; count++) server.change(`a${count}`);
    void informer.start();
    await clock.advance(10);
    expect(informer.size()).toBe(server.objects.size);
    wire.lateMs = 1000;
    const before = outline(informer.list());
    server.silence();
    for (let count = 0; count < 12; count++) server.change(`b${count}`);
    server.forget();
    server.cutAll();
    await clock.advance(3500);
    expect(server.lists).toBeGreaterThan(4);
    expect(outline(informer.list())).toEqual(before);
    await clock.advance(10_000);
    expect(outline(informer.list())).toEqual(outline([...server.objects.values()].map(manifest)));
    informer.stop();
  });

  test("tells that an object is another one, also where it slept through the change", async () => {
    const { server, clock, informer, changes } = setUp(12);
    server.change("a");
    void informer.start();
    await clock.advance(10);
    server.silence();
    server.recreate();
    server.forget();
    server.cutAll();
    await clock.advance(5000);
    expect(changes.map(({ type: what, object }) => `${what} ${uidOf(object)}`)).toEqual([
      "added u2",
      "deleted u2",
      "added u4",
    ]);
    informer.stop();
  });

  test("believes a server that does not know a kind with objects when it says so twice", async () => {
    const { server, clock, informer, changes, problems } = setUp(13);
    server.change("a");
    void informer.start();
    await clock.advance(10);
    server.served = false;
    server.cutAll();
    await clock.advance(4000);
    expect(informer.size()).toBe(1);
    server.served = true;
    await clock.advance(20_000);
    server.served = false;
    server.cutAll();
    await clock.advance(4000);
    expect(informer.size()).toBe(1);
    await clock.advance(60_000);
    expect(informer.size()).toBe(0);
    expect(changes.map(({ type: what }) => what)).toEqual(["added", "deleted"]);
    expect(problems.every(({ status }) => status === 0)).toBe(true);
    informer.stop();
  });

  test("lists again where a version is answered by an error, and not faster and faster", async () => {
    const { server, clock, informer, problems } = setUp(14);
    const lists = () => server.lists;
    void informer.start();
    await clock.advance(10);
    const open = server.open.bind(server);
    let broken = true;
    server.open = (call) => {
      const stream = open(call);
      if (!broken) return stream;
      stream.push({ type: "ERROR", object: { kind: "Status", code: 500, message: "no previous value" } });
      stream.end();
      return stream;
    };
    server.cutAll();
    await clock.advance(120_000);
    expect(lists()).toBeGreaterThan(4);
    expect(lists()).toBeLessThan(20);
    expect(problems.at(-1)?.message).toBe("no previous value");
    broken = false;
    server.change();
    await clock.advance(60_000);
    expect(informer.size()).toBe(1);
    informer.stop();
  });

  test("finds its way after etcd was put back to an older state", async () => {
    const { server, clock, informer } = setUp(15);
    for (let count = 0; count < 8; count++) server.change(`a${count}`);
    void informer.start();
    await clock.advance(10);
    server.silence();
    server.cutAll();
    server.states.splice(4);
    server.history.splice(2);
    await clock.advance(600_000);
    expect(outline(informer.list())).toEqual(outline([...server.objects.values()].map(manifest)));
    informer.stop();
  });

  test("asks a server that ends every watch at once less and less often", async () => {
    const { server, clock, informer } = setUp(16);
    const open = server.open.bind(server);
    server.open = (call) => {
      const stream = open(call);
      stream.end();
      return stream;
    };
    void informer.start();
    await clock.advance(600_000);
    expect(server.watches).toBeLessThan(90);
    informer.stop();
  });

  test("tells of credentials that cannot be had, and goes on", async () => {
    const { server, clock, client, informer, problems } = setUp(17);
    const send = client.send;
    let broken = true;
    Object.assign(client, {
      send: (call: KubeCall) =>
        broken ? Promise.reject(new Fault("kube/credentials", "no plugin")) : send(call),
    });
    server.change();
    void informer.start();
    await clock.advance(5000);
    expect(problems[0]).toMatchObject({ status: 0, message: "no plugin" });
    broken = false;
    await clock.advance(60_000);
    expect(informer.size()).toBe(1);
    informer.stop();
  });

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
    const { server, clock, informer, problems } = setUp(2);
    void informer.start();
    await clock.advance(10);
    server.silence();
    server.change();
    await clock.advance(170_000);
    expect(informer.size()).toBe(0);
    await clock.advance(20_000);
    expect(informer.size()).toBe(1);
    expect([server.lists, problems]).toEqual([1, []]);
    informer.stop();
  });

  test("keeps a quiet connection whose bookmarks come, and says when it last heard of the server", async () => {
    const { server, clock, informer } = setUp(2);
    void informer.start();
    for (let time = 0; time < 15; time++) {
      await clock.advance(120_000);
      server.bookmark();
    }
    await clock.advance(10);
    expect([server.lists, server.watches]).toEqual([1, 1]);
    expect(informer.lastContactMs()).toBe(1_800_000_000_000 + 1_800_000);
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
    expect(problems.length - early).toBeLessThan(90);
    expect(informer.synced()).toBe(false);
    informer.stop();
  });

  test("keeps what `trim` leaves, and drops what it leaves nothing of", async () => {
    const { server, clock, informer, changes } = setUp(5, {
      trim: (object) => {
        const value = Number(object["value"]);
        return value > 500 ? { metadata: { name: nameOf(object) }, value } : undefined;
      },
    });
    for (let count = 0; count < 30; count++) server.change();
    void informer.start();
    await clock.advance(10);
    for (let count = 0; count < 100; count++) {
      server.change();
      if (count % 10 === 0) server.cutAll();
      await clock.advance(1000);
    }
    const kept = [...server.objects.values()]
      .filter(({ value }) => value > 500)
      .map(({ name, value }) => ({ metadata: { name }, value }));
    expect(outline(informer.list())).toEqual(outline(kept));
    expect(outline(replay(changes).values())).toEqual(outline(kept));
    informer.stop();
  });
});
