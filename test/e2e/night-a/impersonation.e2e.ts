/**
 * The API server is left out of every policy by its name and its group together, because its name alone can be had by
 * anybody who may impersonate users. The control is a condition on the name alone, which lets such a person past.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import type { ApiAnswer } from "../control-plane/caller.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { until } from "../control-plane/child.ts";
import { available, canRun } from "../control-plane/suites.ts";
import { createStandIn } from "./backends.ts";
import { register, unregister, type WebhookConfiguration } from "./boot.ts";
import { type Gate, openGate } from "./gate.ts";
import { broadPolicies } from "./policies.ts";
import { refusal, refusedLabel } from "./refusal.ts";
import { posternRegistrations } from "./registrations.ts";
import { upstreamShape } from "./upstream-shape.ts";

const user = "system:apiserver";

describe.runIf(canRun).each(available)("somebody who calls himself system:apiserver, on %s", (version) => {
  let plane: ControlPlane;
  let gate: Gate;
  let registered: readonly WebhookConfiguration[] = [];

  beforeAll(async () => {
    plane = await startControlPlane({ version });
    gate = await openGate(await createStandIn(plane));
    await mayDoEverything(plane);
  });

  afterEach(async () => {
    await unregister(plane, registered);
    await until("nobody to be refused", async () =>
      (await violate(plane)).status === 201 ? true : undefined,
    );
  });

  afterAll(async () => {
    await gate.stop();
    await plane.stop();
  });

  const put = async (configurations: readonly WebhookConfiguration[]): Promise<void> => {
    registered = configurations;
    for (const configuration of configurations) await register(plane, configuration);
    await until("the administrator to be refused", async () =>
      (await violate(plane)).status === 400 ? true : undefined,
    );
    gate.forget();
  };

  test("is refused what violates a policy", async () => {
    const policies = broadPolicies({ failurePolicy: "Fail", failForBootKinds: false });
    await put(
      await posternRegistrations({ plane, gate, policies, timeoutSeconds: 5, failForBootKinds: false }),
    );
    const answer = await violate(plane, { user });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain(refusal);
    expect(gate.calls()).toContainEqual(expect.objectContaining({ user, kind: "ConfigMap" }));
    expect(gate.calls().flatMap(({ groups }) => groups)).not.toContain("system:masters");
  });

  test("is let past with the group beside the name, which is the API server's own", async () => {
    const policies = broadPolicies({ failurePolicy: "Fail", failForBootKinds: false });
    await put(
      await posternRegistrations({ plane, gate, policies, timeoutSeconds: 5, failForBootKinds: false }),
    );
    const answer = await violate(plane, { user, groups: ["system:masters"] });
    expect(answer.status, answer.text).toBe(201);
    expect(gate.calls()).toEqual([]);
  });

  test("gets round a condition on the name alone (control)", async () => {
    const row = { failurePolicy: "Fail", timeoutSeconds: 5, kind: "ValidatingWebhookConfiguration" } as const;
    await put([upstreamShape({ ...row, condition: `request.userInfo.username != '${user}'` }, gate)]);
    const answer = await violate(plane, { user });
    expect(answer.status, answer.text).toBe(201);
    expect(gate.calls()).toEqual([]);
  });
});

/** Nothing is written: it is the answer that counts. */
function violate(
  plane: ControlPlane,
  as?: { readonly user: string; readonly groups?: readonly string[] },
): Promise<ApiAnswer> {
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

/** The name alone has no rights: authorization would refuse before a policy could. */
async function mayDoEverything(plane: ControlPlane): Promise<void> {
  const { status, text } = await plane.call({
    method: "POST",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    body: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "everything-for-the-name" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
    },
  });
  if (status !== 201) throw new Error(text);
}
