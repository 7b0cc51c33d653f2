/**
 * Registrations as they live in a cluster: `postern serve` on real API servers of both versions, from the first canary to
 * the last replica's goodbye.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Child, freePort, startChild, until } from "../control-plane/child.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { available, canRun } from "../control-plane/suites.ts";
import { installPolicyKinds } from "../postern/policy-kinds.ts";

const program = fileURLToPath(new URL("../../../dist/apps/bin.js", import.meta.url));
const RESOURCE = "postern-resource-validating-webhook-cfg";

type Webhook = {
  readonly name: string;
  readonly failurePolicy: string;
  readonly timeoutSeconds: number;
  readonly rules: readonly { readonly resources: readonly string[] }[];
  readonly matchConditions?: readonly { readonly name: string }[];
};

describe.runIf(canRun).each(available)("registrations on Kubernetes %s", (version) => {
  let plane: ControlPlane;
  let [port, metricsPort] = [0, 0];
  let postern: Child;

  beforeAll(async () => {
    plane = await startControlPlane({ version, controllerManager: true });
    await installPolicyKinds(plane);
    await send("POST", "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "postern" },
    });
    [port, metricsPort] = await Promise.all([freePort(), freePort()]);
    postern = launch();
  });
  afterAll(async () => {
    await postern.stop();
    await plane.stop();
  });

  test("a policy is enforced a moment after it was made, with Fail once a canary came through", async () => {
    await createPolicy("names", ["ConfigMap"]);
    await until("the refusal", async () =>
      (await tryConfigMap()).includes("was blocked") ? true : undefined,
    );
    const [webhook] = await webhooks();
    expect(webhook).toMatchObject({
      name: "validate.postern.svc-fail",
      failurePolicy: "Fail",
      timeoutSeconds: 5,
    });
    expect(webhook?.matchConditions?.map(({ name }) => name)).toEqual([
      "postern-identity-api-server",
      "postern-identity-kubelets",
    ]);
    await until("the policy's status", async () =>
      (await condition("names", "Ready")) === "True" ? true : undefined,
    );
    expect(await condition("names", "PartiallyEnforced")).toBe("False");
  });

  test("a policy that names what a control plane needs is guarded apart, and its status says so", async () => {
    await createPolicy("nodes", ["Node", "Lease"]);
    const boot = await until("the webhook", async () =>
      (await webhooks()).find(({ name }) => name === "validate.postern.svc-ignore-boot-nodes"),
    );
    expect(boot).toMatchObject({ failurePolicy: "Ignore", timeoutSeconds: 2 });
    await until("the status", async () =>
      (await condition("nodes", "PartiallyEnforced")) === "True" ? true : undefined,
    );
    const { text } = await send("GET", "/apis/kyverno.io/v1/clusterpolicies/nodes");
    expect(text).toContain("leases.coordination.k8s.io: no webhook may hold it up");
    const refused = await send("POST", "/api/v1/nodes?dryRun=All", {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1" },
    });
    expect(refused.text).toContain("was blocked due to the following policies");
    const lease = await send("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "l1", namespace: "default" },
    });
    expect(lease.status).toBe(201);
  });

  test("a bad policy is refused with the place, and one that is not supported is not ready and says why", async () => {
    const bad = await send(
      "POST",
      "/apis/kyverno.io/v1/clusterpolicies",
      policyOf("bad", ["Pod"], { validate: { message: "no check" } }),
    );
    expect(bad.status).toBe(400);
    expect(bad.text).toMatch(/validate-policy\.postern\.svc.*\/spec\/rules\/0\/validate/);
    await send(
      "POST",
      "/apis/kyverno.io/v1/clusterpolicies",
      policyOf("later", ["Pod"], { validate: { podSecurity: { level: "baseline", version: "latest" } } }),
    );
    await until("the status", async () =>
      (await condition("later", "Ready")) === "False" ? true : undefined,
    );
    const { text } = await send("GET", "/apis/kyverno.io/v1/clusterpolicies/later");
    expect(text).toContain("validate.podSecurity is not supported yet");
  });

  test("a hand is respected, across a restart too, until it is taken back", async () => {
    await patchWebhooks([{ op: "replace", path: "/webhooks/0/failurePolicy", value: "Ignore" }]);
    await postern.stop("SIGTERM");
    postern = launch();
    await until("the hand-patched webhook to be counted", async () =>
      (await metric("postern_hand_patched_webhooks")) === 1 ? true : undefined,
    );
    expect((await webhooks())[0]?.failurePolicy).toBe("Ignore");
    await patchWebhooks([
      { op: "add", path: "/metadata/annotations/postern.dev~1hand-patches", value: "revert" },
    ]);
    await createPolicy("wake", ["Secret"]);
    await until("Fail again", async () =>
      (await webhooks())[0]?.failurePolicy === "Fail" ? true : undefined,
    );
  });

  test("kinds that come later are covered by a wildcard", { timeout: 180_000 }, async () => {
    await createPolicy("everything", ["*"]);
    await installKind();
    await until(
      "the new kind in the rules",
      async () =>
        (await webhooks()).some(({ rules }) => rules.some(({ resources }) => resources.includes("things")))
          ? true
          : undefined,
      120_000,
    );
  });

  test("the last replica takes the registrations with it where it is told to", async () => {
    await postern.stop("SIGTERM");
    expect((await webhooks()).length).toBeGreaterThan(0);
    postern = launch("--remove-on-exit");
    await until("it to lead", async () => ((await metric("postern_leader")) === 1 ? true : undefined));
    await postern.stop("SIGTERM");
    const { body } = await send(
      "GET",
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    );
    expect((body as { items: unknown[] }).items).toEqual([]);
  });

  function launch(...more: string[]): Child {
    return startChild(process.execPath, [
      program,
      "serve",
      `--kubeconfig=${plane.kubeconfig}`,
      `--webhook-url=https://127.0.0.1:${port}`,
      "--host=127.0.0.1",
      `--port=${port}`,
      `--metrics-port=${metricsPort}`,
      ...more,
    ]);
  }

  function send(method: string, path: string, body?: unknown, contentType?: string) {
    return plane.call({ method, path, body, ...(contentType === undefined ? {} : { contentType }) });
  }

  async function webhooks(): Promise<readonly Webhook[]> {
    const { body } = await send(
      "GET",
      `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${RESOURCE}`,
    );
    return (body as { webhooks?: Webhook[] }).webhooks ?? [];
  }

  async function patchWebhooks(patch: unknown): Promise<void> {
    const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${RESOURCE}`;
    const { status, text } = await send("PATCH", path, patch, "application/json-patch+json");
    if (status !== 200) throw new Error(text);
  }

  async function createPolicy(name: string, kinds: readonly string[]): Promise<void> {
    const rule = { validate: { failureAction: "Enforce", message: "refused", deny: {} } };
    const { status, text } = await send(
      "POST",
      "/apis/kyverno.io/v1/clusterpolicies",
      policyOf(name, kinds, rule),
    );
    if (status !== 201) throw new Error(text);
  }

  async function condition(policy: string, type: string): Promise<string | undefined> {
    const { body } = await send("GET", `/apis/kyverno.io/v1/clusterpolicies/${policy}`);
    const { status } = body as { status?: { conditions?: { type: string; status: string }[] } };
    return status?.conditions?.find((one) => one.type === type)?.status;
  }

  async function tryConfigMap(): Promise<string> {
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" } };
    return (await send("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", body)).text;
  }

  async function metric(name: string): Promise<number | undefined> {
    try {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]);
    } catch {
      return undefined;
    }
  }

  async function installKind(): Promise<void> {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const { status, text } = await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    if (status !== 201) throw new Error(text);
  }
});

function policyOf(name: string, kinds: readonly string[], rule: Readonly<Record<string, unknown>>): unknown {
  return {
    apiVersion: "kyverno.io/v1",
    kind: "ClusterPolicy",
    metadata: { name },
    spec: { background: false, rules: [{ name: "r", match: { any: [{ resources: { kinds } }] }, ...rule }] },
  };
}
