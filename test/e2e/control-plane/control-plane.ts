/**
 * A control plane of its own for a test: etcd, kube-apiserver and, where asked for, kube-controller-manager, on loopback
 * with data in a temporary folder. The API server can be stopped, started again on the same data, and started with what
 * it creates at boot removed, which is how night A begins.
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findControlPlane } from "../../../scripts/control-plane.js";
import { type Child, freePort, startChild, until } from "./child.ts";
import { type ApiAnswer, type ApiCall, createCaller } from "./caller.ts";
import { createEtcd, type Etcd } from "./etcd.ts";

export type ControlPlaneOptions = {
  readonly version: string;
  readonly controllerManager?: boolean;
  readonly apiServerFlags?: readonly string[];
};

export type ControlPlane = {
  readonly version: string;
  /** `https://127.0.0.1:port`; the same after a restart. */
  readonly server: string;
  /** Of a cluster administrator. */
  readonly kubeconfig: string;
  readonly folder: string;
  readonly etcd: Etcd;
  /** As the administrator, or whoever is named. */
  readonly call: (call: ApiCall) => Promise<ApiAnswer>;
  /** Resolves when /readyz says ok; rejects when the process ends before, or takes longer than `timeoutMs`. */
  readonly startApiServer: (timeoutMs?: number) => Promise<void>;
  /** Starts the process and returns it at once. */
  readonly launchApiServer: () => Child;
  readonly stopApiServer: (signal?: NodeJS.Signals) => Promise<void>;
  readonly apiServerOutput: () => string;
  readonly stop: () => Promise<void>;
};

const ADMIN_TOKEN = "admintok";

/** @throws where the programs are not there: `node scripts/control-plane.js` builds them */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const programs = findControlPlane(options.version);
  if (programs === undefined)
    throw new Error(`no control plane ${options.version}: node scripts/control-plane.js`);
  const folder = mkdtempSync(join(tmpdir(), "postern-e2e-"));
  const [etcdPort = 0, peerPort = 0, apiPort = 0] = await Promise.all([freePort(), freePort(), freePort()]);
  const server = `https://127.0.0.1:${apiPort}`;
  writeKeys(folder);
  const kubeconfig = writeKubeconfig(folder, server);
  const etcdServer = startEtcd(programs, folder, etcdPort, peerPort);
  const call = createCaller(server, ADMIN_TOKEN);
  const words = apiServerWords(folder, { etcdPort, apiPort, more: options.apiServerFlags ?? [] });
  let apiServer: Child | undefined;
  let manager: Child | undefined;

  const launchApiServer = (): Child => {
    apiServer = startChild(join(programs, "kube-apiserver"), words, {
      logFile: join(folder, "apiserver.log"),
    });
    return apiServer;
  };
  const startApiServer = async (timeoutMs = 120_000): Promise<void> => {
    const child = launchApiServer();
    await until("the API server to be ready", () => readiness(child, call), timeoutMs);
  };
  const stopAll = async (): Promise<void> => {
    await manager?.stop();
    await apiServer?.stop();
    await etcdServer.stop();
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    await startApiServer();
    if (options.controllerManager === true) {
      manager = startChild(join(programs, "kube-controller-manager"), managerWords(folder, kubeconfig));
    }
  } catch (error) {
    await stopAll();
    throw error;
  }
  return {
    version: options.version,
    server,
    kubeconfig,
    folder,
    etcd: createEtcd(`http://127.0.0.1:${etcdPort}`, etcdServer),
    call,
    startApiServer,
    launchApiServer,
    stopApiServer: async (signal) => apiServer?.stop(signal),
    apiServerOutput: () => apiServer?.output() ?? "",
    stop: stopAll,
  };
}

async function readiness(child: Child, call: ControlPlane["call"]): Promise<true | undefined> {
  if (child.exited()) throw new Error(`the API server ended:\n${child.output().slice(-3000)}`);
  try {
    const { status } = await call({ method: "GET", path: "/readyz" });
    return status === 200 ? true : undefined;
  } catch {
    return undefined;
  }
}

function startEtcd(programs: string, folder: string, port: number, peerPort: number): Child {
  const client = `http://127.0.0.1:${port}`;
  return startChild(join(programs, "etcd"), [
    ...[
      "--data-dir",
      join(folder, "etcd"),
      "--listen-client-urls",
      client,
      "--advertise-client-urls",
      client,
    ],
    ...["--listen-peer-urls", `http://127.0.0.1:${peerPort}`, "--log-level", "error", "--unsafe-no-fsync"],
  ]);
}

function apiServerWords(
  folder: string,
  {
    etcdPort,
    apiPort,
    more,
  }: { readonly etcdPort: number; readonly apiPort: number; readonly more: readonly string[] },
): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--secure-port=${apiPort}`,
    "--bind-address=127.0.0.1",
    `--cert-dir=${join(folder, "certs")}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${join(folder, "sa.pub")}`,
    `--service-account-signing-key-file=${join(folder, "sa.key")}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    `--token-auth-file=${join(folder, "tokens.csv")}`,
    "--authorization-mode=Node,RBAC",
    "--allow-privileged=true",
    ...more,
  ];
}

function managerWords(folder: string, kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    "--leader-elect=false",
    `--service-account-private-key-file=${join(folder, "sa.key")}`,
    "--use-service-account-credentials=false",
    "--controllers=*,-nodelifecycle,-nodeipam,-cloud-node-lifecycle",
    "--secure-port=0",
  ];
}

function writeKeys(folder: string): void {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(join(folder, "sa.pub"), publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(join(folder, "sa.key"), privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(join(folder, "tokens.csv"), `${ADMIN_TOKEN},kubernetes-admin,uid1,"system:masters"\n`);
  mkdirSync(join(folder, "certs"));
}

function writeKubeconfig(folder: string, server: string): string {
  const path = join(folder, "kubeconfig.json");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "e2e",
    clusters: [{ name: "e2e", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "admin", user: { token: ADMIN_TOKEN } }],
    contexts: [{ name: "e2e", context: { cluster: "e2e", user: "admin" } }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** The serving certificate that the API server made for itself. */
export function serverCertificate(folder: string): string {
  return readFileSync(join(folder, "certs", "apiserver.crt"), "utf8");
}
