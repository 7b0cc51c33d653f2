/**
 * The controls of night A: with upstream's shape of registration every row must come out as it was measured, most of
 * them dead. A matrix that Postern passes means nothing where this does not fail.
 */
import { describe, expect, test } from "vitest";

import { exclusions } from "#controllers";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { available, canRun } from "../control-plane/suites.ts";
import { createStandIn, refuseAll } from "./backends.ts";
import { type Boot, boot, deathLine, placeOf, unregister } from "./boot.ts";
import { type Gate, openGate } from "./gate.ts";
import { broadPolicies } from "./policies.ts";
import { posternRegistrations } from "./registrations.ts";
import { type Row, rows } from "./rows.ts";
import { combinations } from "./sample.ts";
import { upstreamShape } from "./upstream-shape.ts";

/** Those that take a minute to die first: they wait beside each other. */
const cases = combinations(rows, [undefined], available)
  .map(([row, , version]) => ({ row, version }))
  .sort((left, right) => Number(right.row.measured === "dies") - Number(left.row.measured === "dies"));

describe.runIf(canRun)("upstream's shape of registration", () => {
  for (const { row, version } of cases) {
    test.concurrent(`${row.name}, ${version}: ${row.measured}`, async () => {
      await using(version, async (plane, gate) => {
        const result = await bootRow(plane, gate, row);
        expect(result.outcome, result.log).toBe(row.measured === "dies" ? "died" : "ready");
        if (result.outcome === "died") expect(result.log).toContain(deathLine);
        if (row.behaviour !== "dead") expectCalls(result, row);
        if (result.outcome === "ready") await expectWitnesses(plane, row);
      });
    });
  }

  test.concurrent("an engine whose own failure is a 5xx still kills it when its route is cut", async () => {
    const [version = ""] = available;
    await using(
      version,
      async (plane, gate) => {
        const [row] = rows;
        if (row === undefined) throw new Error("no rows");
        const result = await boot(plane, gate, {
          configurations: [upstreamShape(row, gate)],
          state: "route-cut",
        });
        expect(result.outcome).toBe("died");
        expect(new Set(result.calls.map(({ user }) => user))).toEqual(new Set(["system:apiserver"]));
      },
      createStandIn,
    );
  });

  test.concurrent("a first boot dies of it, too", async () => {
    const [version = ""] = available;
    await using(version, async (plane, gate) => {
      const [row] = rows;
      if (row === undefined) throw new Error("no rows");
      const configurations = [upstreamShape(row, gate)];
      const result = await boot(plane, gate, { configurations, state: "dead", empty: true });
      expect(result.outcome).toBe("died");
      expect(result.log).toContain("PostStartHook");
    });
  });

  // All that is left between a named ServiceCIDR with `Fail` and the booting server is who it is.
  test.concurrent("Postern's shape without the entry for the API server kills it", async () => {
    const version = available.at(-1) ?? "";
    await using(version, async (plane, gate) => {
      const choice = { failurePolicy: "Fail", failForBootKinds: true } as const;
      const result = await boot(plane, gate, {
        configurations: await posternRegistrations({
          plane,
          gate,
          policies: broadPolicies(choice),
          timeoutSeconds: 5,
          failForBootKinds: true,
          exclusions: exclusions.filter(({ id }) => id !== "identity-api-server"),
        }),
        state: "dead",
      });
      expect(result.outcome).toBe("died");
      expect(result.log).toContain(deathLine);
    });
  });
});

function bootRow(plane: ControlPlane, gate: Gate, row: Row): Promise<Boot> {
  const configuration = upstreamShape(row, gate);
  return boot(plane, gate, {
    configurations: [configuration],
    state: row.behaviour === "denies" ? "healthy" : row.behaviour,
    ...(row.flags === undefined ? {} : { flags: row.flags }),
    ...(row.rescue === "etcd" ? { missing: [`/registry${placeOf(configuration)}`] } : {}),
    ...(row.rescue === "api"
      ? { rescue: async () => expect(await unregister(plane, [configuration])).toEqual([200]) }
      : {}),
  });
}

/** All by the API server itself; its default ServiceCIDR among them where it died of that. */
function expectCalls({ calls }: Boot, row: Row): void {
  if (row.measured === "ready, never called") {
    expect(calls).toEqual([]);
    return;
  }
  expect(new Set(calls.map(({ user }) => user))).toEqual(new Set(["system:apiserver"]));
  expect(calls).toContainEqual(
    expect.objectContaining({ kind: "networking.k8s.io/ServiceCIDR", operation: "CREATE" }),
  );
}

/** What the matrix relies on elsewhere: the API server's own counter and log see what the gate cannot. */
async function expectWitnesses(plane: ControlPlane, row: Row): Promise<void> {
  const counted = await plane.metrics("apiserver_admission_webhook_request_total");
  if (row.behaviour === "dead" || row.behaviour === "hung") expect(counted).not.toEqual([]);
  if (row.measured === "ready, never called") expect(counted).toEqual([]);
  expect(plane.audit.events()).toContainEqual(
    expect.objectContaining({
      user: "system:apiserver",
      verb: "create",
      resource: "servicecidrs",
      status: 201,
    }),
  );
}

async function using(
  version: string,
  run: (plane: ControlPlane, gate: Gate) => Promise<void>,
  backendOf: (plane: ControlPlane) => Promise<typeof refuseAll> = () => Promise.resolve(refuseAll),
): Promise<void> {
  const plane = await startControlPlane({ version });
  try {
    const gate = await openGate(await backendOf(plane));
    try {
      await run(plane, gate);
    } finally {
      await gate.stop();
    }
  } finally {
    await plane.stop();
  }
}
