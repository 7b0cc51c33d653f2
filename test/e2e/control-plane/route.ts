/**
 * A way to a server that can be cut: what is connected breaks, and nobody connects until it is mended. This is how a
 * process stays alive and loses its API server.
 */
import { connect, createServer, type Server, type Socket } from "node:net";

export type Route = {
  /** `https://127.0.0.1:port` */
  readonly address: string;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
};

/** @param target `https://host:port` */
export async function openRoute(target: string): Promise<Route> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (isCut) {
      incoming.resetAndDestroy();
      return;
    }
    const outgoing = keep(connect(Number(port), hostname));
    incoming.on("error", () => outgoing.destroy());
    outgoing.on("error", () => incoming.resetAndDestroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    address: `https://127.0.0.1:${await listen(server)}`,
    cut() {
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
    close: () =>
      new Promise((done) => {
        breakAll();
        server.close(() => done());
      }),
  };
}

/** Listens on a free port of loopback, or on the one given. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (address !== null && typeof address === "object") done(address.port);
      else fail(new Error("no port"));
    });
  });
}
