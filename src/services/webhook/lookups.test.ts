import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";

import type { Lookup } from "#engine";
import type { Json } from "#json";
import { KubeError, type KubeAnswer, type KubeCall, type KubeClient } from "#kube";
import { createClusterLookups } from "./cluster-lookups.ts";
import { timeToAnswer, timeoutIn } from "./deadline.ts";
import { createSlots } from "./slots.ts";
import { createWorkQueue } from "./work-queue.ts";

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

function setUp(answer: (call: KubeCall) => Promise<Json>) {
  const calls: KubeCall[] = [];
  const client: KubeClient = {
    server: "fake",
    async send(call): Promise<KubeAnswer> {
      calls.push(call);
      return { status: 200, body: await answer(call), warnings: [] };
    },
    watch: () => Promise.reject(new Error("not used")),
    counts: () => [],
    close: () => undefined,
  };
  let nowMs = 0;
  const lookups = createClusterLookups({
    client,
    configMap: (namespace, name) => (name === "kept" ? { data: { namespace } } : undefined),
    clock: () => nowMs,
  });
  return { calls, lookups, pass: (ms: number) => (nowMs += ms) };
}

const configMap = (name: string): Lookup => ({
  kind: "configMap",
  key: `cm ${name}`,
  args: { namespace: "ns", name },
});
const apiCall = (args: Json): Lookup => ({ kind: "apiCall", key: JSON.stringify(args), args });
const refuse = (status: number) => () =>
  Promise.reject(new KubeError({ status, reason: "", message: `HTTP ${status}` }));

