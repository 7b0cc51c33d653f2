/** Candidates with clocks that differ, and a server that is late, loses answers and cannot be reached by some. */
import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import type { Clock } from "#platform";
import { wait } from "#platform";
import type { ObjectClient } from "./contract.ts";
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

function setUp(seed: number, skewsMs: readonly number[]) {
  const random = seeded(seed);
  const clock = createFakeClock(1_800_000_000_000, random);
  const store = new LeaseStore();
  const candidates = skewsMs.map((skewMs, index) => {
    const wire: Wire = { cut: false, slowMs: 0, losesAnswers: false };
    const own: Clock = { ...clock, nowMs: () => clock.nowMs() + skewMs };
    const log: string[] = [];
    const election = createLeaderElection(
      clientOf(store, wire, own),
      {
        namespace: "postern",
        name: "postern",
        identity: `c${index}`,
        onStarted: () => log.push("started"),
        onStopped: () => log.push("stopped"),
      },
      own,
    );
    return { wire, election, log };
  });
  const leaders = (): number => candidates.filter(({ election }) => election.isLeader()).length;
  return { random, clock, store, candidates, leaders };
}

const specOf = (store: LeaseStore) => store.lease?.["spec"] as JsonObject;

describe("leader election", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))("never has two leaders (%i)", async (seed) => {
    const { random, clock, candidates, leaders } = setUp(seed, [0, 3_600_000, -7_000_000]);
    for (const { election } of candidates) election.start();
    for (let step = 0; step < 300; step++) {
      const { wire } = candidates[Math.floor(random() * 3)] ?? { wire: undefined };
      if (wire !== undefined && random() < 0.2) {
        Object.assign(wire, {
          cut: random() < 0.3,
          slowMs: random() < 0.2 ? Math.floor(random() * 8000) : Math.floor(random() * 100),
          losesAnswers: random() < 0.2,
        });
      }
      await clock.advance(Math.floor(random() * 2000));
      expect(leaders()).toBeLessThanOrEqual(1);
    }
    for (const { wire } of candidates) Object.assign(wire, { cut: false, slowMs: 0, losesAnswers: false });
    await clock.advance(40_000);
    expect(leaders()).toBe(1);
    await Promise.all([...candidates.map(({ election }) => election.release()), clock.advance(10_000)]);
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
    const { clock, candidates } = setUp(8, [0, 0]);
    candidates[0]?.election.start();
    await clock.advance(100);
    candidates[1]?.election.start();
    await clock.advance(3000);
    await Promise.all([candidates[0]?.election.release(), clock.advance(1000)]);
    expect(candidates[0]?.election.isLeader()).toBe(false);
    await clock.advance(5000);
    expect(candidates[1]?.election.isLeader()).toBe(true);
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
