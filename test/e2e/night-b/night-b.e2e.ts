/**
 * Night B again: eighteen policies in force, 1,400 workloads there, the nineteenth policy lands, pods are recreated in
 * bursts, a scan eats the CPU, and one of two replicas is paused, killed and started again at random. Nobody is refused
 * who does not violate a policy, no replica that runs is late, and kube-system notices nothing.
 */
import { writeFileSync } from "node:fs";
import * as https from "node:https";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createAuthority } from "../control-plane/certificates.ts";
import { type Child, freePort, startChild, until } from "../control-plane/child.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, canRun, full, seed } from "../control-plane/suites.ts";
import { installPolicyKinds } from "../postern/policy-kinds.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { deploymentOf, eighteen, nineteenth, podOf } from "./policies.ts";

const program = fileURLToPath(new URL("../../../dist/apps/bin.js", import.meta.url));
const WORKLOADS = 1400;
const NIGHT_MS = full ? 300_000 : 45_000;
const TIMEOUT_SECONDS = 5;

type Replica = {
  readonly port: number;
  readonly metricsPort: number;
  child: Child;
  /** Late answers to what had waited while this process was paused. */
  excused: number;
  /** Times (performance.now) from which and until which it did not run. */
  readonly down: { readonly from: number; until: number }[];
};

