/** A gate on loopback with policies of a test's own, and reviews to send to it. */
import * as https from "node:https";

import { createCatalog } from "#catalog";
import type { CatalogSnapshot } from "#catalog";
import { issueAuthority, issueServing, type KeyPair } from "#certificates";
import type { Fact } from "#engine";
import type { JsonObject } from "#json";
import {
  createGate,
  type AuditedRequest,
  type Gate,
  type GateEvent,
  type GateOptions,
  type GatePorts,
} from "#webhook";
import { objectOf } from "./policies.ts";

export type TestGate = {
  readonly gate: Gate;
  readonly port: number;
  readonly ca: string;
  readonly events: GateEvent[];
  readonly audited: AuditedRequest[];
  /** Replaces the policies in force. */
  readonly usePolicies: (texts: readonly string[]) => void;
  readonly post: (path: string, body: unknown) => Promise<GateAnswer>;
  readonly stop: () => Promise<void>;
};

export type GateAnswer = {
  readonly status: number;
  readonly text: string;
  /** Of an AdmissionReview; undefined where the answer is none. */
  readonly response: JsonObject | undefined;
};

let certificates: Promise<{ readonly authority: KeyPair; readonly serving: KeyPair }> | undefined;

/** Made once a process: keys take a while. */
export function testCertificates(): Promise<{ readonly authority: KeyPair; readonly serving: KeyPair }> {
  certificates ??= issueAll();
  return certificates;
}

async function issueAll(): Promise<{ readonly authority: KeyPair; readonly serving: KeyPair }> {
  const times = { notBeforeMs: Date.now() - 3_600_000, notAfterMs: Date.now() + 86_400_000 };
  const authority = await issueAuthority({ commonName: "test authority", ...times });
  const serving = await issueServing(authority, ["127.0.0.1", "localhost"], { commonName: "gate", ...times });
  return { authority, serving };
}

export function snapshotOf(texts: readonly string[]): CatalogSnapshot {
  const catalog = createCatalog();
  for (const text of texts) catalog.put(objectOf(text));
  return catalog.snapshot();
}

export async function startGate(
  policies: readonly string[],
  more: { readonly options?: Partial<GateOptions>; readonly ports?: Partial<GatePorts> } = {},
): Promise<TestGate> {
  const { authority, serving } = await testCertificates();
  const events: GateEvent[] = [];
  const audited: AuditedRequest[] = [];
  let snapshot = snapshotOf(policies);
  const ports: GatePorts = {
    policies: () => snapshot,
    isExcluded: () => false,
    namespaceLabels: () => ({}),
    rolesOf: () => ({ roles: [], clusterRoles: [] }),
    lookup: async (): Promise<Fact> => ({ kind: "error", reason: "not-found", message: "nothing is there" }),
    review: () => ({ errors: [], warnings: [] }),
    canary: () => "canary",
    readiness: () => ({ ready: true, reasons: [] }),
    leaving: () => false,
    audited: (results) => audited.push(results),
    observer: {
      answered: (event) => events.push(event),
      evaluated: () => undefined,
      auditDropped: () => undefined,
    },
    nowMs: () => Date.now(),
    seed: () => 1,
    ...more.ports,
  };
  const gate = createGate(
    {
      host: "127.0.0.1",
      port: 0,
      certPem: serving.certPem,
      keyPem: serving.keyPem,
      maxConcurrent: 16,
      maxQueued: 64,
      lookupTimeoutMs: 1000,
      ...more.options,
    },
    ports,
  );
  const port = await gate.start();
  const agent = new https.Agent({ keepAlive: true, ca: authority.certPem });
  return {
    gate,
    port,
    ca: authority.certPem,
    events,
    audited,
    usePolicies: (texts) => {
      snapshot = snapshotOf(texts);
    },
    post: (path, body) =>
      send({ port, agent, path, body: typeof body === "string" ? body : JSON.stringify(body) }),
    stop: async () => {
      agent.destroy();
      await gate.stop(1000);
    },
  };
}

type Sent = {
  readonly port: number;
  readonly agent: https.Agent;
  readonly path: string;
  readonly body: string;
};

function send({ port, agent, path, body }: Sent): Promise<GateAnswer> {
  return new Promise((done, fail) => {
    const request = https.request({
      host: "127.0.0.1",
      port,
      path,
      method: "POST",
      agent,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    });
    request.on("error", fail);
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", fail);
      response.on("end", () => done({ status: response.statusCode ?? 0, text, response: responseIn(text) }));
    });
    request.end(body);
  });
}

function responseIn(text: string): JsonObject | undefined {
  try {
    return (JSON.parse(text) as { response?: JsonObject }).response;
  } catch {
    return undefined;
  }
}

/** A review of an object as an API server sends it. */
export function reviewOf(object: JsonObject, more: JsonObject = {}): JsonObject {
  const metadata = object["metadata"] as JsonObject;
  const [group = "", version = ""] = String(object["apiVersion"]).includes("/")
    ? String(object["apiVersion"]).split("/")
    : ["", String(object["apiVersion"])];
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "11111111-2222-3333-4444-555555555555",
      kind: { group, version, kind: object["kind"] ?? "" },
      resource: { group, version, resource: `${String(object["kind"]).toLowerCase()}s` },
      name: metadata["name"] ?? "",
      namespace: metadata["namespace"] ?? "",
      operation: "CREATE",
      userInfo: { username: "ann", groups: ["system:authenticated"] },
      object,
      oldObject: null,
      dryRun: false,
      options: null,
      ...more,
    },
  };
}
