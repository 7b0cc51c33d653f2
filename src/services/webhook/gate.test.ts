import * as tls from "node:tls";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import type { Fact } from "#engine";
import type { JsonObject } from "#json";
import { issueServing } from "#certificates";
import { reviewOf, startGate, testCertificates, type TestGate } from "../../../test/support/gate.ts";

const policy = (name: string, rule: string, spec = ""): string => `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: ${name}}
spec:
  background: false
${spec}
  rules:
    - name: r
      match: {any: [{resources: {kinds: [ConfigMap]}}]}
${rule}`;

const enforced = "      validate: {failureAction: Enforce, message: not so, pattern: {data: {ok: fine}}}";
const audited = "      validate: {failureAction: Audit, message: not so, pattern: {data: {ok: fine}}}";
const lookup = `      context: [{name: cm, configMap: {name: settings, namespace: default}}]
      validate:
        failureAction: Enforce
        message: not so
        deny: {conditions: {all: [{key: "{{ cm.data.mode }}", operator: Equals, value: strict}]}}`;
const ignore = "  failurePolicy: Ignore";

const configMap = (ok: string): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default" },
  data: { ok },
});

const messageOf = (response: JsonObject | undefined): string => {
  const status = response?.["status"] as JsonObject | undefined;
  return String(status?.["message"]);
};

const gates: TestGate[] = [];
const start: typeof startGate = async (...given) => {
  const gate = await startGate(...given);
  gates.push(gate);
  return gate;
};
beforeAll(testCertificates);
afterEach(async () => {
  await Promise.all(gates.splice(0).map((gate) => gate.stop()));
});

