/**
 * A call that a policy makes to a service: JSON in, JSON out, over TLS with the policy's own authority where it names
 * one. Postern's token is never sent along: a policy author must not be able to get it out of the cluster.
 * SPEC: kyverno-surface.md section 4.2 (apiCall service); only a 2xx answer is one, at most 10 MB.
 */
import * as http from "node:http";
import * as https from "node:https";

import { Fault } from "#diag";
import type { Json, JsonObject } from "#json";
import { decodeJson, isArray, isObject, plainText } from "#json";

const MAX_BYTES = 10_000_000;

/** @throws Fault `lookup/service`, or as the socket does */
export function callService(
  service: JsonObject,
  body: JsonObject | undefined,
  timeoutMs: number,
): Promise<Json> {
  const { url, caBundle } = service;
  if (typeof url !== "string" || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    return Promise.reject(
      new Fault("lookup/service", `\`${plainText(url ?? "")}\` is no http or https address`),
    );
  }
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const options: https.RequestOptions = {
    method: sent === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      ...(sent === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
      ...headersIn(service),
    },
    signal: AbortSignal.timeout(timeoutMs),
    ...(typeof caBundle === "string" && caBundle !== "" ? { ca: caBundle } : {}),
  };
  return new Promise((done, fail) => {
    const request = (url.startsWith("https:") ? https : http).request(url, options, (response) => {
      readJson(url, response).then(done, fail);
    });
    request.on("error", fail);
    request.end(sent);
  });
}

async function readJson(url: string, response: http.IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      response.destroy();
      throw new Fault("lookup/service", `${url}: the answer is larger than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw new Fault("lookup/service", `${url}: HTTP ${status}`);
  const value = decodeJson(Buffer.concat(chunks).toString("utf8"));
  if (value === undefined) throw new Fault("lookup/service", `${url}: the answer is not JSON`);
  return value;
}

function headersIn({ headers }: JsonObject): Record<string, string> {
  if (!isArray(headers)) return {};
  const pairs: [string, string][] = [];
  for (const header of headers) {
    if (!isObject(header)) continue;
    const { key, value } = header;
    if (typeof key === "string" && typeof value === "string") pairs.push([key, value]);
  }
  return Object.fromEntries(pairs);
}
