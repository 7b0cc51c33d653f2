/**
 * The front of a gate: an HTTPS server that writes down every review by identity and then behaves as its state says.
 * Behind it stands whatever judges (`Backend`): a stand-in, or the real `postern serve`. A state is taken at the front,
 * so that all six look alike to the API server, whoever is behind.
 */
import { createServer, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";

import { createAuthority } from "../control-plane/certificates.ts";
import { listen } from "../control-plane/route.ts";

export const states = ["healthy", "dead", "hung", "answers-5xx", "wrong-certificate", "route-cut"] as const;

export type State = (typeof states)[number];

/** Who judges behind the front. */
export type Backend = {
  /** `path` has the query. */
  readonly review: (
    path: string,
    body: Buffer,
  ) => Promise<{ readonly status: number; readonly body: string }>;
  /** Takes or gives back the backend's own way to the API server. */
  readonly cutRoute: (cut: boolean) => void;
  readonly stop: () => Promise<void>;
};

export type GateCall = {
  readonly path: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly operation: string;
  /** Of the object as sent: `networking.k8s.io/ServiceCIDR`, `Pod`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
};

export type Gate = {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  /** PEM */
  readonly ca: string;
  readonly enter: (state: State) => Promise<void>;
  /** Reviews since the last `forget`, in every state in which they can be read. */
  readonly calls: () => readonly GateCall[];
  /** Connections since then, those with which no TLS came about among them. */
  readonly connections: () => number;
  readonly forget: () => void;
  readonly stop: () => Promise<void>;
};

export async function openGate(backend: Backend): Promise<Gate> {
  const right = await createAuthority("night-a");
  const context = await right.serving();
  const wrong = await (await createAuthority("somebody-else")).serving();
  const sockets = new Set<Socket>();
  let state: State = "healthy";
  let calls: GateCall[] = [];
  let connections = 0;

  const requests = createServer();
  requests.on("request", (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => response.destroy());
    request.on("end", () => {
      const body = Buffer.concat(parts);
      calls.push(decodeCall(request.url ?? "", body));
      void answer(state, response, () => backend.review(request.url ?? "", body));
    });
  });
  const server = createSecureServer({ ...context, keepAliveTimeout: 120_000 }, (request, response) => {
    requests.emit("request", request, response);
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  const port = await listen(server);
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      dropAll();
    });

  return {
    url: `https://127.0.0.1:${port}`,
    ca: right.ca,
    async enter(next) {
      const wasDead = state === "dead";
      state = next;
      backend.cutRoute(next === "route-cut");
      server.setSecureContext(next === "wrong-certificate" ? wrong : context);
      dropAll();
      if (next === "dead" && !wasDead) await close();
      if (next !== "dead" && wasDead) await listen(server, port);
    },
    calls: () => calls,
    connections: () => connections,
    forget() {
      calls = [];
      connections = 0;
    },
    async stop() {
      await close();
      await backend.stop();
    },
  };
}

async function answer(
  state: State,
  response: ServerResponse,
  review: () => ReturnType<Backend["review"]>,
): Promise<void> {
  if (state === "hung") return;
  if (state === "answers-5xx") {
    response.writeHead(500).end("out of order");
    return;
  }
  try {
    const { status, body } = await review();
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  } catch {
    response.destroy();
  }
}

type Review = {
  readonly request?: {
    readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] };
    readonly operation?: string;
    readonly kind?: { readonly group: string; readonly kind: string };
    readonly namespace?: string;
    readonly name?: string;
  };
};

function decodeCall(path: string, body: Buffer): GateCall {
  const { request = {} } = JSON.parse(body.toString()) as Review;
  const { group = "", kind = "" } = request.kind ?? {};
  return {
    path,
    user: request.userInfo?.username ?? "",
    groups: request.userInfo?.groups ?? [],
    operation: request.operation ?? "",
    kind: group === "" ? kind : `${group}/${kind}`,
    namespace: request.namespace ?? "",
    name: request.name ?? "",
  };
}
