/**
 * Night A with Postern's registrations: every measured row, in every state that a gate can be in, on the oldest and the
 * newest API server. It becomes ready in one go, and the API server itself never calls.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import type { ApiAnswer } from "../control-plane/caller.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { until } from "../control-plane/child.ts";
import { available, canRun } from "../control-plane/suites.ts";
import { createStandIn } from "./backends.ts";
import { boot, placeOf, recover, unregister, type WebhookConfiguration } from "./boot.ts";
import { type Gate, openGate, type State, states } from "./gate.ts";
import { broadPolicies, narrowPolicies } from "./policies.ts";
import { refusal, refusedLabel } from "./refusal.ts";
import { posternRegistrations } from "./registrations.ts";
import { type Row, rows } from "./rows.ts";
import { combinations } from "./sample.ts";

/** What an API server makes of itself in an empty etcd. */
const firstWrites = [
  "servicecidrs",
  "ipaddresses",
  "namespaces",
  "apiservices",
  "flowschemas",
  "prioritylevelconfigurations",
  "priorityclasses",
  "clusterroles",
  "clusterrolebindings",
  "roles",
  "rolebindings",
  "services",
  "leases",
];

const cases = combinations(rows, states, available);

describe.runIf(canRun).each(available)("Postern's registrations on %s", (version) => {
  let plane: ControlPlane;
  let gate: Gate;
  let registered: readonly WebhookConfiguration[] = [];

  beforeAll(async () => {
    plane = await startControlPlane({ version });
    gate = await openGate(await createStandIn(plane));
    expect((await makeAccount(plane)).status).toBe(201);
  });

  afterEach(async () => {
    const statuses = await unregister(plane, registered).catch(() => []);
    if (statuses.length !== registered.length || statuses.length === 0) await recover(plane);
  });

  afterAll(async () => {
    await gate.stop();
    await plane.stop();
  });

  for (const [row, state] of cases.filter((entry) => entry[2] === version)) {
    // Boot kinds that policies name get Fail only where policy and operator both say so: half of the boots of each row
    // and of each state.
    const failForBootKinds = (rows.indexOf(row) + states.indexOf(state)) % 2 === 0;
    const bootKinds = failForBootKinds ? "Fail" : "Ignore";
    test(`gate ${state}; ${row.name}; named boot kinds with ${bootKinds}: ready, never called`, async () => {
      registered = await registrationsFor(plane, gate, row, failForBootKinds);
      const result = await boot(plane, gate, {
        configurations: registered,
        state,
        ...(row.flags === undefined ? {} : { flags: row.flags }),
        ...(row.rescue === "etcd"
          ? { missing: registered.map((configuration) => `/registry${placeOf(configuration)}`) }
          : {}),
      });
      expect(result.outcome, result.log).toBe("ready");
      expect(result.calls).toEqual([]);
      expect(result.connections).toBe(0);
      expect(await plane.metrics("apiserver_admission_webhook_request_total")).toEqual([]);
      expect(plane.audit.events()).toContainEqual(
        expect.objectContaining({
          user: "system:apiserver",
          verb: "create",
          resource: "servicecidrs",
          name: "kubernetes",
          status: 201,
        }),
      );
      await expectInForce(plane, row, state);
      expect(gate.calls().filter(({ user }) => user === "system:apiserver")).toEqual([]);
      if (row.rescue === "api") {
        expect(await unregister(plane, registered)).toEqual(registered.map(() => 200));
      }
    });
  }

  test("gate dead; etcd has nothing but the registrations: ready, never called", async () => {
    const [row] = rows;
    if (row === undefined) throw new Error("no rows");
    registered = await registrationsFor(plane, gate, row, true);
    const result = await boot(plane, gate, { configurations: registered, state: "dead", empty: true });
    expect(result.outcome, result.log).toBe("ready");
    // The last of them come a moment after it is ready.
    await until("all that a first boot writes", () => {
      const written = new Set(
        plane.audit
          .events()
          .filter(({ user, status }) => user === "system:apiserver" && status === 201)
          .map(({ resource }) => resource),
      );
      return firstWrites.every((resource) => written.has(resource)) ? true : undefined;
    });
    expect(await plane.metrics("apiserver_admission_webhook_request_total")).toEqual([]);
    const somebodyElse = await makeAccount(plane);
    expect(somebodyElse.status, somebodyElse.text).toBe(500);
    expect(somebodyElse.text).toContain("failed calling webhook");
  });
});

async function registrationsFor(
  plane: ControlPlane,
  gate: Gate,
  row: Row,
  failForBootKinds: boolean,
): Promise<readonly WebhookConfiguration[]> {
  const choice = { failurePolicy: row.failurePolicy, failForBootKinds };
  const configurations = await posternRegistrations({
    plane,
    gate,
    policies: row.narrow === true ? narrowPolicies(choice) : broadPolicies(choice),
    timeoutSeconds: row.timeoutSeconds,
    failForBootKinds,
    ...(row.condition === undefined ? {} : { condition: row.condition }),
  });
  return configurations.map((configuration) => ({ ...configuration, kind: row.kind }));
}

/** A gate that nobody calls is easily silent: somebody who is not the API server must be refused, or held up. */
async function expectInForce(plane: ControlPlane, row: Row, state: State): Promise<void> {
  const { status, text } = await plane.call({
    method: "POST",
    path: "/api/v1/namespaces/default/pods?dryRun=All",
    body: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "probe", labels: { [refusedLabel]: "yes" } },
      spec: { containers: [{ name: "c", image: "x" }] },
    },
  });
  if (row.flags !== undefined || row.rescue === "etcd") {
    expect(status, text).toBe(201);
  } else if (state === "healthy") {
    expect(status, text).toBe(400);
    expect(text).toContain(refusal);
  } else if (row.failurePolicy === "Ignore") {
    expect(status, text).toBe(201);
  } else {
    expect(status, text).toBe(500);
    expect(text).toContain("failed calling webhook");
  }
}

/** Without a controller manager nobody makes the account that pods of a namespace run under. */
function makeAccount(plane: ControlPlane): Promise<ApiAnswer> {
  return plane.call({
    method: "POST",
    path: "/api/v1/namespaces/default/serviceaccounts",
    body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } },
  });
}