describe.runIf(canRun)("night B", () => {
  let plane: ControlPlane;
  let balancer: Balancer;
  let ca = "";
  const replicas: Replica[] = [];
  /** Answers after the deadline, by replicas that ran. */
  let late = 0;
  let launch: (replica: Pick<Replica, "port" | "metricsPort">, name: string) => Child;

  beforeAll(async () => {
    plane = await startControlPlane({ version: anyVersion, controllerManager: true });
    await installPolicyKinds(plane);
    await create("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "postern" },
    });
    const authority = await createAuthority("night-b");
    const { cert, key } = await authority.serving();
    ca = authority.ca;
    const file = (name: string, text: string): string => {
      writeFileSync(join(plane.folder, name), text);
      return join(plane.folder, name);
    };
    const tls = [file("gate.crt", cert), file("gate.key", key), file("gate-ca.crt", ca)];
    const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    balancer = await startBalancer(ports.slice(0, 2));
    launch = ({ port, metricsPort }, name) =>
      startChild(
        process.execPath,
        [
          program,
          "serve",
          `--kubeconfig=${plane.kubeconfig}`,
          "--namespace=postern",
          "--host=127.0.0.1",
          `--port=${port}`,
          `--metrics-port=${metricsPort}`,
          `--webhook-url=${balancer.url}`,
          `--tls-cert-file=${tls[0]}`,
          `--tls-key-file=${tls[1]}`,
          `--tls-ca-file=${tls[2]}`,
        ],
        { logFile: join(plane.folder, `${name}.log`) },
      );
    for (const index of [0, 1]) {
      const ports2 = { port: ports[index] ?? 0, metricsPort: ports[index + 2] ?? 0 };
      replicas.push({ ...ports2, child: launch(ports2, `replica-${index}`), excused: 0, down: [] });
    }
    for (const policy of eighteen) await create("/apis/kyverno.io/v1/clusterpolicies", policy);
    await until("the policies to be enforced", async () => {
      const { text } = await createPod("probe", "default", false, true);
      return text.includes("was blocked due to the following policies") ? true : undefined;
    });
    for (let at = 0; at < WORKLOADS; at += 25) {
      await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          create("/apis/apps/v1/namespaces/default/deployments", deploymentOf(`w${at + index}`, false)),
        ),
      );
    }
  });

  afterAll(async () => {
    await Promise.all(replicas.map(({ child }) => child.stop()));
    await balancer.stop();
    await plane.stop();
  });

  test("nobody is refused who violates nothing, and nobody is late", { timeout: 900_000 }, async () => {
    const random = seeded(seed);
    const capacity = await measureCapacity();
    const end = performance.now() + NIGHT_MS;
    const over = (): boolean => performance.now() > end;
    const scan = scanForever(over);
    const reviews = reviewsAt(capacity / 2, over);
    const bursts = recreatePods(over);
    const trouble = disturb(random, over);
    await sleep(NIGHT_MS / 4);
    await create("/apis/kyverno.io/v1/clusterpolicies", nineteenth);
    const [answers, pods] = await Promise.all([reviews, bursts, trouble, scan]);
    await until("both replicas to be ready", async () => ((await counts()).ready === 2 ? true : undefined));

    const wrong = answers.filter(({ good, allowed }) => allowed !== undefined && allowed !== good);
    expect(wrong).toEqual([]);
    const unanswered = answers.filter(({ allowed }) => allowed === undefined);
    expect(unanswered.filter(({ at }) => !wasDown(at))).toEqual([]);
    expect(pods.filter(({ text }) => text.includes("was blocked"))).toEqual([]);
    const failed = pods.filter(({ status }) => status !== 201);
    for (const { text, namespace } of failed) {
      expect(text).toMatch(/failed calling webhook|context deadline exceeded/);
      expect(namespace).not.toBe("kube-system");
    }
    expect(failed.filter(({ at }) => !wasDown(at))).toEqual([]);
    expect(late + (await counts()).tooLate).toBe(0);
    process.stderr.write(
      `night B: capacity ${capacity.toFixed(0)}/s, ${answers.length} reviews at half of it (${unanswered.length} without an answer while a replica was down), ${pods.length} pods (${failed.length} failed by failurePolicy), ${replicas.flatMap(({ down }) => down).length} disturbances\n`,
    );
    const { status, text } = await plane.call({
      method: "POST",
      path: "/apis/apps/v1/namespaces/default/deployments?dryRun=All",
      body: deploymentOf("unlabelled", false),
    });
    expect([status, text]).toEqual([400, expect.stringContaining("require-name-label") as string]);
  });

  /** From a moment before a replica stopped until the API server and the balancer have noticed that it is back. */
  function wasDown(at: number): boolean {
    const slackMs = (TIMEOUT_SECONDS + 2) * 1000;
    return replicas.some(({ down }) =>
      down.some((span) => at > span.from - slackMs && at < span.until + slackMs),
    );
  }

  async function disturb(random: () => number, over: () => boolean): Promise<void> {
    while (!over()) {
      await sleep(2000 + random() * 3000);
      const index = Math.floor(random() * 2);
      const replica = replicas[index];
      if (replica === undefined || over()) continue;
      const span = { from: performance.now(), until: Number.POSITIVE_INFINITY };
      replica.down.push(span);
      if (random() < 0.5) {
        const before = await tooLateAt(replica);
        replica.child.process.kill("SIGSTOP");
        await sleep(1000 + random() * 5000);
        replica.child.process.kill("SIGCONT");
        // What waited while it stood still is answered late, or not at all; from here on nothing may be.
        await sleep(1500);
        replica.excused += (await tooLateAt(replica)) - before;
      } else {
        late += (await tooLateAt(replica)) - replica.excused;
        replica.excused = 0;
        await replica.child.stop(random() < 0.5 ? "SIGKILL" : "SIGTERM");
        await sleep(random() * 2000);
        replica.child = launch(replica, `replica-${index}`);
        await until("the replica to be ready again", () => isReady(replica));
      }
      span.until = performance.now();
    }
  }

  async function isReady({ metricsPort }: Replica): Promise<true | undefined> {
    try {
      return (await fetch(`http://127.0.0.1:${metricsPort}/health/readiness`)).ok ? true : undefined;
    } catch {
      return undefined;
    }
  }

  async function counts(): Promise<{ readonly ready: number; readonly tooLate: number }> {
    let [ready, tooLate] = [0, 0];
    for (const replica of replicas) {
      if ((await isReady(replica)) !== true) continue;
      ready += 1;
      tooLate += (await tooLateAt(replica)) - replica.excused;
    }
    return { ready, tooLate };
  }

  async function tooLateAt({ metricsPort }: Replica): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const found = text.matchAll(/deadline_margin_seconds_bucket\{le="0",[^}]*\} (\d+)/g);
    return [...found].reduce((sum, [, value]) => sum + Number(value), 0);
  }

  type Answered = { readonly good: boolean; readonly allowed: boolean | undefined; readonly at: number };

  const agent = new https.Agent({ keepAlive: true, maxSockets: 128, rejectUnauthorized: false });

  function sendReview(good: boolean): Promise<Answered> {
    const at = performance.now();
    const body = JSON.stringify(reviewOf(podOf("p", "default", good)));
    return new Promise((done) => {
      const request = https.request(
        `${balancer.url}/validate/fail?timeout=${TIMEOUT_SECONDS}s`,
        {
          method: "POST",
          agent,
          timeout: TIMEOUT_SECONDS * 1000,
          headers: { "content-type": "application/json" },
        },
        (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => (text += chunk.toString()));
          response.on("error", () => done({ good, allowed: undefined, at }));
          response.on("end", () => {
            const allowed = response.statusCode === 200 ? text.includes('"allowed":true') : undefined;
            done({ good, allowed, at });
          });
        },
      );
      request.on("timeout", () => request.destroy());
      request.on("error", () => done({ good, allowed: undefined, at }));
      request.end(body);
    });
  }

  /** Answers a second of both replicas together, as fast as they come. */
  async function measureCapacity(): Promise<number> {
    const startMs = performance.now();
    let answered = 0;
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (performance.now() - startMs < 4000) {
          await sendReview(true);
          answered += 1;
        }
      }),
    );
    return answered / 4;
  }

  async function reviewsAt(perSecond: number, over: () => boolean): Promise<readonly Answered[]> {
    const sent: Promise<Answered>[] = [];
    const startMs = performance.now();
    while (!over()) {
      const due = Math.floor(((performance.now() - startMs) / 1000) * perSecond);
      while (sent.length < due) sent.push(sendReview(sent.length % 5 !== 0));
      await sleep(5);
    }
    return Promise.all(sent);
  }

  type Made = {
    readonly status: number;
    readonly text: string;
    readonly namespace: string;
    readonly at: number;
  };

  /** A node goes away and its pods come back elsewhere, again and again; CoreDNS is among them. */
  async function recreatePods(over: () => boolean): Promise<readonly Made[]> {
    const made: Made[] = [];
    for (let burst = 0; !over(); burst++) {
      const names = Array.from({ length: 30 }, (_, index) => `burst-${burst}-${index}`);
      made.push(...(await Promise.all(names.map((name) => createPod(name, "default", true)))));
      made.push(await createPod(`coredns-${burst}`, "kube-system", true));
      await Promise.all(
        names.map((name) =>
          plane.call({
            method: "DELETE",
            path: `/api/v1/namespaces/default/pods/${name}?gracePeriodSeconds=0`,
          }),
        ),
      );
      await sleep(1000);
    }
    return made;
  }

  async function createPod(name: string, namespace: string, good: boolean, dryRun = false): Promise<Made> {
    const at = performance.now();
    const path = `/api/v1/namespaces/${namespace}/pods${dryRun ? "?dryRun=All" : ""}`;
    const { status, text } = await plane.call({ method: "POST", path, body: podOf(name, namespace, good) });
    return { status, text, namespace, at };
  }

  async function create(path: string, body: unknown): Promise<void> {
    const { status, text } = await plane.call({ method: "POST", path, body });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  }

  /** What a background scan does to the CPU: all policies on all workloads, over and over, with less of a claim to it. */
  async function scanForever(over: () => boolean): Promise<void> {
    const policies = join(plane.folder, "policies.yaml");
    const resources = join(plane.folder, "workloads.yaml");
    const documents = (list: readonly unknown[]): string =>
      list.map((one) => `${JSON.stringify(one)}\n`).join("---\n");
    writeFileSync(policies, documents([...eighteen, nineteenth]));
    writeFileSync(
      resources,
      documents(Array.from({ length: WORKLOADS }, (_, index) => deploymentOf(`w${index}`, false))),
    );
    while (!over()) {
      const words = ["-n", "10", process.execPath, program, "apply", policies, "-r", resources];
      const child = startChild("nice", words);
      while (!child.exited() && !over()) await sleep(100);
      await child.stop();
    }
  }
});

function reviewOf(object: Readonly<Record<string, unknown>>): unknown {
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "00000000-0000-0000-0000-000000000000",
      kind: { group: "", version: "v1", kind: "Pod" },
      resource: { group: "", version: "v1", resource: "pods" },
      name: "p",
      namespace: "default",
      operation: "CREATE",
      userInfo: {
        username: "system:serviceaccount:kube-system:replicaset-controller",
        groups: ["system:serviceaccounts"],
      },
      object,
      oldObject: null,
      dryRun: false,
    },
  };
}

function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
