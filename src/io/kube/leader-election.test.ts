/**
 * Candidates with clocks that differ and are set while they run, and a server that is late, hangs, loses answers and
 * cannot be reached by some. Two leaders are two that say so of themselves, or two that were told so.
 */
import { describe, expect, test } from "vitest";

import { Fault } from "#diag";
import type { JsonObject } from "#json";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import type { Clock } from "#platform";
import { wait } from "#platform";
import type { LeaderOptions, ObjectClient } from "./contract.ts";
import { KubeError } from "./kube-error.ts";
import { createLeaderElection } from "./leader-election.ts";

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** One Lease, guarded by resourceVersion. */
class LeaseStore {
  lease: JsonObject | undefined;
  version = 0;
  reads = 0;

  write(object: JsonObject, create: boolean): JsonObject {
    if (create && this.lease !== undefined) throw error(409, "AlreadyExists");
    const metadata = object["metadata"] as JsonObject;
    if (!create && metadata["resourceVersion"] !== String(this.version)) throw error(409, "Conflict");
    this.version += 1;
    this.lease = { ...object, metadata: { ...metadata, resourceVersion: String(this.version) } };
    return this.lease;
  }
}

function error(status: number, reason: string): KubeError {
  return new KubeError({ status, reason, message: reason });
}

type Wire = { cut: boolean; slowMs: number; losesAnswers: boolean };

/** Calls over a wire: late, or with the answer lost after the write was done. */
function clientOf(store: LeaseStore, wire: Wire, clock: Clock): ObjectClient {
  async function over<T>(work: () => T): Promise<T> {
    if (wire.cut) throw error(0, "");
    await wait(clock, wire.slowMs / 2);
    const result = work();
    await wait(clock, wire.slowMs / 2);
    if (wire.losesAnswers && clock.random() < 0.5) throw error(0, "");
    return result;
  }
  const none = () => Promise.reject(new Error("not used"));
  return {
    get: () =>
      over(() => {
        store.reads += 1;
        if (store.lease === undefined) throw error(404, "NotFound");
        return store.lease;
      }),
    create: (object) => over(() => store.write(object, true)),
    replace: (object) => over(() => store.write(object, false)),
    patch: none,
    apply: none,
    remove: none,
    list: () => {
      throw new Error("not used");
    },
  };
}

const lease = { namespace: "postern", name: "postern" };

