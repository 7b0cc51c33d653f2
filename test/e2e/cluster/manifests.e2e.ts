import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Child, freePort, startChild, until } from "../control-plane/child.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, canRun } from "../control-plane/suites.ts";

const program = fileURLToPath(new URL("../../../dist/apps/bin.js", import.meta.url));
const account = {
  user: "system:serviceaccount:postern:postern",
  groups: ["system:serviceaccounts", "system:serviceaccounts:postern", "system:authenticated"],
};

type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

function manifests(...flags: string[]): readonly Manifest[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [program, "manifests", "-o", "json", ...flags],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { items: Manifest[] }).items;
}

const plurals: Readonly<Record<string, string>> = { NetworkPolicy: "networkpolicies" };

function pathOf({ apiVersion, kind, metadata }: Manifest): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  const namespace = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
  return `${root}${namespace}/${plural}/${metadata.name}`;
}

describe.runIf(canRun)("what `postern manifests` prints, on a real API server", () => {
  let plane: ControlPlane;

  async function apply(
    object: Manifest,
    query: string,
  ): Promise<{ status: number; text: string; warnings: string }> {
    return plane.call({
      method: "PATCH",
      path: `${pathOf(object)}?fieldManager=e2e&force=true&fieldValidation=Strict${query}`,
      body: object,
      contentType: "application/apply-patch+yaml",
    });
  }

  beforeAll(async () => {
    plane = await startControlPlane({ version: anyVersion, controllerManager: true });
  });
  afterAll(async () => {
    await plane.stop();
  });

  test("is applied without a warning, and a second time changes nothing", async () => {
    for (const round of [1, 2]) {
      for (const object of manifests()) {
        const answer = await apply(object, "");
        expect(answer.status, `${object.kind} ${object.metadata.name}: ${answer.text}`).toBeLessThan(
          round === 1 ? 202 : 201,
        );
        expect(answer.warnings, object.kind).toBe("");
      }
    }
  });

  test.each([
    [["--host-network", "--port", "10260"]],
    [["--names", "kyverno", "--crds", "none"]],
    [["--replicas", "1", "--infrastructure-namespaces", "cilium"]],
  ])("is accepted with %j", async (flags) => {
    for (const object of manifests(...flags)) {
      const answer = await apply(object, "&dryRun=All");
      expect(answer.status, `${object.kind} ${object.metadata.name}: ${answer.text}`).toBeLessThan(202);
    }
  });

  test("lets Postern do what it does and nothing else", async () => {
    await until("the aggregated role", async () =>
      (await may("list", "clusterpolicies", "kyverno.io")) ? true : undefined,
    );
    const refused = [
      await may("list", "secrets", ""),
      await may("get", "secrets", "", { namespace: "postern", name: "other" }),
      await may("get", "secrets", "", { namespace: "default", name: "postern-tls" }),
      await may("create", "pods", "", { namespace: "postern" }),
      await may("create", "configmaps", "", { namespace: "default" }),
      await may("update", "clusterpolicies", "kyverno.io"),
      await may("delete", "validatingwebhookconfigurations", "admissionregistration.k8s.io", {
        name: "others",
      }),
      await may("update", "mutatingwebhookconfigurations", "admissionregistration.k8s.io"),
      await may("escalate", "clusterroles", "rbac.authorization.k8s.io"),
      await may("impersonate", "users", ""),
    ];
    expect(refused).toEqual(refused.map(() => false));
    expect(await may("get", "secrets", "", { namespace: "postern", name: "postern-tls" })).toBe(true);
  });

  test("is enough for `postern serve` to guard a cluster, and a policy is what refuses", async () => {
    const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
    const serve = startServe(port, metricsPort);
    try {
      await createPolicy();
      await until("the policy to be enforced", async () => {
        const { text } = await createConfigMap();
        return text.includes("was blocked due to the following policies") ? true : undefined;
      });
      await until("the policy's status", async () => {
        const { text } = await plane.call({
          method: "GET",
          path: "/apis/kyverno.io/v1/clusterpolicies/require-team",
        });
        return text.includes('"message":"Ready"') ? true : undefined;
      });
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(metrics).not.toMatch(/code="403"/);
      expect(metrics).toContain('postern_registration_phase{phase="guarding"} 1');
      await serve.stop("SIGTERM");
      const left = await plane.call({
        method: "GET",
        path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
      });
      expect((left.body as { items: unknown[] }).items).toEqual([]);
    } finally {
      await serve.stop();
    }
  });

  async function may(
    verb: string,
    resource: string,
    group: string,
    at: { readonly namespace?: string; readonly name?: string } = {},
  ): Promise<boolean> {
    const { body } = await plane.call({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { ...account, resourceAttributes: { verb, resource, group, ...at } },
      },
    });
    return (body as { status: { allowed: boolean } }).status.allowed;
  }

  /** Outside of the cluster, as the account that it would have inside. */
  function startServe(port: number, metricsPort: number): Child {
    const config = JSON.parse(readFileSync(plane.kubeconfig, "utf8")) as {
      users: { user: Record<string, unknown> }[];
    };
    for (const { user } of config.users)
      Object.assign(user, { as: account.user, "as-groups": account.groups });
    const path = join(plane.folder, "account.json");
    writeFileSync(path, JSON.stringify(config));
    return startChild(process.execPath, [
      program,
      "serve",
      `--kubeconfig=${path}`,
      `--webhook-url=https://127.0.0.1:${port}`,
      "--host=127.0.0.1",
      `--port=${port}`,
      `--metrics-port=${metricsPort}`,
      "--remove-on-exit",
    ]);
  }

  async function createPolicy(): Promise<void> {
    const { status, text } = await plane.call({
      method: "POST",
      path: "/apis/kyverno.io/v1/clusterpolicies",
      body: {
        apiVersion: "kyverno.io/v1",
        kind: "ClusterPolicy",
        metadata: { name: "require-team" },
        spec: {
          background: false,
          rules: [
            {
              name: "team",
              match: { any: [{ resources: { kinds: ["ConfigMap"] } }] },
              validate: {
                failureAction: "Enforce",
                message: "a team is required",
                pattern: { metadata: { labels: { team: "?*" } } },
              },
            },
          ],
        },
      },
    });
    expect(status, text).toBe(201);
  }

  function createConfigMap(): Promise<{ readonly text: string }> {
    return plane.call({
      method: "POST",
      path: "/api/v1/namespaces/default/configmaps?dryRun=All",
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } },
    });
  }
});
