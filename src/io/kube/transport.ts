/**
 * One HTTP exchange with the API server: connections that are kept, TLS as the configuration says, through a proxy where
 * there is one. It knows nothing of Kubernetes; retries and meaning are the client's.
 */
import * as http from "node:http";
import * as https from "node:https";
import { Socket, isIP } from "node:net";
import type { Duplex } from "node:stream";
import * as tls from "node:tls";

import type { ClusterConfig, Credentials } from "./config/cluster-config.ts";
import { openTunnel, proxyAuthorization } from "./tunnel.ts";

export type HttpRequest = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly signal: AbortSignal;
};

export type Transport = {
  /** Resolves with the head of the answer; its body is still to be read. Rejects as the socket does. */
  readonly exchange: (request: HttpRequest, credentials: Credentials) => Promise<http.IncomingMessage>;
  readonly close: () => void;
};

/** Connections in use at one time; watches take one each for as long as they last. */
const MAX_SOCKETS = 64;
const KEEP_ALIVE_MS = 30_000;
/** Unused connections are closed before API servers do so (after 90 s), lest a call is sent into one just closed. */
const UNUSED_MS = 60_000;

type AnyAgent = http.Agent | https.Agent;

export function createTransport(config: ClusterConfig): Transport {
  const route = routeOf(config);
  const { secure } = route;
  let agent: { readonly key: string; readonly agent: AnyAgent } | undefined;

  /** A connection belongs to whoever opened it: other certificates or another authority get connections of their own. */
  function agentFor(credentials: Credentials): AnyAgent {
    const ca = config.caPem();
    const key = `${ca ?? ""}\n${credentials.certPem ?? ""}\n${credentials.keyPem ?? ""}`;
    if (agent?.key === key) return agent.agent;
    if (agent !== undefined) retire(agent.agent);
    const made = secure ? secureAgent(config, credentials, ca) : new http.Agent(agentOptions);
    agent = { key, agent: made };
    return made;
  }

  return {
    exchange(request, credentials) {
      return new Promise((done, fail) => {
        const open = secure ? https.request : http.request;
        const outgoing = open(
          {
            host: route.host,
            port: route.port,
            method: request.method,
            path: `${route.path}${request.path}`,
            headers: { ...headersOf(request), ...route.headers },
            agent: agentFor(credentials),
            signal: request.signal,
          },
          done,
        );
        outgoing.on("error", fail);
        outgoing.on("socket", prepareSocket);
        outgoing.end(request.body);
      });
    },
    close: () => agent?.agent.destroy(),
  };
}

type Route = {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** What comes before the path of each call. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** TLS goes through a proxy in a tunnel, which the agent opens; plain HTTP is asked of the proxy by its whole address. */
function routeOf({ server, proxy }: ClusterConfig): Route {
  const base = new URL(server);
  const secure = base.protocol === "https:";
  const path = base.pathname.replace(/\/$/, "");
  if (secure || proxy === undefined) {
    const port = Number(base.port || (secure ? 443 : 80));
    return { secure, host: bareHost(base), port, path, headers: {} };
  }
  const via = new URL(proxy);
  const whole = `${base.origin}${path}`;
  const headers = { host: base.host, ...proxyAuthorization(via) };
  return { secure: false, host: bareHost(via), port: Number(via.port || 80), path: whole, headers };
}

/** Without the brackets of an IPv6 address, which belong to the URL. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Calls under way end as they would have; each connection is closed once nobody uses it. */
function retire(agent: AnyAgent): void {
  agent.on("free", (socket: Duplex) => socket.destroy());
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

/** A peer that vanished without a word is noticed by the kernel, also while nothing is being sent. */
function prepareSocket(socket: Socket): void {
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
}

const agentOptions = {
  keepAlive: true,
  keepAliveMsecs: KEEP_ALIVE_MS,
  maxSockets: MAX_SOCKETS,
  maxFreeSockets: 8,
  timeout: UNUSED_MS,
} as const;

function headersOf({ headers, body }: HttpRequest): Record<string, string | string[]> {
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
  return body === undefined ? sent : { ...sent, "content-length": String(Buffer.byteLength(body)) };
}

function secureAgent(config: ClusterConfig, credentials: Credentials, ca: string | undefined): https.Agent {
  const host = bareHost(new URL(config.server));
  const options: tls.ConnectionOptions = {
    ...(ca === undefined ? {} : { ca }),
    ...(credentials.certPem === undefined ? {} : { cert: credentials.certPem }),
    ...(credentials.keyPem === undefined ? {} : { key: credentials.keyPem }),
    ...(config.insecure ? { rejectUnauthorized: false } : {}),
    ...(config.serverName === undefined ? {} : { servername: config.serverName }),
  };
  if (config.proxy === undefined) return new https.Agent({ ...agentOptions, ...options });
  // The name that certificates are checked against, and what is asked for: an address cannot be asked for by name.
  const name = isIP(host) === 0 ? { host, servername: host } : { host };
  return new ProxyAgent(config.proxy, { ...name, ...options });
}

/** An agent whose connections are TLS within a tunnel that a proxy opens. */
class ProxyAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #tls: tls.ConnectionOptions;

  constructor(proxy: string, options: tls.ConnectionOptions) {
    super({ ...agentOptions, ...options });
    this.#proxy = new URL(proxy);
    this.#tls = options;
  }

  override createConnection(
    options: https.RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const target = `${bracketed(options.host ?? "")}:${options.port}`;
    openTunnel(this.#proxy, target).then(
      (socket) => callback?.(null, tls.connect({ ...this.#tls, socket })),
      (error: Error) => callback?.(error, new Socket().destroy()),
    );
    return undefined;
  }
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
