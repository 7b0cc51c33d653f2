/**
 * How a pod reaches its cluster: by the service account that the kubelet mounts and renews.
 * SPEC: client-go rest.InClusterConfig.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { ClusterConfig } from "./cluster-config.ts";
import { checkProxy, proxyFor } from "./proxy.ts";
import { watchFile } from "./watched-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

const SOURCE = "the service account of this pod";

/** Whether this is a pod, with an account mounted. */
export function isInPod(env: Env, account: string): boolean {
  return Boolean(env["KUBERNETES_SERVICE_HOST"]) && existsSync(join(account, "token"));
}

/** @param account the folder where the account is mounted */
export function podConfig(env: Env, nowMs: () => number, account: string): ClusterConfig {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "443";
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const token = watchFile(join(account, "token"), nowMs, SOURCE);
  const ca = watchFile(join(account, "ca.crt"), nowMs, SOURCE);
  return {
    server,
    caPem: () => ca.text(),
    insecure: false,
    serverName: undefined,
    proxy: checkProxy(proxyFor(server, env), "the environment"),
    credentials: { current: async () => ({ token: token.text().trim() }), refused: () => undefined },
    impersonate: undefined,
    namespace: namespaceOf(env, join(account, "namespace"), nowMs),
    source: SOURCE,
  };
}

/** What the pod was told of itself comes before what its account says. */
function namespaceOf(env: Env, file: string, nowMs: () => number): string | undefined {
  const told = env["POD_NAMESPACE"];
  if (told) return told;
  return existsSync(file) ? watchFile(file, nowMs, SOURCE).text().trim() || undefined : undefined;
}
