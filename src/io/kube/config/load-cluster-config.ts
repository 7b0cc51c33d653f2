/**
 * Finds how to reach the cluster, in the order that people expect: what they named, the pod that this runs in, KUBECONFIG,
 * ~/.kube/config. Commands that somebody types look at files before the pod.
 * SPEC: client-go tools/clientcmd, rest.InClusterConfig.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import { Fault } from "#diag";
import type { ClusterConfig } from "./cluster-config.ts";
import { fileConfig } from "./file-config.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { isInPod, podConfig } from "./pod-config.ts";

export type LoadOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** A kubeconfig file; it is then the only one that is looked at. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** Prefer files to the pod's own account: for commands that somebody types. */
  readonly filesFirst?: boolean;
  /** Somebody sits before standard input, and can be asked by a credential plugin. */
  readonly interactive?: boolean;
  /** Where a pod's account is mounted. */
  readonly accountFolder?: string;
};

const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** @throws Fault `kube/config`, `kube/credentials`, `file/unreadable` */
export async function loadClusterConfig(options: LoadOptions): Promise<ClusterConfig> {
  const { env, nowMs } = options;
  const account = options.accountFolder ?? ACCOUNT;
  const inPod = isInPod(env, account);
  const named = options.kubeconfig !== undefined || options.context !== undefined;
  if (inPod && !named && options.filesFirst !== true) return podConfig(env, nowMs, account);
  const paths = kubeconfigPaths(options);
  if (paths.some((path) => existsSync(path)) || options.kubeconfig !== undefined) {
    return fileConfig(await readKubeconfig(paths), options);
  }
  if (inPod) return podConfig(env, nowMs, account);
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
