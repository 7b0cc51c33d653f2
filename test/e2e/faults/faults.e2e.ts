/**
 * Ten thousand faults, of every kind, on `postern serve` as a process with a real API server behind it: nobody is refused
 * who violates nothing, nothing hangs, nothing crashes, and memory stays where it was. A server with a defect of each kind
 * is caught by the same probes.
 */
import { readFileSync } from "node:fs";
import * as https from "node:https";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createAuthority } from "../control-plane/certificates.ts";
import { until } from "../control-plane/child.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, canRun, full, seed } from "../control-plane/suites.ts";
import { installPolicyKinds } from "../postern/policy-kinds.ts";
import { type Postern, startPostern } from "../postern/process.ts";
import { startDefective } from "./defective.ts";
import { faultKinds } from "./kinds.ts";
import { ask, findingsOf, type Probe } from "./probe.ts";

const TIMES = full ? 1250 : 25;
const REVIEWS = full ? 1_000_000 : 30_000;
const OUTAGES = full ? 500 : 2;
/** MiB that memory may grow by between the second and the last fifth of the reviews. */
const SLACK_MIB = 24;

const path = "/validate/fail?timeout=5s";
const reviewOf = (ok: string): string =>
  JSON.stringify({
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "00000000-0000-0000-0000-000000000000",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      name: "a",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "ann", groups: ["system:authenticated"] },
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a", namespace: "default" },
        data: { ok },
      },
      oldObject: null,
      dryRun: false,
    },
  });
const [good, bad] = [reviewOf("fine"), reviewOf("wrong")];

function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

describe.runIf(canRun)("faults", () => {
  let plane: ControlPlane;
  let postern: Postern;
  let probe: Probe;

  beforeAll(async () => {
    plane = await startControlPlane({ version: anyVersion });
    await installPolicyKinds(plane);
    await send("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "postern" } });
    await send("/apis/kyverno.io/v1/clusterpolicies", {
      apiVersion: "kyverno.io/v1",
      kind: "ClusterPolicy",
      metadata: { name: "fine" },
      spec: {
        background: false,
        rules: [
          {
            name: "r",
            match: { any: [{ resources: { kinds: ["ConfigMap"] } }] },
            validate: { failureAction: "Enforce", message: "not fine", pattern: { data: { ok: "fine" } } },
          },
        ],
      },
    });
    const { ca } = await createAuthority("front");
    postern = await startPostern(plane, { front: { url: "https://127.0.0.1:1", ca } });
    probe = {
      port: Number(new URL(postern.url).port),
      path,
      good,
      bad,
      isAlive: () => !postern.child().exited(),
    };
    await until("the policy to be in force", async () => {
      try {
        return (await ask(probe, bad)) === "refused" ? true : undefined;
      } catch {
        return undefined;
      }
    });
  });
  afterAll(async () => {
    await postern.stop();
    await plane.stop();
  });

  test.each(faultKinds.map((kind) => [kind.name, kind] as const))(
    "%s",
    { timeout: 3_600_000 },
    async (_, kind) => {
      expect(await findingsOf(probe, kind, seeded(seed), TIMES)).toEqual([]);
    },
  );

  test("an API server and an etcd that go away and come back", { timeout: 3_600_000 }, async () => {
    for (let outage = 0; outage < OUTAGES; outage++) {
      postern.route.cut();
      await expectSteady("its route cut");
      postern.route.mend();
      await plane.stopApiServer();
      await expectSteady("the API server gone");
      await plane.startApiServer();
      plane.etcd.child().process.kill("SIGSTOP");
      await expectSteady("etcd silent");
      plane.etcd.child().process.kill("SIGCONT");
      await expectSteady("all of it back");
    }
  });

  test("memory stays where it was", { timeout: 3_600_000 }, async () => {
    const fifths: number[] = [];
    const kept = new https.Agent({ keepAlive: true });
    for (let fifth = 0; fifth < 5; fifth++) {
      let left = REVIEWS / 5;
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (left > 0) {
            left -= 1;
            await ask(probe, left % 10 === 0 ? bad : good, kept);
          }
        }),
      );
      await sleep(500);
      fifths.push(residentMib());
    }
    process.stderr.write(
      `faults: seed ${seed}, memory by fifths ${fifths.map((mib) => mib.toFixed(0)).join(", ")} MiB\n`,
    );
    expect((fifths[4] ?? 0) - (fifths[1] ?? 0)).toBeLessThan(SLACK_MIB);
  });

  /** Half a second of reviews, all of them answered as ever. */
  async function expectSteady(what: string): Promise<void> {
    const end = performance.now() + 500;
    while (performance.now() < end) {
      expect([what, await ask(probe, good), await ask(probe, bad)]).toEqual([what, "allowed", "refused"]);
    }
  }

  function residentMib(): number {
    const text = readFileSync(`/proc/${postern.child().process.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]) / 1024;
  }

  async function send(place: string, body: unknown): Promise<void> {
    const { status, text } = await plane.call({ method: "POST", path: place, body });
    if (status !== 201) throw new Error(text);
  }
});

test.each(faultKinds.map((kind) => [kind.name, kind] as const))(
  "a server that does not survive %s is caught",
  async (name, kind) => {
    const server = await startDefective(name);
    const probe = { port: server.port, path, good, bad, isAlive: server.isAlive };
    try {
      expect(await findingsOf(probe, kind, seeded(seed), 25)).not.toEqual([]);
    } finally {
      server.stop();
    }
  },
);

test("a server without a defect is not", async () => {
  const server = await startDefective("none");
  const probe = { port: server.port, path, good, bad, isAlive: server.isAlive };
  const findings: string[] = [];
  for (const kind of faultKinds) {
    // What it answers to an enormous body that never comes is a matter of time-outs, which it has not.
    if (kind.name !== "oversize") findings.push(...(await findingsOf(probe, kind, seeded(seed), 5)));
  }
  server.stop();
  expect(findings).toEqual([]);
});
