/** Connections as people's clusters want them: certificates of both sides, swapped authorities, proxies of every kind. */
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import type { Authority, IssuedCertificate } from "../../../test/support/authority.ts";
import { createAuthority } from "../../../test/support/authority.ts";
import { createKubeClient } from "./client.ts";
import type { ClusterConfig, Credentials } from "./config/cluster-config.ts";
import type { KubeClient } from "./contract.ts";

let authority: Authority;
let other: Authority;
let serving: IssuedCertificate;
beforeAll(async () => {
  authority = await createAuthority("one");
  other = await createAuthority("other");
  serving = await authority.serving(["cluster.example"]);
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as net.AddressInfo).port;
}

type Handle = (request: http.IncomingMessage, response: http.ServerResponse) => void;

function secureServer(handle: Handle = (_, response) => response.end("{}")): Promise<number> {
  const options = { ...serving, ca: authority.ca, requestCert: true, rejectUnauthorized: false };
  return listen(https.createServer(options, handle));
}

function clientOf(server: string, more: Partial<ClusterConfig> = {}): KubeClient {
  const client = createKubeClient(
    {
      server,
      caPem: () => authority.ca,
      insecure: false,
      serverName: undefined,
      proxy: undefined,
      credentials: { current: async () => ({}), refused: () => undefined },
      impersonate: undefined,
      namespace: undefined,
      source: "kc, context `one`",
      ...more,
    },
    { userAgent: "postern/test", nowMs: Date.now, random: () => 0 },
  );
  closing.push(() => client.close());
  return client;
}

const get = { method: "GET", path: "/x", purpose: "control" } as const;

describe("a connection", () => {
  test("is kept, and used again", async () => {
    const ports = new Set<unknown>();
    const port = await secureServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("{}");
    });
    const client = clientOf(`https://127.0.0.1:${port}`);
    for (let count = 0; count < 5; count++) await client.send(get);
    expect(ports.size).toBe(1);
  });

  test("shows the client's certificate, and a new one once it was renewed", async () => {
    const seen: string[] = [];
    const port = await secureServer((request, response) => {
      seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      response.end("{}");
    });
    let who = await authority.client("ann", ["devs"]);
    const current = async (): Promise<Credentials> => ({ certPem: who.cert, keyPem: who.key });
    const client = clientOf(`https://127.0.0.1:${port}`, {
      credentials: { current, refused: () => undefined },
    });
    await client.send(get);
    who = await authority.client("bob", []);
    await client.send(get);
    expect(seen).toEqual(["ann", "bob"]);
  });

  test("with an authority that was replaced is a new one; calls under way end as they would have", async () => {
    const waiting: http.ServerResponse[] = [];
    const port = await secureServer((request, response) => {
      if (request.url !== "/slow") response.end("{}");
      else waiting.push(response);
    });
    let ca = authority.ca;
    const client = clientOf(`https://127.0.0.1:${port}`, { caPem: () => ca });
    const slow = client.send({ ...get, method: "POST", path: "/slow", body: {} });
    await expect.poll(() => waiting.length).toBe(1);
    ca = `${other.ca}\n${authority.ca}`;
    await client.send(get);
    waiting[0]?.end('{"slow":true}');
    expect((await slow).body).toEqual({ slow: true });
    ca = other.ca;
    await expect(client.send(get)).rejects.toThrow(/its certificate is not trusted/);
  });

  test("under a name that the address has not is checked against that name", async () => {
    const port = await secureServer((request, response) =>
      response.end(
        JSON.stringify({ name: (request.socket as TLSSocket & { servername?: string }).servername }),
      ),
    );
    const server = `https://127.0.0.1:${port}`;
    const named = clientOf(server, { serverName: "cluster.example" });
    expect((await named.send(get)).body).toEqual({ name: "cluster.example" });
    await expect(clientOf(server, { serverName: "elsewhere.example" }).send(get)).rejects.toThrow(
      /its certificate is for other names .*: set `tls-server-name` in kc, context `one` to one of them/,
    );
    const careless = clientOf(server, { insecure: true, caPem: () => other.ca });
    expect((await careless.send(get)).status).toBe(200);
  });

  test("that is not trusted is tried once, and the refusal says where to look", async () => {
    const port = await secureServer();
    const client = clientOf(`https://127.0.0.1:${port}`, { caPem: () => other.ca });
    await expect(client.send(get)).rejects.toMatchObject({
      status: 0,
      retryable: false,
      message: expect.stringMatching(
        /^GET \/x: https:\/\/127\.0\.0\.1:\d+: its certificate is not trusted \(.+\): check `certificate-authority` in kc, context `one`$/,
      ) as unknown,
    });
    expect(client.counts()).toEqual([{ purpose: "control", method: "GET", code: 0, count: 1 }]);
  });

  test("to what speaks no TLS, and with what is no certificate, says so", async () => {
    const port = await listen(http.createServer((_, response) => response.end("{}")));
    await expect(clientOf(`https://127.0.0.1:${port}`).send(get)).rejects.toThrow(
      /: it does not speak TLS: is the address in kc, context `one` right$/,
    );
    const credentials = {
      current: async (): Promise<Credentials> => ({ certPem: "nonsense", keyPem: "nonsense" }),
      refused: () => undefined,
    };
    await expect(clientOf(`https://127.0.0.1:${port}`, { credentials }).send(get)).rejects.toThrow(
      /: a certificate or key of kc, context `one` cannot be used/,
    );
  });
});