describe("a gate", () => {
  test("allows what no policy forbids, and refuses what one does, in upstream's words", async () => {
    const { post, events } = await start([policy("p", enforced)]);
    expect((await post("/validate/fail?timeout=5s", reviewOf(configMap("fine")))).response).toEqual({
      uid: "11111111-2222-3333-4444-555555555555",
      allowed: true,
    });
    const { status, response } = await post("/validate/fail?timeout=5s", reviewOf(configMap("no")));
    expect(status).toBe(200);
    expect(response).toMatchObject({ allowed: false, status: { status: "Failure" } });
    expect(messageOf(response)).toBe(
      "\n\nresource ConfigMap/default/a was blocked due to the following policies \n\np:\n  r: 'validation error: not so. rule r failed at path /data/ok/'\n",
    );
    expect(events.map(({ answer, webhook }) => `${webhook} ${answer}`)).toEqual([
      "fail allowed",
      "fail denied",
    ]);
    expect(events[1]?.marginMs).toBeGreaterThan(3000);
  });

  test("asks on each path only the policies that belong there", async () => {
    const { post } = await start([policy("p", enforced), policy("q", enforced, ignore)]);
    const messages = await Promise.all(
      [
        "/validate/fail",
        "/validate/ignore",
        "/validate/fail/finegrained/q",
        "/validate/ignore/finegrained/p",
      ].map(async (path) => messageOf((await post(path, reviewOf(configMap("no")))).response)),
    );
    expect(messages.map((text) => /\n([pq]):/.exec(text)?.[1])).toEqual(["p", "q", "q", "p"]);
  });

  test("has an HTTP error for a policy that is not in force: nobody decided anything", async () => {
    const { post, events } = await start([]);
    const { status, text } = await post("/validate/fail/finegrained/ns/gone", reviewOf(configMap("no")));
    expect([status, text]).toEqual([500, "postern: unknown-policy: policy ns/gone is not in force here\n"]);
    expect(events[0]).toMatchObject({ answer: "fault", code: "unknown-policy" });
  });

  test("takes a lookup that fails for a fault: Fail gets a 5xx, Ignore allows and warns", async () => {
    const { post, events } = await start([policy("p", lookup), policy("q", lookup, ignore)]);
    const failing = await post("/validate/fail", reviewOf(configMap("no")));
    expect(failing.status).toBe(500);
    expect(failing.response).toBeUndefined();
    const ignored = await post("/validate/ignore", reviewOf(configMap("no")));
    expect(ignored.response).toMatchObject({ allowed: true, auditAnnotations: { faults: "q.r" } });
    expect(ignored.response?.["warnings"]).toEqual([
      expect.stringMatching(/^policy q\.r: .*nothing is there/),
    ]);
    expect(events.map(({ faults }) => faults.length)).toEqual([1, 1]);
  });

  test("refuses a violation also where another policy has a fault", async () => {
    const { post } = await start([policy("a", lookup), policy("b", enforced)]);
    const { response } = await post("/validate/fail", reviewOf(configMap("no")));
    expect(response).toMatchObject({ allowed: false });
  });

  test("decides by what a lookup brings", async () => {
    let mode = "strict";
    const { post } = await start([policy("p", lookup)], {
      ports: {
        lookup: async (): Promise<Fact> => ({ kind: "value", value: { data: { mode }, metadata: {} } }),
      },
    });
    expect((await post("/validate/fail", reviewOf(configMap("no")))).response).toMatchObject({
      allowed: false,
    });
    mode = "lax";
    expect((await post("/validate/fail", reviewOf(configMap("no")))).response).toMatchObject({
      allowed: true,
    });
  });

  test("answers in time where a lookup does not", async () => {
    const { post, events } = await start([policy("p", lookup)], {
      ports: { lookup: () => new Promise<Fact>(() => undefined) },
    });
    const { status, text } = await post("/validate/fail?timeout=300ms", reviewOf(configMap("no")));
    expect([status, text]).toEqual([504, "postern: deadline: there was no time left to decide\n"]);
    expect(events[0]?.marginMs).toBeGreaterThan(0);
  });

  test("sheds what would have to wait for too long, Ignore first", async () => {
    const waiting: ((fact: Fact) => void)[] = [];
    const { post } = await start([policy("p", lookup), policy("q", lookup, ignore)], {
      options: { maxConcurrent: 1, maxQueued: 1 },
      ports: { lookup: () => new Promise<Fact>((done) => waiting.push(done)) },
    });
    const first = post("/validate/fail?timeout=30s", reviewOf(configMap("no")));
    await expect.poll(() => waiting.length).toBe(1);
    const second = post("/validate/ignore?timeout=30s", reviewOf(configMap("no")));
    await new Promise((done) => setTimeout(done, 50));
    const third = post("/validate/fail?timeout=30s", reviewOf(configMap("no")));
    expect((await second).status).toBe(503);
    expect((await post("/validate/ignore?timeout=30s", reviewOf(configMap("no")))).status).toBe(503);
    waiting.shift()?.({ kind: "value", value: { data: { mode: "lax" }, metadata: {} } });
    expect((await first).response).toMatchObject({ allowed: true });
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.({ kind: "value", value: { data: { mode: "lax" }, metadata: {} } });
    expect((await third).response).toMatchObject({ allowed: true });
  });

  test("takes a bug for a fault", async () => {
    const { post, events } = await start([policy("p", enforced)], {
      ports: {
        namespaceLabels: () => {
          throw new Error("oh");
        },
      },
    });
    const { status, text } = await post("/validate/fail", reviewOf(configMap("no")));
    expect([status, text]).toEqual([500, "postern: bug: internal fault: oh\n"]);
    expect(events[0]?.code).toBe("bug");
  });

  test("does not judge what the operator excludes, nor before it is ready", async () => {
    let ready = true;
    const { post } = await start([policy("p", enforced)], {
      ports: { isExcluded: () => true, readiness: () => ({ ready, reasons: ["policies: not listed yet"] }) },
    });
    expect((await post("/validate/fail", reviewOf(configMap("no")))).response).toMatchObject({
      allowed: true,
    });
    ready = false;
    expect((await post("/validate/fail", reviewOf(configMap("no")))).status).toBe(503);
    const { status, text } = await post("/health/readiness", "");
    expect([status, text]).toEqual([503, "policies: not listed yet\n"]);
    expect((await post("/health/liveness", "")).status).toBe(200);
  });

  test("evaluates what is only audited after the answer, once, and never for a dry run", async () => {
    const { post, audited: results } = await start([policy("p", audited)]);
    expect((await post("/validate/fail", reviewOf(configMap("no")))).response).toMatchObject({
      allowed: true,
    });
    await post("/validate/ignore", reviewOf(configMap("no"), { dryRun: true }));
    expect((await post("/validate/ignore", reviewOf(configMap("no")))).response).toEqual({
      uid: "11111111-2222-3333-4444-555555555555",
      allowed: true,
    });
    await expect.poll(() => results.length).toBe(1);
    expect(results[0]?.verdicts[0]?.verdict.rules).toMatchObject([{ rule: "r", status: "fail" }]);
  });

  test("warns where a policy asks for it", async () => {
    const { post } = await start([policy("p", audited, "  emitWarning: true")]);
    const { response } = await post("/validate/fail", reviewOf(configMap("no")));
    expect(response).toMatchObject({
      allowed: true,
      warnings: ["policy p.r: validation error: not so. rule r failed at path /data/ok/"],
    });
  });

  test("reviews policies and exceptions, and answers canaries", async () => {
    const { post } = await start([], {
      ports: {
        review: (object) =>
          object["kind"] === "ConfigMap"
            ? { errors: ["wrong"], warnings: [] }
            : { errors: [], warnings: ["hm"] },
        canary: () => "nonce 1",
      },
    });
    expect((await post("/policyvalidate", reviewOf(configMap("no")))).response).toMatchObject({
      allowed: false,
      status: { message: "wrong" },
    });
    const other = { ...configMap("no"), kind: "Other" };
    expect((await post("/exceptionvalidate", reviewOf(other))).response).toMatchObject({
      allowed: true,
      warnings: ["hm"],
    });
    expect((await post("/canary", reviewOf(other))).response).toMatchObject({
      allowed: true,
      warnings: ["nonce 1"],
    });
  });

  test.each([
    ["", "the body is not JSON"],
    ["{", "the body is not JSON"],
    ["[]", "the body is no AdmissionReview"],
    ['{"kind":"AdmissionReview"}', "only admission.k8s.io/v1 is spoken here"],
    ['{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}', "the AdmissionReview has no request"],
  ])("has an HTTP error for the body `%s`", async (body, what) => {
    const { post } = await start([policy("p", enforced)]);
    const { status, text } = await post("/validate/fail", body);
    expect([status, text]).toEqual([400, `postern: bad-request: ${what}\n`]);
  });

  test.each([
    ["uid", 7],
    ["kind", "ConfigMap"],
    ["operation", "PATCH"],
    ["object", "text"],
    ["oldObject", []],
  ])("has an HTTP error for a request whose %s is of the wrong type", async (field, value) => {
    const { post } = await start([policy("p", enforced)]);
    const { status, response } = await post("/validate/fail", reviewOf(configMap("no"), { [field]: value }));
    expect([status, response]).toEqual([400, undefined]);
  });

  test("does not read what is too large", async () => {
    const { post } = await start([policy("p", enforced)]);
    const { status } = await post("/validate/fail", "x".repeat(17 * 1024 * 1024)).catch(() => ({
      status: 413,
    }));
    expect(status).toBe(413);
    expect((await post("/validate/fail", reviewOf(configMap("fine")))).status).toBe(200);
  });

  test("survives half requests, garbage and cut connections", async () => {
    const { post, port, ca } = await start([policy("p", enforced)]);
    const pieces = [
      "\0\0\0",
      "GET / HTTP/1.1\r\n",
      "POST /validate/fail HTTP/1.1\r\ncontent-length: 100\r\n\r\n{",
      "nonsense\r\n\r\n",
    ];
    for (const piece of pieces) {
      await new Promise<void>((done) => {
        const socket = tls.connect({ port, host: "127.0.0.1", ca }, () => socket.end(piece));
        socket.on("error", () => done());
        socket.on("close", () => done());
        socket.resume();
      });
    }
    expect((await post("/validate/fail", reviewOf(configMap("fine")))).status).toBe(200);
  });

  test("takes another certificate without dropping anybody", async () => {
    const { authority, serving } = await testCertificates();
    const waiting: ((fact: Fact) => void)[] = [];
    const { gate, post, port, ca } = await start([policy("p", lookup)], {
      ports: { lookup: () => new Promise<Fact>((done) => waiting.push(done)) },
    });
    const open = post("/validate/fail?timeout=30s", reviewOf(configMap("no")));
    await expect.poll(() => waiting.length).toBe(1);
    const times = { notBeforeMs: Date.now() - 3_600_000, notAfterMs: Date.now() + 7_200_000 };
    const next = await issueServing(authority, ["127.0.0.1"], { commonName: "next", ...times });
    gate.replaceCertificate(next.certPem, next.keyPem);
    waiting[0]?.({ kind: "value", value: { data: { mode: "lax" }, metadata: {} } });
    expect((await open).response).toMatchObject({ allowed: true });
    const name = await new Promise((done, fail) => {
      const socket = tls.connect({ port, host: "127.0.0.1", ca }, () => {
        done(socket.getPeerCertificate().subject.CN);
        socket.end();
      });
      socket.on("error", fail);
    });
    expect(name).toBe("next");
    expect(serving.certPem).not.toBe(next.certPem);
  });

  test("answers what is under way when it is told to stop", async () => {
    const waiting: ((fact: Fact) => void)[] = [];
    const { gate, post } = await start([policy("p", lookup)], {
      ports: { lookup: () => new Promise<Fact>((done) => waiting.push(done)) },
    });
    const open = post("/validate/fail?timeout=30s", reviewOf(configMap("no")));
    await expect.poll(() => waiting.length).toBe(1);
    const stopped = gate.stop(5000);
    waiting[0]?.({ kind: "value", value: { data: { mode: "lax" }, metadata: {} } });
    expect((await open).response).toMatchObject({ allowed: true });
    await stopped;
  });

  test("has no other paths, and takes nothing but a POST", async () => {
    const { post } = await start([]);
    expect((await post("/", "")).status).toBe(404);
    expect((await post("/validate/fail/finegrained/a/b/c", "")).status).toBe(404);
  });
});
