/** A tunnel through an HTTP proxy. SPEC: RFC 9110 section 9.3.6 (CONNECT). */
import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";

import { Fault } from "#diag";

const TIMEOUT_MS = 10_000;

/**
 * Opens a tunnel to `target` (`host:port`).
 * @throws Fault `kube/proxy`
 */
export function openTunnel(proxy: URL, target: string): Promise<Socket> {
  const request = (proxy.protocol === "https:" ? https : http).request({
    host: proxy.hostname,
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: target,
    headers: { host: target, ...authorization(proxy) },
    agent: false,
    timeout: TIMEOUT_MS,
  });
  return new Promise((done, fail) => {
    const refuse = (what: string, cause?: unknown): void =>
      fail(new Fault("kube/proxy", `proxy ${proxy.host}: ${what}`, { retryable: true, cause }));
    request.on("connect", (response, socket) => {
      if (response.statusCode === 200) {
        socket.setTimeout(0);
        done(socket);
        return;
      }
      socket.destroy();
      refuse(`it answers ${response.statusCode} to CONNECT ${target}`);
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    request.on("error", (error) => refuse(error.message, error));
    request.end();
  });
}

function authorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "") return {};
  const text = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(text).toString("base64")}` };
}