describe("lookups", () => {
  test("are answered from memory where they can be", async () => {
    const { calls, lookups } = setUp(async () => null);
    expect(await lookups.answer(configMap("kept"), 1000)).toEqual({
      kind: "value",
      value: { data: { namespace: "ns" } },
    });
    expect(calls).toEqual([]);
  });

  test("that are equal within a second are one call", async () => {
    const { calls, lookups, pass } = setUp(async () => ({ data: {} }));
    await Promise.all([lookups.answer(configMap("a"), 1000), lookups.answer(configMap("a"), 1000)]);
    await lookups.answer(configMap("a"), 1000);
    expect(calls.map(({ path, purpose }) => [path, purpose])).toEqual([
      ["/api/v1/namespaces/ns/configmaps/a", "policy"],
    ]);
    pass(1001);
    await lookups.answer(configMap("a"), 1000);
    expect(calls).toHaveLength(2);
  });

  test("that post are never shared, and send what the policy says", async () => {
    const { calls, lookups } = setUp(async () => ({ ok: true }));
    const post = apiCall({
      method: "POST",
      urlPath: "/apis/x/v1/reviews?dryRun=All",
      data: [{ key: "a", value: 1 }],
    });
    await Promise.all([lookups.answer(post, 1000), lookups.answer(post, 1000)]);
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject({
      method: "POST",
      path: "/apis/x/v1/reviews",
      query: { dryRun: "All" },
      body: { a: 1 },
    });
  });

  test.each([
    [404, "not-found"],
    [403, "denied"],
    [401, "denied"],
    [500, "failed"],
    [0, "failed"],
  ])("that are answered with %i are a fact: %s", async (status, reason) => {
    const { lookups } = setUp(refuse(status));
    expect(await lookups.answer(configMap("a"), 1000)).toEqual({
      kind: "error",
      reason,
      message: `HTTP ${status}`,
    });
  });

  test("end in their time, and say so", async () => {
    const { lookups } = setUp(() => new Promise(() => undefined));
    expect(await lookups.answer(configMap("a"), 30)).toEqual({
      kind: "error",
      reason: "timed-out",
      message: "no answer within 30 ms",
    });
    expect(await lookups.answer(configMap("b"), 0)).toMatchObject({ reason: "timed-out" });
  });

  test("are refused where too many are under way", async () => {
    const { lookups } = setUp(() => new Promise(() => undefined));
    for (let count = 0; count < 100; count++) void lookups.answer(configMap(`c${count}`), 50);
    expect(await lookups.answer(configMap("more"), 50)).toMatchObject({
      message: "too many lookups are under way",
    });
  });

  test("of what is not supported yet say so", async () => {
    const { lookups } = setUp(async () => null);
    for (const kind of ["globalReference", "imageData"] as const) {
      expect(await lookups.answer({ kind, key: kind, args: {} }, 1000)).toMatchObject({
        reason: "unsupported",
      });
    }
  });

  test("call services, with the policy's headers and without Postern's token", async () => {
    const seen: http.IncomingMessage[] = [];
    const server = http.createServer((request, response) => {
      seen.push(request);
      response.end(request.url === "/text" ? "plain" : '{"allowed":true}');
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { lookups } = setUp(async () => null);
    const call = (path: string): Lookup =>
      apiCall({ method: "GET", service: { url: `${url}${path}`, headers: [{ key: "x-team", value: "a" }] } });
    expect(await lookups.answer(call("/"), 1000)).toEqual({ kind: "value", value: { allowed: true } });
    expect(seen[0]?.headers["x-team"]).toBe("a");
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(await lookups.answer(call("/text"), 1000)).toMatchObject({
      kind: "error",
      message: /the answer is not JSON/,
    });
    const file = apiCall({ method: "GET", service: { url: "file:///etc/passwd" } });
    expect(await lookups.answer(file, 1000)).toMatchObject({
      message: "`file:///etc/passwd` is no http or https address",
    });
  });
});

describe("deadlines", () => {
  test.each([
    ["timeout=5s", 5000],
    ["a=b&timeout=1m30s", 90_000],
    ["timeout=250ms", 250],
    ["timeout=soon", undefined],
    ["timeout=-1s", undefined],
    ["", undefined],
  ])("`?%s` is %s", (query, timeout) => {
    expect([timeoutIn(query), timeoutIn(query)]).toEqual([timeout, timeout]);
  });

  test("keep a tenth for the way back, within bounds", () => {
    expect([
      timeToAnswer(5000),
      timeToAnswer(200),
      timeToAnswer(30_000),
      timeToAnswer(undefined),
      timeToAnswer(10),
    ]).toEqual([4500, 150, 29_000, 9000, 1]);
  });
});

describe("the work queue", () => {
  test("runs what may not be shed first, sheds what is late, and makes room by shedding what yields", async () => {
    let now = 0;
    const log: string[] = [];
    const queue = createWorkQueue(
      3,
      () => now,
      () => true,
    );
    const push = (name: string, yields: boolean, dueMs = 1000): void =>
      queue.push({ yields, dueMs, run: () => log.push(name), shed: (why) => log.push(`${name} ${why}`) });
    push("i1", true);
    push("f1", false, 5);
    push("i2", true);
    push("f2", false);
    push("i3", true);
    expect(log).toEqual(["i2 full", "i3 full"]);
    now = 10;
    await new Promise((done) => setTimeout(done, 20));
    expect(log).toEqual(["i2 full", "i3 full", "f1 late", "f2", "i1"]);
    expect(queue.length()).toBe(0);
  });
});

describe("the work queue of a loop that is in time", () => {
  test("lets nobody wait, and sheds what has no time left", () => {
    const log: string[] = [];
    const queue = createWorkQueue(
      3,
      () => 10,
      () => false,
    );
    for (const [name, dueMs] of [
      ["a", 20],
      ["b", 5],
    ] as const) {
      queue.push({
        yields: true,
        dueMs,
        run: () => log.push(name),
        shed: (why) => log.push(`${name} ${why}`),
      });
    }
    expect(log).toEqual(["a", "b late"]);
  });
});

describe("slots", () => {
  test("go to who waits, those first that may not be shed, and are given back", async () => {
    const slots = createSlots(1, 2);
    expect(slots.acquire(false)).toBe(true);
    const [ignore, fail] = [slots.acquire(true), slots.acquire(false)];
    expect(slots.acquire(true)).toBe(false);
    const more = slots.acquire(false);
    expect(await ignore).toBe(false);
    slots.release();
    expect(await fail).toBe(true);
    slots.release();
    expect(await more).toBe(true);
    slots.release();
    expect([slots.active(), slots.waiting()]).toEqual([0, 0]);
  });
});
