/**
 * One HTTP exchange with the API server: connections that are kept, TLS as the configuration says, through a proxy where
 * there is one. It knows nothing of Kubernetes; retries and meaning are the client's.
 */
import * as http from "node:http";
import * as https from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import * as tls from "node:tls";

import { Fault } from "#diag";
import type { ClusterConfig, Credentials } from "./config/cluster-config.ts";
import { openTunnel } from "./tunnel.ts";

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

type AnyAgent = http.Agent | https.Agent;

export function createTransport(config: ClusterConfig): Transport {
  const base = new URL(config.server);
  const secure = base.protocol === "https:";
  let agent: { readonly key: string; readonly agent: AnyAgent } | undefined;

  /** A connection belongs to whoever opened it: other certificates or another authority get connections of their own. */
  function agentFor(credentials: Credentials): AnyAgent {
    const ca = config.caPem();
    const key = `${ca ?? ""}\n${credentials.certPem ?? ""}\n${credentials.keyPem ?? ""}`;
    if (agent?.key === key) return agent.agent;
    agent?.agent.destroy();
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
            host: base.hostname.replace(/^\[|\]$/g, ""),
            port: base.port || (secure ? 443 : 80),
            method: request.method,
            path: `${base.pathname.replace(/\/$/, "")}${request.path}`,
            headers: headersOf(request),
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
} as const;

function headersOf({ headers, body }: HttpRequest): Record<string, string | string[]> {
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
  return body === undefined ? sent : { ...sent, "content-length": String(Buffer.byteLength(body)) };
}

function secureAgent(config: ClusterConfig, credentials: Credentials, ca: string | undefined): https.Agent {
  const host = new URL(config.server).hostname;
  const options: tls.ConnectionOptions = {
    ...(ca === undefined ? {} : { ca }),
    ...(credentials.certPem === undefined ? {} : { cert: credentials.certPem }),
    ...(credentials.keyPem === undefined ? {} : { key: credentials.keyPem }),
    ...(config.insecure ? { rejectUnauthorized: false } : {}),
    ...(config.serverName === undefined ? {} : { servername: config.serverName }),
  };
  if (config.proxy === undefined) return new https.Agent({ ...agentOptions, ...options });
  return new ProxyAgent(config.proxy, { servername: host.replace(/^\[|\]$/g, ""), ...options });
}

/** An agent whose connections are TLS within a tunnel that a proxy opens. */
class ProxyAgent extends https.Agent {
  readonly #proxy: URL;

  constructor(proxy: string, options: tls.ConnectionOptions) {
    super({ ...agentOptions, ...options });
    this.#proxy = new URL(proxy);
    if (this.#proxy.protocol !== "http:" && this.#proxy.protocol !== "https:") {
      throw new Fault("kube/config", `proxy ${proxy}: only http and https proxies are supported`);
    }
  }

  override createConnection(
    options: https.RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    openTunnel(this.#proxy, `${options.host}:${options.port}`).then(
      (socket) => callback?.(null, tls.connect({ ...this.options, socket })),
      (error: Error) => callback?.(error, new Socket().destroy()),
    );
    return undefined;
  }
}
