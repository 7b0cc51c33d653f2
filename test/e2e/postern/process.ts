/**
 * `postern serve` as a process of its own, outside of the cluster that it guards, with its way to the API server in the
 * test's hands. It runs from `dist`: build first.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createAuthority } from "../control-plane/certificates.ts";
import { type Child, freePort, startChild } from "../control-plane/child.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { openRoute, type Route } from "../control-plane/route.ts";

export type PosternOptions = {
  /** Where API servers are to call, and the authority (PEM) they are to trust: an address in front of the process. */
  readonly front: { readonly url: string; readonly ca: string };
  readonly flags?: readonly string[];
};

export type Postern = {
  /** `https://127.0.0.1:port`, of the process itself. */
  readonly url: string;
  /** PEM of the authority of its own certificate. */
  readonly ca: string;
  readonly metricsUrl: string;
  /** Its way to the API server. */
  readonly route: Route;
  readonly child: () => Child;
  /** Starts again, with the same flags, what was stopped by its `child`. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

const program = fileURLToPath(new URL("../../../dist/apps/bin.js", import.meta.url));

export async function startPostern(plane: ControlPlane, options: PosternOptions): Promise<Postern> {
  const folder = mkdtempSync(join(tmpdir(), "postern-e2e-gate-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const authority = await createAuthority("postern");
  const { cert, key } = await authority.serving();
  const route = await openRoute(plane.server);
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const words = [
    program,
    "serve",
    `--kubeconfig=${plane.kubeconfigFor(route.address)}`,
    "--namespace=postern",
    "--host=127.0.0.1",
    `--port=${port}`,
    `--metrics-port=${metricsPort}`,
    `--webhook-url=${options.front.url}`,
    `--tls-cert-file=${file("tls.crt", cert)}`,
    `--tls-key-file=${file("tls.key", key)}`,
    `--tls-ca-file=${file("ca.crt", options.front.ca)}`,
    ...(options.flags ?? []),
  ];
  const launch = (): Child => startChild(process.execPath, words, { logFile: join(folder, "log") });
  let child = launch();
  return {
    url: `https://127.0.0.1:${port}`,
    ca: authority.ca,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    route,
    child: () => child,
    start() {
      if (child.exited()) child = launch();
    },
    async stop() {
      await child.stop();
      await route.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
