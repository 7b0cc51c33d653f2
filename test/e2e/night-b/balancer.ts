/**
 * What stands in front of replicas as a Service does: new connections go to those that say they are ready, in turn. A
 * replica that stopped is noticed by its health a moment later; until then calls go to it and get no answer, as in a
 * cluster.
 */
import * as https from "node:https";
import * as net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Balancer = {
  readonly url: string;
  readonly stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 500;

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>();
  const sockets = new Set<net.Socket>();
  let turn = 0;
  let stopped = false;

  async function look(): Promise<void> {
    while (!stopped) {
      await Promise.all(
        ports.map(async (port) => {
          if (await isReady(port)) ready.add(port);
          else ready.delete(port);
        }),
      );
      await sleep(LOOK_EVERY_MS);
    }
  }

  const server = net.createServer((socket) => {
    const live = ports.filter((port) => ready.has(port));
    const choice = live.length > 0 ? live : ports;
    turn += 1;
    const upstream = net.connect(choice[turn % choice.length] ?? 0, "127.0.0.1");
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on("close", () => sockets.delete(end));
      end.on("error", () => {
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const looking = look();
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    async stop() {
      stopped = true;
      server.close();
      for (const socket of sockets) socket.destroy();
      await looking;
    },
  };
}

function isReady(port: number): Promise<boolean> {
  return new Promise((done) => {
    const request = https.get(
      {
        host: "127.0.0.1",
        port,
        path: "/health/readiness",
        rejectUnauthorized: false,
        timeout: 1000,
        agent: false,
      },
      (response) => {
        response.resume();
        done(response.statusCode === 200);
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => done(false));
  });
}
