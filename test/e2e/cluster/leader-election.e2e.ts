/** Three candidates for one Lease of a real API server, each by a way of its own; whoever leads is cut off. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { createKubeClient, createLeaderElection, createObjects, loadClusterConfig } from "#kube";
import type { KubeClient, LeaderElection } from "#kube";
import { systemClock } from "#platform";
import { until } from "../control-plane/child.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, canRun } from "../control-plane/suites.ts";
import { type RoughRoute, openRoughRoute } from "./rough-route.ts";

const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
const times = { leaseMs: 3000, renewMs: 2000, retryMs: 300 };

type Candidate = {
  readonly name: string;
  readonly election: LeaderElection;
  readonly client: KubeClient;
  readonly route: RoughRoute;
};

describe.runIf(canRun)("leader election, on a real API server", () => {
  let plane: ControlPlane;
  const candidates: Candidate[] = [];
  /** Everyone who was told to lead and not yet to stop. */
  const leading = new Set<string>();
  let most = 0;

  const clientOf = async (kubeconfig: string): Promise<KubeClient> => {
    const config = await loadClusterConfig({ env: {}, nowMs: Date.now, kubeconfig });
    return createKubeClient(config, { userAgent: "postern-e2e", nowMs: Date.now, random: Math.random });
  };

  const stand = async (name: string): Promise<void> => {
    const route = await openRoughRoute(plane.server);
    const client = await clientOf(plane.kubeconfigFor(route.address));
    const election = createLeaderElection(
      createObjects(client, leases, "leader"),
      {
        ...times,
        namespace: "default",
        name: "postern",
        identity: name,
        onStarted: () => {
          leading.add(name);
          most = Math.max(most, leading.size);
        },
        onStopped: () => leading.delete(name),
      },
      systemClock,
    );
    candidates.push({ name, election, client, route });
    election.start();
  };

  const leader = (): Promise<Candidate> =>
    until("somebody to lead", () => candidates.find(({ election }) => election.isLeader()), 20_000);

  const readLease = async (): Promise<JsonObject> => {
    const { body } = await plane.call({
      method: "GET",
      path: "/apis/coordination.k8s.io/v1/namespaces/default/leases/postern",
    });
    return (body as { readonly spec: JsonObject }).spec;
  };

  beforeAll(async () => {
    plane = await startControlPlane({ version: anyVersion });
    for (const name of ["a", "b", "c"]) await stand(name);
  });

  afterAll(async () => {
    for (const { client, route } of candidates) {
      client.close();
      await route.close();
    }
    await plane.stop();
  });

  test("passes on when the leader is cut off", async () => {
    const first = await leader();
    const before = await readLease();
    expect(before["holderIdentity"]).toBe(first.name);
    first.route.cut();
    const second = await until(
      "another to lead",
      () => candidates.find(({ name, election }) => name !== first.name && election.isLeader()),
      20_000,
    );
    expect([...leading]).toEqual([second.name]);
    first.route.mend();
    const after = await readLease();
    expect(after).toMatchObject({
      holderIdentity: second.name,
      leaseDurationSeconds: 3,
      leaseTransitions: Number(before["leaseTransitions"]) + 1,
    });
    expect(most).toBe(1);
  });

  test("stays where it is when a connection of the leader's says nothing any more", async () => {
    const first = await leader();
    const before = await readLease();
    first.route.hush();
    await sleep(2 * times.leaseMs);
    expect([...leading]).toEqual([first.name]);
    const after = await readLease();
    expect(after["leaseTransitions"]).toBe(before["leaseTransitions"]);
    expect(after["renewTime"]).not.toBe(before["renewTime"]);
  });

  test("goes on after the API server was away, with one leader", async () => {
    await leader();
    await plane.stopApiServer();
    await sleep(4000);
    expect([...leading]).toEqual([]);
    await plane.startApiServer();
    await leader();
    expect([leading.size, most]).toEqual([1, 1]);
  });

  test("is given back, and taken by another at its next try", async () => {
    const last = await leader();
    await last.election.release();
    const next = await until(
      "another to lead",
      () => candidates.find(({ name, election }) => name !== last.name && election.isLeader()),
      20_000,
    );
    expect([leading.size, most, (await readLease())["holderIdentity"]]).toEqual([1, 1, next.name]);
    await Promise.all(candidates.map(({ election }) => election.release()));
    expect(leading.size).toBe(0);
    expect(await readLease()).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
  });
});
