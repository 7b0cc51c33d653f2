/**
 * The rest of night A: with the gate dead and policies that match everything with `Fail`, what a control plane, its
 * nodes and the people who mend it write goes through, and nobody tries to call. Upstream's shape of registration is the
 * control: it stops every row.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { available, canRun } from "../control-plane/suites.ts";
import { refuseAll } from "./backends.ts";
import { register, unregister, type WebhookConfiguration } from "./boot.ts";
import { type Gate, openGate } from "./gate.ts";
import { createHealingRows, type HealingRow } from "./healing-rows.ts";
import { createSigningRequest, inForce, prepare, send } from "./healing.ts";
import { upstreamShape } from "./upstream-shape.ts";

const shape = { failurePolicy: "Fail", timeoutSeconds: 5, kind: "ValidatingWebhookConfiguration" } as const;

describe.runIf(canRun).each(available)("a dead gate, on %s", (version) => {
  let plane: ControlPlane;
  let gate: Gate;
  let rows: readonly HealingRow[];
  let registered: readonly WebhookConfiguration[] = [];

  beforeAll(async () => {
    plane = await startControlPlane({ version });
    gate = await openGate(refuseAll);
    await gate.enter("dead");
    const csr = await createSigningRequest();
    const minor = Number(version.split(".")[1]);
    rows = createHealingRows(csr).filter(({ since = 0 }) => since <= minor);
    await prepare(plane, csr);
  });

  afterEach(async () => {
    await unregister(plane, registered);
    registered = [];
    await inForce(plane);
  });

  afterAll(async () => {
    await gate.stop();
    await plane.stop();
  });

  const put = async (configurations: readonly WebhookConfiguration[]): Promise<void> => {
    registered = configurations;
    for (const configuration of configurations) await register(plane, configuration);
    await inForce(plane);
  };

  /** Names of the rows that did not go through, with what was said. */
  const stopped = async (): Promise<ReadonlyMap<string, string>> => {
    const failures = new Map<string, string>();
    for (const row of rows) {
      const { status, text } = await send(plane, row);
      if (status >= 300) failures.set(row.name, `${status} ${text}`);
    }
    return failures;
  };

  test("every row goes through where nothing is registered", async () => {
    expect(Object.fromEntries(await stopped())).toEqual({});
  });

  test("upstream's shape stops every row that the API server does not exempt by itself (control)", async () => {
    await put([upstreamShape(shape, gate)]);
    const failures = await stopped();
    const expected = rows.filter(({ exempt }) => exempt !== true).map(({ name }) => name);
    expect([...failures.keys()]).toEqual(expected);
    expect([...failures.values()].filter((text) => !text.includes("failed calling webhook"))).toEqual([]);
  });
});
