/** `/metrics` and the health endpoints in plain HTTP, on a port that no Service leads to but a scraper's. */
import * as http from "node:http";

import { listeningPort } from "#platform";
import type { Metrics } from "./metrics.ts";

export type MetricsServer = {
  /** Resolves with the port. */
  readonly start: () => Promise<number>;
  readonly stop: () => void;
};

export type MetricsServerOptions = {
  readonly host?: string | undefined;
  readonly port: number;
  readonly metrics: Metrics;
  readonly readiness: () => { readonly ready: boolean; readonly reasons: readonly string[] };
};

export function createMetricsServer(options: MetricsServerOptions): MetricsServer {
  const server = http.createServer((request, response) => {
    answer(options, request.url ?? "/").then(
      ({ status, type, body }) => response.writeHead(status, { "content-type": type }).end(body),
      (error: unknown) =>
        response.writeHead(500).end(`${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
  return {
    start: () =>
      new Promise((done, fail) => {
        server.once("error", fail);
        server.listen(options.port, options.host, () => done(listeningPort(server)));
      }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Page = { readonly status: number; readonly type: string; readonly body: string };

async function answer({ metrics, readiness }: MetricsServerOptions, url: string): Promise<Page> {
  const plain = "text/plain; charset=utf-8";
  switch (url.split("?")[0]) {
    case "/metrics":
      return { status: 200, type: metrics.contentType, body: await metrics.text() };
    case "/health/liveness":
      return { status: 200, type: plain, body: "ok\n" };
    case "/health/readiness": {
      const { ready, reasons } = readiness();
      return { status: ready ? 200 : 503, type: plain, body: ready ? "ok\n" : `${reasons.join("\n")}\n` };
    }
    default:
      return { status: 404, type: plain, body: "postern: /metrics, /health/liveness, /health/readiness\n" };
  }
}