/** A proxy that opens tunnels to one port, whatever it is asked for, and remembers what that was. */
async function proxyTo(
  port: number,
  secure = false,
): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const proxy = secure ? https.createServer(serving) : http.createServer();
  proxy.on("connect", (request: http.IncomingMessage, socket: Duplex) => {
    asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    socket.on("error", () => undefined);
    const onward = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  });
  return { port: await listen(proxy), asked };
}

describe("through a proxy", () => {
  test.each(["cluster.example", "127.0.0.1"])(
    "to %s: TLS is with the server, by its own name",
    async (host) => {
      const port = await secureServer((request, response) => {
        const { servername } = request.socket as TLSSocket & { servername?: string | false };
        response.end(JSON.stringify({ name: servername === false ? "" : servername }));
      });
      const proxy = await proxyTo(port);
      const client = clientOf(`https://${host}:6443`, {
        proxy: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
      });
      const answers = [await client.send(get), await client.send(get)];
      const name = host === "127.0.0.1" ? "" : host;
      expect(answers.map(({ body }) => body)).toEqual([{ name }, { name }]);
      const login = Buffer.from("user:p@ss").toString("base64");
      expect(proxy.asked).toEqual([`${host}:6443 Basic ${login}`]);
    },
  );

  test("to another server than the one that was meant is refused", async () => {
    const proxy = await proxyTo(await secureServer());
    const client = clientOf("https://elsewhere.example", { proxy: `http://127.0.0.1:${proxy.port}` });
    await expect(client.send(get)).rejects.toThrow(/its certificate is for other names/);
    const address = clientOf("https://127.0.0.2", { proxy: `http://127.0.0.1:${proxy.port}` });
    await expect(address.send(get)).rejects.toThrow(/its certificate is for other names/);
  });

  test("of plain HTTP, to a server of plain HTTP, by its whole address", async () => {
    const seen: unknown[] = [];
    const port = await listen(
      http.createServer((request, response) => {
        seen.push([request.url, request.headers.host, request.headers["proxy-authorization"] !== undefined]);
        response.end("{}");
      }),
    );
    await clientOf("http://cluster.example:8080/prefix", { proxy: `http://u:p@127.0.0.1:${port}` }).send(get);
    expect(seen).toEqual([["http://cluster.example:8080/prefix/x", "cluster.example:8080", true]]);
  });

  test("that asks for a password is asked once, and says how to give it", async () => {
    let asked = 0;
    const proxy = http.createServer();
    proxy.on("connect", (_, socket: Duplex) => {
      asked += 1;
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    const port = await listen(proxy);
    const client = clientOf("https://cluster.example", { proxy: `http://127.0.0.1:${port}` });
    await expect(client.send(get)).rejects.toThrow(
      `GET /x: proxy 127.0.0.1:${port}: it answers 407 to CONNECT cluster.example:443: put user and password into its address`,
    );
    expect(asked).toBe(1);
  });
});
