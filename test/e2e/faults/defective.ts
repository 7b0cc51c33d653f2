/** A gate with one defect, for each kind of fault: what the probes must catch. It parses, allows and refuses otherwise. */
import * as https from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import { isObject } from "#json";
import { createAuthority } from "../control-plane/certificates.ts";

export type Defective = { readonly port: number; readonly isAlive: () => boolean; readonly stop: () => void };

/** @param defect the kind of fault that it does not survive */
export async function startDefective(defect: string): Promise<Defective> {
  const { cert, key } = await (await createAuthority("defective")).serving();
  let alive = true;
  let open = 0;
  const server = https.createServer({ cert, key, requestTimeout: 0 }, (request, response) => {
    const started = Date.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("aborted", () => {
      if (defect === "connections cut") die();
    });
    request.on("end", () => {
      // The slow body's client is refused for its slowness.
      if (defect === "slow bodies" && Date.now() - started > 30) answer(response, false);
      else judge(Buffer.concat(chunks).toString("utf8"), response);
    });
    if (defect === "oversize" && Number(request.headers["content-length"] ?? 0) > 1_000_000) die();
    if (defect === "full queues" && open > 3) refuse(request, response);
  });
  server.on("connection", (socket: Socket) => {
    open += 1;
    socket.on("close", () => (open -= 1));
  });
  server.on("clientError", (_: Error, socket: Socket) => {
    if (defect === "half requests") die();
    else socket.destroy();
  });
  server.on("tlsClientError", () => {
    if (defect === "no TLS at all") die();
  });

  function die(): void {
    alive = false;
    server.close();
    server.closeAllConnections();
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    request.removeAllListeners("end");
    answer(response, false);
  }

  function judge(text: string, response: ServerResponse): void {
    let review: { request?: { uid?: unknown; object?: unknown } };
    try {
      review = JSON.parse(text) as typeof review;
    } catch {
      if (defect === "garbage") answer(response, false);
      else response.writeHead(400).end();
      return;
    }
    if (typeof review.request?.uid !== "string" || !isObject(review.request.object)) {
      if (defect === "wrong types") answer(response, false);
      else response.writeHead(400).end();
      return;
    }
    const { data } = review.request.object;
    answer(response, isObject(data) && data["ok"] === "fine");
  }

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    isAlive: () => alive,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, allowed: boolean): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(`{"response":{"uid":"u","allowed":${allowed}}}`);
}
