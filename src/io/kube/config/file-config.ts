/**
 * How a kubeconfig's context reaches its cluster. Every refusal names file and context, and what would help.
 * SPEC: client-go tools/clientcmd (client_config.go), api/v1 Cluster.
 */
import { Fault } from "#diag";
import type { JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { ClusterConfig } from "./cluster-config.ts";
import type { ExecOptions } from "./exec-plugin.ts";
import type { Kubeconfig, NamedPart, SourcedPart } from "./kubeconfig.ts";
import { textIn } from "./kubeconfig.ts";
import { checkProxy, proxyFor } from "./proxy.ts";
import { impersonated, pemIn, userCredentials } from "./user-credentials.ts";

export type FileOptions = Omit<ExecOptions, "cluster"> & { readonly context?: string | undefined };

/** The name under which a cluster keeps what its credential plugin wants to know. SPEC: KEP-541. */
const EXEC_EXTENSION = "client.authentication.k8s.io/exec";

/** @throws Fault `kube/config`, `kube/credentials` */
export function fileConfig(config: Kubeconfig, options: FileOptions): ClusterConfig {
  const { name, value: context } = chosenContext(config, options.context);
  const source = `${config.files.join(", ")}, context \`${name}\``;
  const cluster = { ...find(config.clusters, textIn(context, "cluster"), `${source}: cluster`), source };
  const server = serverOf(cluster);
  const caPem = pemIn(cluster, "certificate-authority", options.nowMs);
  const user = userOf(config, textIn(context, "user"), source);
  return {
    server,
    caPem,
    insecure: cluster.value["insecure-skip-tls-verify"] === true,
    serverName: textIn(cluster.value, "tls-server-name") || undefined,
    proxy: checkProxy(textIn(cluster.value, "proxy-url") || proxyFor(server, options.env), source),
    credentials: userCredentials(user, {
      ...options,
      cluster: clusterInfo(server, cluster.value, caPem()),
    }),
    impersonate: impersonated(user),
    namespace: textIn(context, "namespace") || undefined,
    source,
  };
}

function chosenContext(
  { files, currentContext, contexts }: Kubeconfig,
  wanted: string | undefined,
): { readonly name: string; readonly value: JsonObject } {
  const name = wanted ?? currentContext;
  const where = files.join(", ");
  if (name === "") {
    throw new Fault(
      "kube/config",
      `${where}: no context is set; choose one with --context: ${listOf(contexts)}`,
    );
  }
  const context = contexts.get(name);
  if (context !== undefined) return { name, value: context.value };
  throw new Fault("kube/config", `${where}: there is no context \`${name}\`; there are: ${listOf(contexts)}`);
}

/** A context without a user calls as nobody. */
function userOf(config: Kubeconfig, name: string, source: string): SourcedPart {
  if (name === "") return { value: {}, folder: ".", source };
  return { ...find(config.users, name, `${source}: user`), source: `${source}, user \`${name}\`` };
}

function serverOf({ value, source }: SourcedPart): string {
  const server = textIn(value, "server").replace(/\/+$/, "");
  if (/^https?:\/\//.test(server) && URL.canParse(server)) return server;
  throw new Fault("kube/config", `${source}: the cluster's server \`${server}\` is no http or https address`);
}

function find(parts: ReadonlyMap<string, NamedPart>, name: string, what: string): NamedPart {
  const part = parts.get(name);
  if (part !== undefined) return part;
  throw new Fault("kube/config", `${what} \`${name}\` is not there; there are: ${listOf(parts)}`);
}

function listOf(parts: ReadonlyMap<string, unknown>): string {
  return parts.size === 0 ? "none" : [...parts.keys()].map((name) => `\`${name}\``).join(", ");
}

/** What a credential plugin is told of the cluster. SPEC: client.authentication.k8s.io/v1 Cluster. */
function clusterInfo(server: string, cluster: JsonObject, caPem: string | undefined): JsonObject {
  const copied = ["tls-server-name", "insecure-skip-tls-verify", "proxy-url"] as const;
  const extensions = cluster["extensions"];
  const own = isArray(extensions)
    ? extensions.filter(isObject).find((entry) => entry["name"] === EXEC_EXTENSION)?.["extension"]
    : undefined;
  return {
    server,
    ...Object.fromEntries(
      copied.flatMap((name) => (cluster[name] === undefined ? [] : [[name, cluster[name]]])),
    ),
    ...(caPem === undefined
      ? {}
      : { "certificate-authority-data": Buffer.from(caPem, "utf8").toString("base64") }),
    ...(own === undefined ? {} : { config: own }),
  };
}