function troubleOf(random: () => number): Wire {
  return {
    cut: random() < 0.3,
    slowMs: Math.floor(random() * (random() < 0.3 ? 24_000 : 100)),
    losesAnswers: random() < 0.2,
  };
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

function both<T>(items: readonly T[]): readonly [T, T] {
  const [first, second] = items;
  if (first === undefined || second === undefined) throw new Error("there are not two");
  return [first, second];
}

function setUp(seed: number, skewsMs: readonly number[], times: Partial<LeaderOptions> = {}) {
  const random = seeded(seed);
  const clock = createFakeClock(1_800_000_000_000, random);
  const store = new LeaseStore();
  const candidates = skewsMs.map((skewMs, index) => {
    const wire: Wire = { cut: false, slowMs: 0, losesAnswers: false };
    const wall = { skewMs };
    const own: Clock = { ...clock, nowMs: () => clock.nowMs() + wall.skewMs };
    const log: string[] = [];
    const election = createLeaderElection(
      clientOf(store, wire, own),
      {
        ...lease,
        ...times,
        identity: `c${index}`,
        onStarted: () => log.push("started"),
        onStopped: () => log.push("stopped"),
      },
      own,
    );
    return { wire, wall, election, log };
  });
  const leaders = (): number =>
    Math.max(
      candidates.filter(({ election }) => election.isLeader()).length,
      candidates.filter(({ log }) => log.at(-1) === "started").length,
    );
  return { random, clock, store, candidates, leaders };
}

const specOf = (store: LeaseStore) => store.lease?.["spec"] as JsonObject;

describe("leader election", () => {
  test.each(Array.from({ length: 150 }, (_, seed) => seed + 1))(
    "never has two leaders (%i)",
    async (seed) => {
      const { random, clock, candidates, leaders } = setUp(
        seed,
        [0, 3_600_000, -7_000_000],
        // Every other time with no more room between the two than there must be.
        seed % 2 === 0 ? {} : { leaseMs: 10_200, renewMs: 10_000 },
      );
      for (const { election } of candidates) election.start();
      let led = 0;
      for (let step = 0; step < 300; step++) {
        const { wire, wall } = pick(candidates, random);
        if (random() < 0.2) Object.assign(wire, troubleOf(random));
        if (random() < 0.05) wall.skewMs += Math.floor((random() - 0.5) * 7_200_000);
        await clock.advance(Math.floor(random() * 2000));
        expect(leaders()).toBeLessThanOrEqual(1);
        led += leaders();
      }
      expect(led).toBeGreaterThan(30);
      for (const { wire } of candidates) Object.assign(wire, { cut: false, slowMs: 0, losesAnswers: false });
      await clock.advance(60_000);
      expect(leaders()).toBe(1);
      await Promise.all([...candidates.map(({ election }) => election.release()), clock.advance(60_000)]);
      expect(candidates.map(({ log }) => log.at(-1)).filter((last) => last === "started")).toEqual([]);
    },
  );

  test("an answer that was long under way does not make a Lease older than it is", async () => {
    const { clock, candidates, leaders } = setUp(3, [0, 0]);
    const [first, second] = both(candidates);
    first.election.start();
    await clock.advance(1000);
    second.wire.slowMs = 9000;
    second.election.start();
    await clock.advance(4600);
    first.wire.cut = true;
    second.wire.slowMs = 0;
    for (let step = 0; step < 300; step++) {
      await clock.advance(100);
      expect(leaders()).toBeLessThanOrEqual(1);
    }
    expect(second.election.isLeader()).toBe(true);
  });

  test("a leader whose calls hang is told in time, and so is one whose clock is set back", async () => {
    const { clock, candidates } = setUp(3, [0]);
    const [only] = both([...candidates, ...candidates]);
    only.election.start();
    await clock.advance(1000);
    only.wire.slowMs = 600_000;
    only.wall.skewMs = -3_600_000;
    await clock.advance(10_100);
    expect([only.election.isLeader(), only.log]).toEqual([false, ["started", "stopped"]]);
    only.wire.slowMs = 0;
    await clock.advance(10_000);
    expect(only.election.isLeader()).toBe(true);
  });

  test("a clock that is set forward takes nothing from the one that leads", async () => {
    const { clock, candidates } = setUp(5, [0, 0]);
    const [first, second] = both(candidates);
    first.election.start();
    await clock.advance(100);
    second.election.start();
    for (let step = 0; step < 20; step++) {
      second.wall.skewMs += 3_600_000;
      await clock.advance(1500);
    }
    expect([first.log, second.log]).toEqual([["started"], []]);
  });

  test("credentials that cannot be had are a turn that failed", async () => {
    const clock = createFakeClock();
    const store = new LeaseStore();
    const client = clientOf(store, { cut: false, slowMs: 0, losesAnswers: false }, clock);
    let broken = true;
    const election = createLeaderElection(
      {
        ...client,
        get: (namespace, name) =>
          broken ? Promise.reject(new Fault("kube/credentials", "no")) : client.get(namespace, name),
      },
      { ...lease, identity: "c0", onStarted: () => undefined, onStopped: () => undefined },
      clock,
    );
    election.start();
    await clock.advance(10_000);
    expect(election.isLeader()).toBe(false);
    broken = false;
    await clock.advance(10_000);
    expect(election.isLeader()).toBe(true);
  });

  test("leads from when it asked, not from when it was answered", async () => {
    const { clock, candidates } = setUp(6, [0]);
    const [only] = both([...candidates, ...candidates]);
    only.wire.slowMs = 4800;
    only.election.start();
    // There is no Lease: that is known after half of the way, and the write takes the whole of it.
    await clock.advance(7300);
    expect(only.election.isLeader()).toBe(true);
    only.wire.cut = true;
    await clock.advance(5000);
    expect(only.election.isLeader()).toBe(true);
    await clock.advance(200);
    expect([only.election.isLeader(), only.log]).toEqual([false, ["started", "stopped"]]);
  });

  test("somebody else's mark on the Lease costs its leader nothing", async () => {
    const { clock, candidates, store } = setUp(6, [0]);
    candidates[0]?.election.start();
    await clock.advance(5000);
    const { metadata, ...rest } = store.lease ?? {};
    const marked = { ...(metadata as JsonObject), annotations: { seen: "yes" } };
    store.write({ ...rest, metadata: marked }, false);
    await clock.advance(60_000);
    expect(candidates[0]?.log).toEqual(["started"]);
    expect(store.lease?.["metadata"]).toMatchObject({ annotations: { seen: "yes" } });
  });

  test("a leader makes one call a turn", async () => {
    const { clock, candidates, store } = setUp(6, [0]);
    candidates[0]?.election.start();
    await clock.advance(100);
    const before = { version: store.version, reads: store.reads };
    await clock.advance(20_000);
    expect([store.version - before.version, store.reads - before.reads]).toEqual([10, 0]);
  });

  test("passes to another when the leader is cut off, after its lease has run out and not before", async () => {
    const { clock, candidates, store } = setUp(7, [0, 0]);
    candidates[0]?.election.start();
    await clock.advance(100);
    candidates[1]?.election.start();
    await clock.advance(5000);
    expect(specOf(store)["holderIdentity"]).toBe("c0");
    if (candidates[0] !== undefined) candidates[0].wire.cut = true;
    await clock.advance(10_500);
    expect(candidates[0]?.election.isLeader()).toBe(false);
    await clock.advance(12_000);
    expect(candidates[1]?.election.isLeader()).toBe(true);
    expect(candidates[0]?.log).toEqual(["started", "stopped"]);
    expect(specOf(store)["leaseTransitions"]).toBe(1);
  });

  test("gives the lease back at the end, so that another need not wait", async () => {
    const { clock, candidates, store } = setUp(8, [0, 0]);
    const [first, second] = both(candidates);
    first.election.start();
    await clock.advance(100);
    second.election.start();
    await clock.advance(3000);
    await Promise.all([first.election.release(), clock.advance(10)]);
    expect(first.election.isLeader()).toBe(false);
    expect(specOf(store)).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 0 });
    await clock.advance(5000);
    expect(second.election.isLeader()).toBe(true);
    expect(specOf(store)).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 1 });
  });

  test("gives back what it got while it was being released, and starts nothing", async () => {
    const { clock, candidates, store } = setUp(8, [0]);
    const [only] = both([...candidates, ...candidates]);
    only.wire.slowMs = 1000;
    only.election.start();
    await clock.advance(1200);
    expect(specOf(store)["holderIdentity"]).toBe("c0");
    await Promise.all([only.election.release(), clock.advance(5000)]);
    expect(only.log).toEqual([]);
    expect(specOf(store)["holderIdentity"]).toBe("");
  });

  test("leaves alone what another holds", async () => {
    const { clock, candidates, store } = setUp(8, [0, 0]);
    const [first, second] = both(candidates);
    first.election.start();
    await clock.advance(100);
    second.election.start();
    await clock.advance(3000);
    await Promise.all([second.election.release(), clock.advance(10)]);
    expect(specOf(store)["holderIdentity"]).toBe("c0");
  });

  test("writes what kubectl and client-go read", async () => {
    const { clock, candidates, store } = setUp(9, [0]);
    candidates[0]?.election.start();
    await clock.advance(3000);
    expect(specOf(store)).toMatchObject({
      holderIdentity: "c0",
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    expect(String(specOf(store)["renewTime"])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(specOf(store)["acquireTime"]).not.toBe(specOf(store)["renewTime"]);
  });
});
