/**
 * A control plane of its own for a test: etcd, kube-apiserver and, where asked for, kube-controller-manager, on loopback
 * with data in a temporary folder. The API server can be stopped, started again on the same data, and started with what
 * it creates at boot removed, which is how night A begins.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findControlPlane } from "../../../scripts/control-plane.js";
import { type AuditLog, createAuditLog } from "./audit-log.ts";
import { type ApiAnswer, type ApiCall, createCaller } from "./caller.ts";
import { createAuthority } from "./certificates.ts";
import { type Child, freePort, startChild, until } from "./child.ts";
import { type AdminCredentials, writeAccess, writeKubeconfig } from "./credentials.ts";
import { createEtcd, type Etcd } from "./etcd.ts";
import { readMetrics, type Sample } from "./metrics.ts";

export type ControlPlaneOptions = {
  readonly version: string;
  readonly controllerManager?: boolean;
  readonly apiServerFlags?: readonly string[];
};

export type StartOptions = {
  /** Milliseconds until /readyz must say ok; 120,000 where absent. */
  readonly timeoutMs?: number;
  /** For this start alone, after those of all starts. */
  readonly flags?: readonly string[];
};

export type ControlPlane = {
  readonly version: string;
  /** `https://127.0.0.1:port`; the same after a restart. */
  readonly server: string;
  /** Path of a kubeconfig of a cluster administrator (`kubernetes-admin`, `system:masters`). */
  readonly kubeconfig: string;
  readonly admin: AdminCredentials;
  /** A kubeconfig for the same administrator by way of another address, such as a route that can be cut. */
  readonly kubeconfigFor: (server: string) => string;
  /** Holds data, keys and `apiserver.log`; gone after `stop`. */
  readonly folder: string;
  readonly etcd: Etcd;
  readonly audit: AuditLog;
  /** As the administrator, or whoever is named. */
  readonly call: (call: ApiCall) => Promise<ApiAnswer>;
  /** Samples of the API server's /metrics with this name. */
  readonly metrics: (name: string) => Promise<readonly Sample[]>;
  /** Resolves when /readyz says ok; rejects when the process ends before, or takes too long. */
  readonly startApiServer: (options?: StartOptions) => Promise<void>;
  /** Starts the process and returns it at once. */
  readonly launchApiServer: (flags?: readonly string[]) => Child;
  /** Resolves when the launched process is ready. */
  readonly apiServerReady: (timeoutMs?: number) => Promise<void>;
  /** As a crash ends it, unless another signal is given. */
  readonly stopApiServer: (signal?: NodeJS.Signals) => Promise<void>;
  readonly restartApiServer: (options?: StartOptions) => Promise<void>;
  readonly apiServerOutput: () => string;
  readonly stop: () => Promise<void>;
};

/** @throws where the programs are not there: `node scripts/control-plane.js` builds them */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const programs = findControlPlane(options.version);
  if (programs === undefined)
    throw new Error(`no control plane ${options.version}: node scripts/control-plane.js`);
  const folder = mkdtempSync(join(tmpdir(), "postern-e2e-"));
  const [etcdPort, peerPort, apiPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const server = `https://127.0.0.1:${apiPort}`;
  const access = await writeAccess(folder, await createAuthority("postern-e2e"));
  const kubeconfig = writeKubeconfig(join(folder, "kubeconfig.json"), server, access.admin);
  const audit = createAuditLog(folder);
  const etcdServer = createEtcd(`http://127.0.0.1:${etcdPort}`, () =>
    startChild(join(programs, "etcd"), etcdWords(folder, etcdPort, peerPort)),
  );
  const caller = createCaller(server, access.admin);
  const words = [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--secure-port=${apiPort}`,
    ...apiServerWords(folder),
    ...access.flags,
    ...audit.flags,
    ...(options.apiServerFlags ?? []),
  ];
  let apiServer: Child | undefined;
  let manager: Child | undefined;

  const launchApiServer = (flags: readonly string[] = []): Child => {
    const logFile = join(folder, "apiserver.log");
    apiServer = startChild(join(programs, "kube-apiserver"), [...words, ...flags], { logFile });
    return apiServer;
  };
  const apiServerReady = async (timeoutMs = 120_000): Promise<void> => {
    await until("the API server to be ready", () => readiness(apiServer, caller.call), timeoutMs);
  };
  const startApiServer = async ({ timeoutMs, flags }: StartOptions = {}): Promise<void> => {
    launchApiServer(flags);
    await apiServerReady(timeoutMs);
  };
  const stopApiServer = async (signal?: NodeJS.Signals): Promise<void> => apiServer?.stop(signal);
  const stop = async (): Promise<void> => {
    caller.close();
    await manager?.stop();
    await apiServer?.stop();
    await etcdServer.child().stop();
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    await startApiServer();
    if (options.controllerManager === true) {
      manager = startChild(
        join(programs, "kube-controller-manager"),
        managerWords(join(folder, "sa.key"), kubeconfig),
      );
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    version: options.version,
    server,
    kubeconfig,
    admin: access.admin,
    kubeconfigFor: (address) =>
      writeKubeconfig(join(folder, `kubeconfig-${new URL(address).port}.json`), address, access.admin),
    folder,
    etcd: etcdServer,
    audit,
    call: caller.call,
    metrics: (name) => readMetrics(caller.call, name),
    startApiServer,
    launchApiServer,
    apiServerReady,
    stopApiServer,
    async restartApiServer(start) {
      await stopApiServer();
      await startApiServer(start);
    },
    apiServerOutput: () => apiServer?.output() ?? "",
    stop,
  };
}

async function readiness(child: Child | undefined, call: ControlPlane["call"]): Promise<true | undefined> {
  if (child === undefined) throw new Error("no API server was started");
  if (child.exited()) throw new Error(`the API server ended:\n${child.output().slice(-3000)}`);
  try {
    const { status } = await call({ method: "GET", path: "/readyz" });
    return status === 200 ? true : undefined;
  } catch {
    return undefined;
  }
}

function etcdWords(folder: string, port: number, peerPort: number): readonly string[] {
  const client = `http://127.0.0.1:${port}`;
  return [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    "--log-level=error",
    "--unsafe-no-fsync",
  ];
}

function apiServerWords(folder: string): readonly string[] {
  return [
    "--bind-address=127.0.0.1",
    `--cert-dir=${join(folder, "certs")}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--authorization-mode=Node,RBAC",
    "--allow-privileged=true",
  ];
}

function managerWords(serviceAccountKey: string, kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    "--leader-elect=false",
    `--service-account-private-key-file=${serviceAccountKey}`,
    "--use-service-account-credentials=false",
    "--controllers=*,-nodelifecycle,-nodeipam,-cloud-node-lifecycle",
    "--secure-port=0",
  ];
}
