import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";

import { Fault } from "#diag";
import { createKubeClient } from "./client.ts";
import type { ClientOptions } from "./client.ts";
import type { ClusterConfig, Credentials } from "./config/cluster-config.ts";
import type { KubeClient } from "./contract.ts";
import { createRateLimiter } from "./rate-limits.ts";
import { afterSeconds } from "./repetition.ts";
import { parseWarnings, warningsIn } from "./warnings.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Answer = (request: http.IncomingMessage, response: http.ServerResponse, count: number) => void;

async function startServer(answer: Answer): Promise<string> {
  let count = 0;
  const server = http.createServer((request, response) => answer(request, response, ++count));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(
  server: string,
  more: Partial<ClusterConfig> = {},
  options: Partial<ClientOptions> = {},
): KubeClient {
  const config: ClusterConfig = {
    server,
    caPem: () => undefined,
    insecure: false,
    serverName: undefined,
    proxy: undefined,
    credentials: { current: async () => ({ token: "t1" }), refused: () => undefined },
    impersonate: undefined,
    namespace: undefined,
    source: "a test",
    ...more,
  };
  const client = createKubeClient(config, {
    userAgent: "postern/test",
    nowMs: Date.now,
    random: () => 0,
    ...options,
  });
  closing.push(() => client.close());
  return client;
}

function reply(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const get = { method: "GET", path: "/x", purpose: "command" } as const;
const post = { method: "POST", path: "/x", body: {}, purpose: "command" } as const;

describe("a client", () => {
  test("sends who calls, and what, and reads warnings", async () => {
    const seen: http.IncomingMessage[] = [];
    const server = await startServer((request, response) => {
      seen.push(request);
      reply(response, 200, { a: 1 }, { warning: '299 - "first, with a comma", 299 - "second \\"quoted\\""' });
    });
    const client = clientOf(server, { impersonate: { user: "ann", groups: ["a", "b"] } });
    const answer = await client.send({ ...get, query: { labelSelector: "a=b" } });
    expect(answer).toEqual({
      status: 200,
      body: { a: 1 },
      warnings: ["first, with a comma", 'second "quoted"'],
    });
    expect(seen[0]?.url).toBe("/x?labelSelector=a%3Db");
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer t1",
      "user-agent": "postern/test",
      "impersonate-user": "ann",
      "impersonate-group": "a, b",
    });
    expect(client.counts()).toEqual([{ purpose: "command", method: "GET", code: 200, count: 1 }]);
  });

  test.each([429, 500, 503, 504])("repeats a GET after %i until it is answered", async (status) => {
    const server = await startServer((_, response, count) =>
      reply(response, count < 3 ? status : 200, { count }),
    );
    expect((await clientOf(server).send(get)).body).toEqual({ count: 3 });
  });

  test("repeats a GET after a broken connection", async () => {
    const server = await startServer((request, response, count) => {
      if (count === 1) request.socket.destroy();
      else reply(response, 200, { count });
    });
    expect((await clientOf(server).send(get)).body).toEqual({ count: 2 });
  });

  test("never repeats a POST that may have been done", async () => {
    let calls = 0;
    const server = await startServer((request, response, count) => {
      calls = count;
      if (count === 1) reply(response, 500, { message: "who knows" });
      else request.socket.destroy();
    });
    const client = clientOf(server);
    await expect(client.send(post)).rejects.toMatchObject({ status: 500 });
    await expect(client.send(post)).rejects.toMatchObject({ status: 0 });
    expect(calls).toBe(2);
  });

  test("repeats a POST that the server turned away unread, once it wants to hear from us again", async () => {
    const server = await startServer((_, response, count) =>
      reply(response, count === 1 ? 429 : 201, { count }, { "retry-after": "1" }),
    );
    const waits: number[] = [];
    const client = clientOf(server, {}, { wait: async (milliseconds) => void waits.push(milliseconds) });
    expect((await client.send(post)).body).toEqual({ count: 2 });
    expect(waits).toEqual([1000]);
  });

  test("takes a 429 without Retry-After for the verdict on a POST: a disruption budget says no", async () => {
    let calls = 0;
    const server = await startServer((_, response, count) => {
      calls = count;
      reply(response, 429, { reason: "TooManyRequests", message: "would violate the budget" });
    });
    await expect(clientOf(server).send(post)).rejects.toMatchObject({ status: 429 });
    expect(calls).toBe(1);
  });

  const put = { method: "PUT", path: "/x", body: {}, purpose: "control" } as const;
  const patch = { method: "PATCH", path: "/x", body: {}, purpose: "control" } as const;

  test.each([
    ["PUT", put],
    ["DELETE", { ...put, method: "DELETE" }],
    ["merge patch", { ...patch, contentType: "application/merge-patch+json" }],
    ["apply", { ...patch, contentType: "application/apply-patch+yaml" }],
  ] as const)("repeats a %s after a broken connection and after 503", async (_name, call) => {
    const server = await startServer((request, response, count) => {
      if (count === 1) request.socket.destroy();
      else reply(response, count === 2 ? 503 : 200, { count });
    });
    expect((await clientOf(server).send(call)).body).toEqual({ count: 3 });
  });

  test.each([
    ["json patch, which may add twice", { ...patch, contentType: "application/json-patch+json" }],
    [
      "strategic patch, which may add twice",
      { ...patch, contentType: "application/strategic-merge-patch+json" },
    ],
    ["lease: the election itself tries again", { ...put, purpose: "leader" }],
    ["lease's reading", { method: "GET", path: "/x", purpose: "leader" }],
  ] as const)("does not repeat a %s", async (_name, call) => {
    let calls = 0;
    const server = await startServer((request, _response, count) => {
      calls = count;
      request.socket.destroy();
    });
    await expect(clientOf(server).send(call)).rejects.toMatchObject({ status: 0 });
    expect(calls).toBe(1);
  });

  test("does not repeat a PUT that the server stumbled over", async () => {
    let calls = 0;
    const server = await startServer((_, response, count) => {
      calls = count;
      reply(response, 500, { message: "a webhook failed" });
    });
    await expect(clientOf(server).send(put)).rejects.toMatchObject({ status: 500 });
    expect(calls).toBe(1);
  });

  test("waits longer each time, up to five seconds, by chance half as long or half as long again", async () => {
    const server = await startServer((_, response, count) => reply(response, count < 9 ? 503 : 200, {}));
    const waits: number[] = [];
    let drawn = 0;
    const client = clientOf(
      server,
      {},
      {
        wait: async (milliseconds) => void waits.push(milliseconds),
        random: () => (drawn++ % 2 === 0 ? 0 : 1),
      },
    );
    await client.send(get);
    expect(waits).toEqual([50, 300, 200, 1200, 800, 4800, 2500, 7500]);
  });

  test("does not repeat what is called once: who calls wants to know", async () => {
    let calls = 0;
    const server = await startServer((_, response, count) => {
      calls = count;
      reply(response, 503, { message: "busy" });
    });
    await expect(clientOf(server).send({ ...get, once: true })).rejects.toMatchObject({ status: 503 });
    expect(calls).toBe(1);
  });

  test("does not call again before the server wants to hear from it, nor beyond its own time", async () => {
    let calls = 0;
    const server = await startServer((_, response, count) => {
      calls = count;
      reply(response, 429, { message: "busy" }, { "retry-after": "60" });
    });
    await expect(clientOf(server).send({ ...get, timeoutMs: 2000 })).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 60,
      message: "GET /x: busy",
      retryable: true,
    });
    expect(calls).toBe(1);
  });

  test("asks for other credentials once when they are refused", async () => {
    let token = "old";
    const server = await startServer((request, response) =>
      reply(response, request.headers.authorization === "Bearer new" ? 200 : 401, {
        message: "Unauthorized",
      }),
    );
    const credentials = {
      current: async (): Promise<Credentials> => ({ token }),
      refused: () => {
        token = "new";
      },
    };
    expect((await clientOf(server, { credentials }).send(get)).status).toBe(200);
    token = "old";
    const stubborn = { ...credentials, refused: () => undefined };
    await expect(clientOf(server, { credentials: stubborn }).send(get)).rejects.toMatchObject({
      status: 401,
    });
  });

  test("says credentials that cannot be had as any call without an answer, and does not insist", async () => {
    let asked = 0;
    const server = await startServer((_, response) => reply(response, 200, {}));
    const credentials = {
      current: async (): Promise<Credentials> => {
        asked += 1;
        throw new Fault("kube/credentials", "credential plugin `aws`: not logged in");
      },
      refused: () => undefined,
    };
    const client = clientOf(server, { credentials });
    await expect(client.send(get)).rejects.toMatchObject({
      status: 0,
      message: "GET /x: credential plugin `aws`: not logged in",
      retryable: false,
    });
    expect(asked).toBe(1);
    await expect(client.watch(get)).rejects.toMatchObject({ status: 0 });
  });

  test("tells whoever typed a command at once that nobody listens; what runs for long goes on asking", async () => {
    const listening = http.createServer();
    await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
    const server = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    await new Promise((done) => listening.close(done));
    const client = clientOf(server, {}, { wait: async () => undefined });
    await expect(client.send(get)).rejects.toThrow(`GET /x: ${server}: nothing listens there (ECONNREFUSED)`);
    expect(client.counts()).toEqual([{ purpose: "command", method: "GET", code: 0, count: 1 }]);
    await expect(client.send({ ...get, purpose: "watch", timeoutMs: 100 })).rejects.toMatchObject({
      status: 0,
    });
    expect(client.counts().find(({ purpose }) => purpose === "watch")?.count).toBeGreaterThan(1);
  });

  test("says the call and the reason, whatever the answer looks like", async () => {
    const server = await startServer((_, response, count) => {
      if (count === 1)
        reply(response, 409, { kind: "Status", reason: "AlreadyExists", message: "it is there" });
      else response.writeHead(403).end("<html>proxy says no</html>");
    });
    const client = clientOf(server);
    await expect(client.send(post)).rejects.toMatchObject({
      reason: "AlreadyExists",
      message: "POST /x: it is there",
    });
    await expect(client.send(get)).rejects.toMatchObject({
      message: "GET /x: <html>proxy says no</html>",
      retryable: false,
    });
  });

  test("ends with its signal, with its time, and with its client", async () => {
    const server = await startServer(() => undefined);
    const client = clientOf(server);
    const stop = new AbortController();
    const calls = [
      client.send({ ...get, signal: stop.signal }),
      client.send({ ...get, timeoutMs: 50 }),
      client.send(get),
    ];
    stop.abort();
    await expect(calls[0]).rejects.toThrow("GET /x: called off before an answer came");
    await expect(calls[1]).rejects.toThrow("GET /x: no answer in time");
    client.close();
    await expect(calls[2]).rejects.toMatchObject({ status: 0 });
  });

  test("reads a watch line by line, however they come, and half a line is none", async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200);
      response.write('{"type":"ADDED","object":{"a":"\u00e4');
      setTimeout(() => response.write('"}}\n\n{"type":"BOOKMARK"}\n{"type":"DEL'), 20);
      setTimeout(() => response.socket?.destroy(), 60);
    });
    const seen: unknown[] = [];
    const stream = await clientOf(server).watch(get);
    await expect(
      (async () => {
        for await (const line of stream) seen.push(line);
      })(),
    ).rejects.toMatchObject({ status: 0 });
    expect(seen).toEqual([{ type: "ADDED", object: { a: "\u00e4" } }, { type: "BOOKMARK" }]);
  });

  test("ends a watch when it is closed", async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200);
      response.write('{"type":"ADDED"}\n');
    });
    const stream = await clientOf(server).watch(get);
    let lines = 0;
    await expect(
      (async () => {
        for await (const _ of stream) {
          lines += 1;
          stream.close();
        }
      })(),
    ).rejects.toMatchObject({ status: 0 });
    expect(lines).toBe(1);
  });

  test("does not open a watch that is refused", async () => {
    const server = await startServer((_, response) =>
      reply(response, 410, { reason: "Expired", message: "too old" }),
    );
    await expect(clientOf(server).watch(get)).rejects.toMatchObject({ status: 410, reason: "Expired" });
  });

  test("goes through a proxy, and says what a proxy says", async () => {
    const seen: string[] = [];
    const proxy = http.createServer();
    proxy.on("connect", (request, socket) => {
      seen.push(String(request.url));
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    closing.push(() => proxy.close());
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    const address = `http://user:pw@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = clientOf("https://cluster.example:6443", { proxy: address });
    await expect(client.send({ ...get, timeoutMs: 1000 })).rejects.toThrow(
      /it answers 407 to CONNECT cluster.example:6443/,
    );
    expect(seen[0]).toBe("cluster.example:6443");
  });
});

test.each([
  ["7", 7],
  ["Thu, 01 Jan 1970 00:01:40 GMT", 40],
  ["Thu, 01 Jan 1970 00:00:10 GMT", undefined],
  ["0", undefined],
  ["soon", undefined],
  [undefined, undefined],
])("Retry-After: %s, a minute after the epoch", (header, seconds) => {
  expect(afterSeconds(header, 60_000)).toBe(seconds);
});

describe("rate limits", () => {
  test("each purpose has its own, with a burst after a quiet time", () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const waits = Array.from({ length: 12 }, () => limiter.reserve("leader"));
    expect(waits.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 0));
    expect(waits.slice(10)).toEqual([200, 400]);
    expect(limiter.reserve("policy")).toBe(0);
    now = 60_000;
    expect(limiter.reserve("leader")).toBe(0);
  });

  test("a clock that is set back neither gives nor takes", () => {
    let now = 1_000_000;
    const limiter = createRateLimiter(() => now);
    for (let count = 0; count < 10; count++) limiter.reserve("leader");
    now = 0;
    expect(limiter.reserve("leader")).toBe(200);
  });
});

test.each([
  [undefined, []],
  ['299 - "plain"', ["plain"]],
  ['299 - "a", 299 kube "b, c" "Wed, 21 Oct 2015 07:28:00 GMT"', ["a", "b, c"]],
  ["garbage", []],
])("warnings of %s", (header, texts) => {
  expect(parseWarnings(header)).toEqual(texts);
});

test("warnings are UTF-8 in a header of bytes", () => {
  const header = Buffer.from('299 - "größer als 5 €"').toString("latin1");
  expect(warningsIn(header)).toEqual(["größer als 5 €"]);
});
