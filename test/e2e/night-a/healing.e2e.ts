/**
 * The rest of night A: with the gate dead and policies that match everything with `Fail`, what a control plane, its
 * nodes and the people who mend it write goes through, and nobody tries to call. Two kinds of controls: upstream's shape
 * of registration stops every row, and each entry of Postern's table that is left out stops some.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import type { Exclusion } from "#controllers";
import { exclusions } from "#controllers";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { available, canRun } from "../control-plane/suites.ts";
import { refuseAll } from "./backends.ts";
import { register, unregister, type WebhookConfiguration } from "./boot.ts";
import { type Gate, openGate } from "./gate.ts";
import { createHealingRows, type HealingRow, isByIdentity } from "./healing-rows.ts";
import { createSigningRequest, inForce, prepare, send } from "./healing.ts";
import { broadPolicies, wildcardPolicies } from "./policies.ts";
import { posternRegistrations } from "./registrations.ts";
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
  const stopped = async (chosen = rows): Promise<ReadonlyMap<string, string>> => {
    const failures = new Map<string, string>();
    for (const row of chosen) {
      const { status, text } = await send(plane, row);
      if (status >= 300) failures.set(row.name, `${status} ${text}`);
    }
    return failures;
  };

  /** Policies with `Fail` for everything; with boot kinds that they name, where both sides said that too. */
  const registrations = (
    policies: "by wildcard" | "by name too" | "by name too, boot kinds with Fail",
    table?: readonly Exclusion[],
  ): Promise<readonly WebhookConfiguration[]> => {
    const failForBootKinds = policies === "by name too, boot kinds with Fail";
    const choice = { failurePolicy: "Fail", failForBootKinds } as const;
    return posternRegistrations({
      plane,
      gate,
      policies: policies === "by wildcard" ? wildcardPolicies(choice) : broadPolicies(choice),
      timeoutSeconds: 5,
      failForBootKinds,
      ...(table === undefined ? {} : { exclusions: table }),
    });
  };

  test("every row goes through where nothing is registered", async () => {
    expect(Object.fromEntries(await stopped())).toEqual({});
  });

  test("no rule names what the API server itself keeps from webhooks", async () => {
    const configurations = await registrations("by name too, boot kinds with Fail");
    expect(rows.filter((row) => row.exempt === true && isInRules(row, configurations))).toEqual([]);
  });

  test("upstream's shape stops every row that the API server does not exempt by itself (control)", async () => {
    await put([upstreamShape(shape, gate)]);
    const failures = await stopped();
    const expected = rows.filter(({ exempt }) => exempt !== true).map(({ name }) => name);
    expect([...failures.keys()]).toEqual(expected);
    expect([...failures.values()].filter((text) => !text.includes("failed calling webhook"))).toEqual([]);
  });

  test("every row goes through, and nobody tries to call, where policies match by wildcard", async () => {
    await put(await registrations("by wildcard"));
    const before = await attempts(plane);
    expect(Object.fromEntries(await stopped())).toEqual({});
    expect(await attempts(plane)).toBe(before);
  });

  test("every row goes through where policies name boot kinds as well", async () => {
    await put(await registrations("by name too"));
    expect(Object.fromEntries(await stopped())).toEqual({});
  });

  test("the API server and nodes go through, uncalled, even where boot kinds have Fail", async () => {
    await put(await registrations("by name too, boot kinds with Fail"));
    const before = await attempts(plane);
    expect(Object.fromEntries(await stopped(rows.filter(isByIdentity)))).toEqual({});
    expect(await attempts(plane)).toBe(before);
  });

  test("somebody else is stopped: the registrations are in force", async () => {
    await put(await registrations("by name too, boot kinds with Fail"));
    const others = rows.filter((row) => !isByIdentity(row));
    const failures = await stopped(others);
    expect([...failures.keys()]).toContain("somebody cordons a node");
    expect([...failures.keys()]).toContain("a service network grows");
  });

  for (const entry of exclusions) {
    test(`without ${nameOf(entry)} some row is stopped (control)`, async () => {
      const policies = entry.by === "identity" ? "by name too, boot kinds with Fail" : "by wildcard";
      const configurations = await registrations(
        policies,
        exclusions.filter((other) => other !== entry),
      );
      await put(configurations);
      const chosen = entry.by === "identity" ? rows.filter(isByIdentity) : rows;
      const failures = await stopped(chosen);
      const onlyByRules = chosen.filter((row) => row.exempt === true && isInRules(row, configurations));
      expect([...failures.keys(), ...onlyByRules.map(({ name }) => name)]).not.toEqual([]);
      expect([...failures.values()].filter((text) => !text.includes("failed calling webhook"))).toEqual([]);
    });
  }
});

function nameOf(entry: Exclusion): string {
  return entry.by === "kind" ? `${entry.id} (${entry.group || "core"})` : entry.id;
}

/** How often the API server tried to call Postern, whatever came of it. */
async function attempts(plane: ControlPlane): Promise<number> {
  const samples = await plane.metrics("apiserver_admission_webhook_request_total");
  return samples
    .filter(({ labels }) => labels["name"]?.includes("postern") === true)
    .reduce((sum, { value }) => sum + value, 0);
}

/** What the API server keeps from webhooks by itself can only be seen in the rules. */
function isInRules({ path }: HealingRow, configurations: readonly WebhookConfiguration[]): boolean {
  const [, , group, , resource] = path.split("/");
  return configurations.some(({ webhooks }) =>
    webhooks.some(({ rules }) =>
      rules.some(
        ({ apiGroups, resources }) => apiGroups.includes(group ?? "") && resources.includes(resource ?? ""),
      ),
    ),
  );
}
