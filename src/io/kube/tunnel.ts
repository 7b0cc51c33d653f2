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
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: target,
    headers: { host: target, ...proxyAuthorization(proxy) },
    agent: false,
    timeout: TIMEOUT_MS,
  });
  return new Promise((done, fail) => {
    const refuse = (what: string, more: { readonly retryable: boolean; readonly cause?: unknown }): void =>
      fail(new Fault("kube/proxy", `proxy ${proxy.host}: ${what}`, more));
    request.on("connect", (response, socket) => {
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        socket.setTimeout(0);
        done(socket);
        return;
      }
      socket.destroy();
      const advice = status === 407 ? ": put user and password into its address" : "";
      refuse(`it answers ${status} to CONNECT ${target}${advice}`, { retryable: status >= 500 });
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    request.on("error", (error) => refuse(error.message, { retryable: true, cause: error }));
    request.end();
  });
}

export function proxyAuthorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "") return {};
  const text = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(text).toString("base64")}` };
}
