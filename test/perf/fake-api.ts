/**
 * An API server that has policies and namespaces and answers at once: what `postern serve` costs by itself is measured
 * against it. Lists are paged, watches stay open, what is written is echoed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";

import type { JsonObject } from "#json";

export type FakeApi = { readonly address: string; readonly stop: () => void };

export type FakeObjects = {
  readonly policies: readonly JsonObject[];
  readonly namespaces: readonly JsonObject[];
};

export async function startFakeApi(certPem: string, keyPem: string, objects: FakeObjects): Promise<FakeApi> {
  const lists: Readonly<Record<string, readonly JsonObject[]>> = {
    "/apis/kyverno.io/v1/clusterpolicies": objects.policies,
    "/apis/kyverno.io/v1/policies": [],
    "/apis/kyverno.io/v2/policyexceptions": [],
    "/api/v1/namespaces": objects.namespaces,
    "/api/v1/configmaps": [],
    "/api/v1/namespaces/postern/configmaps": [],
  };
  const server = https.createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const url = new URL(request.url ?? "/", "https://fake");
    const list = lists[url.pathname];
    if (url.searchParams.get("watch") === "true") {
      response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    } else if (request.method === "GET" && list !== undefined) {
      answer(response, 200, page(list, Number(url.searchParams.get("continue") ?? 0)));
    } else if (request.method === "GET") {
      answer(response, 404, { kind: "Status", code: 404, reason: "NotFound", message: "not found" });
    } else echo(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function page(list: readonly JsonObject[], from: number): JsonObject {
  const next = from + 500;
  return {
    kind: "List",
    metadata: { resourceVersion: "1", ...(next < list.length ? { continue: String(next) } : {}) },
    items: list.slice(from, next),
  };
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const object = (text === "" ? {} : JSON.parse(text)) as JsonObject;
    const metadata = (object["metadata"] ?? {}) as JsonObject;
    answer(response, 200, { ...object, metadata: { ...metadata, resourceVersion: "2" } });
  });
}

function answer(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
