import { test } from "vitest";
import { createKubeClient, loadClusterConfig } from "#kube";
import { startControlPlane } from "../control-plane/control-plane.ts";
import { available } from "../control-plane/suites.ts";
test.each(available)(
  "probe %s",
  async (version) => {
    const plane = await startControlPlane({ version });
    try {
      const config = await loadClusterConfig({ env: {}, nowMs: Date.now, kubeconfig: plane.kubeconfig });
      const client = createKubeClient(config, { userAgent: "probe", nowMs: Date.now, random: Math.random });
      const t0 = Date.now();
      const watchOne = async (path: string, rv: string | undefined) => {
        if (rv === undefined)
          rv = (
            (await client.send({ method: "GET", path, query: { limit: "500" }, purpose: "watch" }))
              .body as any
          ).metadata.resourceVersion as string;
        try {
          const stream = await client.watch({
            method: "GET",
            path,
            query: { watch: "true", allowWatchBookmarks: "true", resourceVersion: rv, timeoutSeconds: "300" },
            purpose: "watch",
          });
          console.log(version, path, rv, "open", Date.now() - t0);
          setTimeout(() => stream.close(), 125_000 - (Date.now() - t0));
          for await (const e of stream)
            console.log(version, path, rv, Date.now() - t0, JSON.stringify(e).slice(0, 160));
        } catch (error) {
          console.log(version, path, rv, Date.now() - t0, "threw", String(error));
        }
      };
      await Promise.all([
        watchOne("/apis/rbac.authorization.k8s.io/v1/rolebindings", undefined),
        watchOne("/apis/batch/v1/cronjobs", undefined),
        watchOne("/apis/batch/v1/jobs", "999999999"),
        watchOne("/apis/kyverno.io/v1/policies", undefined).catch((e) => console.log(String(e))),
      ]);
      client.close();
    } finally {
      await plane.stop();
    }
  },
  300_000,
);
