/**
 * Night A, whole: `postern serve` runs beside the API server, has registered itself, and is then healthy, dead, hung,
 * answering 5xx, behind a wrong certificate, or without its own way to the API server, while that server boots.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { ApiAnswer } from "../control-plane/caller.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { until } from "../control-plane/child.ts";
import { available, canRun } from "../control-plane/suites.ts";
import { installPolicyKinds } from "../postern/policy-kinds.ts";
import { type Postern, startPostern } from "../postern/process.ts";
import { forwardTo } from "./backends.ts";
import { boot, type WebhookConfiguration } from "./boot.ts";
import { type Backend, type Gate, openGate, type State, states } from "./gate.ts";
import { broadPolicies } from "./policies.ts";
import { refusal, refusedLabel } from "./refusal.ts";

describe.runIf(canRun).each(available)("postern serve on %s", (version) => {
  let plane: ControlPlane;
  let gate: Gate;
  let postern: Postern;
  let backend: Backend | undefined;

  beforeAll(async () => {
    plane = await startControlPlane({ version });
    gate = await openGate({
      review: (path, body) => backend?.review(path, body) ?? Promise.reject(new Error("not there yet")),
      cutRoute: (cut) => backend?.cutRoute(cut),
      stop: async () => backend?.stop(),
    });
    await make(plane, "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "postern" },
    });
    await installPolicyKinds(plane);
    for (const policy of broadPolicies({ failurePolicy: "Fail", failForBootKinds: true })) {
      await make(plane, "/apis/kyverno.io/v1/clusterpolicies", policy);
    }
    postern = await startPostern(plane, { front: gate, flags: ["--allow-fail-for-boot-kinds"] });
    backend = forwardTo(postern.url, {
      ca: postern.ca,
      cutRoute: (cut) => (cut ? postern.route.cut() : postern.route.mend()),
      stop: postern.stop,
    });
    await until(
      () => `registrations with Fail\n${postern.child().output()}`,
      () => registeredWithFail(plane),
    );
  });

  afterAll(async () => {
    await gate.stop();
    await plane.stop();
  });

  test("somebody who calls himself system:apiserver is refused like anybody", async () => {
    await make(plane, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "everything-for-the-name" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: impostor.user }],
    });
    // Authorization learns of the binding a moment later, and then it is the policy that refuses.
    const answer = await until("more than authorization to decide", async () => {
      const tried = await violate(plane, impostor);
      return tried.status === 403 && !tried.text.includes("webhook") ? undefined : tried;
    });
    expect(isRefused(answer), answer.text).toBe(true);
  });

  test.each(states)("%s: the API server becomes ready, and never calls", async (state) => {
    await until("the gate to refuse what violates", async () =>
      isRefused(await violate(plane)) ? true : undefined,
    );
    await harm(postern, state);
    try {
      // A process that is killed or paused does the rest itself.
      const front = state === "dead" || state === "hung" ? "healthy" : state;
      const result = await boot(plane, gate, { configurations: [], state: front });
      expect(result.outcome, result.log).toBe("ready");
      expect(gate.calls().filter(({ user }) => user === "system:apiserver")).toEqual([]);
      expect(await callsByPolicies(plane)).toBe(0);
      expect(plane.audit.events()).toContainEqual(
        expect.objectContaining({
          user: "system:apiserver",
          verb: "create",
          resource: "servicecidrs",
          status: 201,
        }),
      );
      const answer = await violate(plane);
      // Without its own way to the API server the gate still has the policies that it saw.
      if (state === "healthy" || state === "route-cut") expect(isRefused(answer), answer.text).toBe(true);
      else expect(answer.text).toContain("failed calling webhook");
    } finally {
      await heal(postern, gate);
    }
  });
});

/** Its name alone, which has every right here, and not its group. */
const impostor = { user: "system:apiserver" };

async function harm(postern: Postern, state: State): Promise<void> {
  if (state === "dead") await postern.child().stop("SIGKILL");
  if (state === "hung") postern.child().process.kill("SIGSTOP");
}

async function heal(postern: Postern, gate: Gate): Promise<void> {
  postern.child().process.kill("SIGCONT");
  postern.start();
  await gate.enter("healthy");
}

async function make(plane: ControlPlane, path: string, body: unknown): Promise<void> {
  const { status, text } = await plane.call({ method: "POST", path, body });
  if (status !== 201) throw new Error(text);
}

async function registeredWithFail(plane: ControlPlane): Promise<true | undefined> {
  const path =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/postern-resource-validating-webhook-cfg";
  const { status, body } = await plane.call({ method: "GET", path });
  if (status !== 200) return undefined;
  const { webhooks } = body as WebhookConfiguration;
  return webhooks.some(({ name, failurePolicy }) => name.endsWith("svc-fail") && failurePolicy === "Fail")
    ? true
    : undefined;
}

/** A person's write, in a namespace that is guarded; nothing is kept of it. */
function violate(plane: ControlPlane, as?: typeof impostor): Promise<ApiAnswer> {
  return plane.call({
    method: "POST",
    path: "/api/v1/namespaces/default/configmaps?dryRun=All",
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "violation", labels: { [refusedLabel]: "yes" } },
    },
    ...(as === undefined ? {} : { as }),
  });
}

function isRefused({ status, text }: ApiAnswer): boolean {
  return status >= 400 && text.includes("denied the request") && text.includes(refusal);
}

/** How often the API server called for a policy; what Postern itself writes meanwhile is none of their business. */
async function callsByPolicies(plane: ControlPlane): Promise<number> {
  const samples = await plane.metrics("apiserver_admission_webhook_request_total");
  return samples
    .filter(({ labels }) => labels["name"]?.startsWith("validate.postern.svc") === true)
    .reduce((sum, { value }) => sum + value, 0);
}
