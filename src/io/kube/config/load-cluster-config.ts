/**
 * Finds how to reach the cluster, in the order that people expect: what they named, the pod that this runs in, KUBECONFIG,
 * ~/.kube/config. Every refusal names the file and context, and what would help.
 * SPEC: client-go tools/clientcmd, rest.InClusterConfig.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";

import { Fault } from "#diag";
import type { JsonObject } from "#json";
import { decodeBase64Text, isArray, isObject } from "#json";
import type { ClusterConfig, Credentials, CredentialSource } from "./cluster-config.ts";
import { createExecCredentials } from "./exec-plugin.ts";
import type { Kubeconfig, NamedPart } from "./kubeconfig.ts";
import { readKubeconfig, textIn } from "./kubeconfig.ts";
import { proxyFor } from "./proxy.ts";
import { watchFile } from "./watched-file.ts";

export type LoadOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** A kubeconfig file; it is then the only one that is looked at. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** Prefer files to the pod's own account: for commands that somebody types. */
  readonly filesFirst?: boolean;
  /** Where a pod's account is mounted. */
  readonly accountFolder?: string;
};

const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** @throws Fault `kube/config`, `kube/credentials`, `file/unreadable` */
export async function loadClusterConfig(options: LoadOptions): Promise<ClusterConfig> {
  const account = options.accountFolder ?? ACCOUNT;
  const inPod = options.env["KUBERNETES_SERVICE_HOST"] !== undefined && existsSync(join(account, "token"));
  const named = options.kubeconfig !== undefined || options.context !== undefined;
  if (inPod && !named && options.filesFirst !== true) return podConfig(options, account);
  const paths = kubeconfigPaths(options);
  if (paths.some((path) => existsSync(path)) || options.kubeconfig !== undefined) {
    return fileConfig(await readKubeconfig(paths), options);
  }
  if (inPod) return podConfig(options, account);
  throw new Fault(
    "kube/config",
    `no cluster: this is no pod, and there is no ${paths.join(" or ")}; name a kubeconfig with --kubeconfig or KUBECONFIG`,
  );
}

function kubeconfigPaths({ kubeconfig, env }: LoadOptions): readonly string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  return listed.length > 0 ? listed : [join(env["HOME"] ?? homedir(), ".kube", "config")];
}

function podConfig({ env, nowMs }: LoadOptions, account: string): ClusterConfig {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "443";
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const token = watchFile(join(account, "token"), nowMs);
  const ca = watchFile(join(account, "ca.crt"), nowMs);
  const namespace = join(account, "namespace");
  return {
    server,
    caPem: () => ca.text(),
    insecure: false,
    serverName: undefined,
    proxy: proxyFor(server, env),
    credentials: { current: async () => ({ token: token.text().trim() }), refused: () => undefined },
    impersonate: undefined,
    namespace: existsSync(namespace) ? watchFile(namespace, nowMs).text().trim() : undefined,
    source: "the service account of this pod",
  };
}

function fileConfig(config: Kubeconfig, options: LoadOptions): ClusterConfig {
  const files = config.files.join(", ");
  const name = options.context ?? config.currentContext;
  if (name === "") {
    throw new Fault(
      "kube/config",
      `${files}: no context is set; choose one with --context: ${listOf(config.contexts)}`,
    );
  }
  const context = config.contexts.get(name);
  if (context === undefined) {
    throw new Fault(
      "kube/config",
      `${files}: there is no context \`${name}\`; there are: ${listOf(config.contexts)}`,
    );
  }
  const source = `${files}, context \`${name}\``;
  const cluster = find(config.clusters, textIn(context.value, "cluster"), `${source}: cluster`);
  const server = textIn(cluster.value, "server").replace(/\/+$/, "");
  if (!/^https?:\/\//.test(server)) {
    throw new Fault(
      "kube/config",
      `${source}: the cluster's server \`${server}\` is no http or https address`,
    );
  }
  const userName = textIn(context.value, "user");
  const user = userName === "" ? { value: {}, folder: "." } : find(config.users, userName, `${source}: user`);
  const caPem = pemIn(cluster, "certificate-authority", options.nowMs);
  return {
    server,
    caPem,
    insecure: cluster.value["insecure-skip-tls-verify"] === true,
    serverName: textIn(cluster.value, "tls-server-name") || undefined,
    proxy: textIn(cluster.value, "proxy-url") || proxyFor(server, options.env),
    credentials: credentialsOf(user, options, clusterInfo(server, cluster.value)),
    impersonate: impersonated(user.value),
    namespace: textIn(context.value, "namespace") || undefined,
    source,
  };
}

function find(parts: ReadonlyMap<string, NamedPart>, name: string, what: string): NamedPart {
  const part = parts.get(name);
  if (part !== undefined) return part;
  throw new Fault("kube/config", `${what} \`${name}\` is not there; there are: ${listOf(parts)}`);
}

function listOf(parts: ReadonlyMap<string, unknown>): string {
  return parts.size === 0 ? "none" : [...parts.keys()].map((name) => `\`${name}\``).join(", ");
}

/** PEM from `<name>-data` (base64), or from the file `<name>`. */
function pemIn(part: NamedPart, name: string, nowMs: () => number): () => string | undefined {
  const data = textIn(part.value, `${name}-data`);
  if (data !== "") {
    const pem = decodeBase64Text(data);
    if (pem === undefined) throw new Fault("kube/config", `\`${name}-data\` is not base64`);
    return () => pem;
  }
  const path = textIn(part.value, name);
  if (path === "") return () => undefined;
  const file = watchFile(resolve(part.folder, path), nowMs);
  return () => file.text();
}

function credentialsOf(user: NamedPart, options: LoadOptions, cluster: JsonObject): CredentialSource {
  const { value, folder } = user;
  if (isObject(value["exec"])) {
    return createExecCredentials({ value: value["exec"], folder }, { ...options, cluster });
  }
  if (isObject(value["auth-provider"])) {
    throw new Fault(
      "kube/credentials",
      "the kubeconfig's user has an `auth-provider`, which Kubernetes removed in 1.26: use its credential plugin (`exec`)",
    );
  }
  const cert = pemIn(user, "client-certificate", options.nowMs);
  const key = pemIn(user, "client-key", options.nowMs);
  const tokenPath = textIn(value, "tokenFile");
  const tokenFile = tokenPath === "" ? undefined : watchFile(resolve(folder, tokenPath), options.nowMs);
  const name = textIn(value, "username");
  return {
    async current(): Promise<Credentials> {
      const token = tokenFile?.text().trim() ?? textIn(value, "token");
      const [certPem, keyPem] = [cert(), key()];
      return {
        ...(token === "" ? {} : { token }),
        ...(token === "" && name !== ""
          ? { basic: { user: name, password: textIn(value, "password") } }
          : {}),
        ...(certPem === undefined || keyPem === undefined ? {} : { certPem, keyPem }),
      };
    },
    refused: () => undefined,
  };
}

function clusterInfo(server: string, cluster: JsonObject): JsonObject {
  const copied = ["tls-server-name", "insecure-skip-tls-verify", "certificate-authority-data", "proxy-url"];
  return {
    server,
    ...Object.fromEntries(
      copied.flatMap((name) => (cluster[name] === undefined ? [] : [[name, cluster[name]]])),
    ),
  };
}

function impersonated(user: JsonObject): ClusterConfig["impersonate"] {
  const name = textIn(user, "as");
  const groups = user["as-groups"];
  if (name === "") return undefined;
  return { user: name, groups: isArray(groups) ? groups.filter((group) => typeof group === "string") : [] };
}
