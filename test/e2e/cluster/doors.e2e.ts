/**
 * The third door: the core's resources created through a real API server that Postern's registrations stand in front of
 * (dry run). What is refused there, by which rules and why, is what the gate says of the object as the API server has it,
 * and so what the command line says (test/doors compares those two).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

import { exclusions } from "#controllers";
import { gvkOf, isNamespaced, pluralOf } from "#k8s";
import { printYaml, type JsonObject } from "#json";
import { conformanceFolder } from "../../conformance/run.ts";
import { doorCases, doorReason } from "../../doors/cases.ts";
import { reviewOf, startGate, type TestGate } from "../../support/gate.ts";
import { type Child, freePort, startChild, until } from "../control-plane/child.ts";
import { type ControlPlane, startControlPlane } from "../control-plane/control-plane.ts";
import { anyVersion, canRun, full } from "../control-plane/suites.ts";
import { installPolicyKinds } from "../postern/policy-kinds.ts";

const program = fileURLToPath(new URL("../../../dist/apps/bin.js", import.meta.url));
const folder = conformanceFolder();
const present = existsSync(join(folder, "kyverno-test"));
const MAX_OBJECTS = full ? Number.POSITIVE_INFINITY : 150;

type Said = Readonly<Record<string, Readonly<Record<string, string>>>>;

describe.runIf(canRun && present)(
  present ? "the API server's door" : `the API server's door (no data at ${folder})`,
  () => {
    let plane: ControlPlane;
    let postern: Child | undefined;
    let gate: TestGate;
    const policies = uniquePolicies();

    beforeAll(async () => {
      plane = await startControlPlane({ version: anyVersion, controllerManager: true });
      await installPolicyKinds(plane);
      await send("POST", "/api/v1/namespaces", {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "postern" },
      });
      gate = await startGate(policies.map((policy) => printYaml(policy)));
    });
    afterAll(async () => {
      await postern?.stop();
      await gate.stop();
      await plane.stop();
    });

    test("refuses what the gate refuses, with the same text", { timeout: 600_000 }, async () => {
      const objects = await acceptedObjects();
      expect(objects.length).toBeGreaterThan(100);
      await startPostern();
      // An API server takes a moment to act on what is registered.
      for (const { path, object } of objects) {
        if (Object.keys(await askGate(object)).length === 0) continue;
        await until(`the API server to call for ${path}`, async () =>
          Object.keys(await createThere(path, object)).length > 0 ? true : undefined,
        );
      }
      let refused = 0;
      for (const { path, object } of objects) {
        const [there, here] = [await createThere(path, object), await askGate(object)];
        expect(there, JSON.stringify(object["metadata"])).toEqual(here);
        if (Object.keys(here).length > 0) refused += 1;
      }
      process.stderr.write(
        `doors: ${objects.length} objects through the API server, ${refused} refused, ${policies.length} policies\n`,
      );
      expect(refused).toBeGreaterThan(50);
    });

    /** What the server takes while nobody stands in front of it, with the defaults that it sets. */
    async function acceptedObjects(): Promise<
      readonly { readonly path: string; readonly object: JsonObject }[]
    > {
      const found: { path: string; object: JsonObject }[] = [];
      const namespaces = new Set(["default"]);
      for (const resource of doorCases(folder).flatMap((given) => given.resources)) {
        if (found.length >= MAX_OBJECTS) break;
        if (isKeptOut(resource)) continue;
        const path = pathOf(resource);
        const namespace = namespaceOf(resource);
        if (!namespaces.has(namespace)) {
          namespaces.add(namespace);
          await send("POST", "/api/v1/namespaces", {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: { name: namespace },
          });
        }
        const { status, body } = await send("POST", path, resource);
        if (status !== 201) continue;
        // Twice: an object must be accepted as the server has made it (an allocated address is not).
        const again = await send("POST", path, fresh(body as JsonObject));
        if (again.status === 201) found.push({ path, object: again.body as JsonObject });
      }
      return found;
    }

    async function startPostern(): Promise<void> {
      for (const policy of policies) {
        const namespace = (policy["metadata"] as JsonObject)["namespace"];
        const place =
          namespace === undefined ? "clusterpolicies" : `namespaces/${String(namespace)}/policies`;
        const { status, text } = await send("POST", `/apis/kyverno.io/v1/${place}`, policy);
        if (status !== 201) throw new Error(text);
      }
      const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
      postern = startChild(process.execPath, [
        program,
        "serve",
        `--kubeconfig=${plane.kubeconfig}`,
        `--webhook-url=https://127.0.0.1:${port}`,
        "--host=127.0.0.1",
        `--port=${port}`,
        `--metrics-port=${metricsPort}`,
        "--webhook-timeout=30",
      ]);
      await until("the registrations", async () => {
        const { text } = await send(
          "GET",
          "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/postern-resource-validating-webhook-cfg",
        );
        return text.includes('"failurePolicy":"Fail"') ? true : undefined;
      });
    }

    /** What the API server says of it. */
    async function createThere(path: string, object: JsonObject): Promise<Said> {
      const { status, text, body } = await send("POST", path, fresh(object));
      if (status === 201) return {};
      const { message } = body as { message: string };
      if (!message.includes("denied the request")) throw new Error(text);
      return saidIn(message);
    }

    async function askGate(object: JsonObject): Promise<Said> {
      const review = reviewOf(object, {
        userInfo: { username: "kubernetes-admin", groups: ["system:masters"] },
      });
      for (const path of ["/validate/fail", "/validate/ignore"]) {
        const { response } = await gate.post(path, review);
        const status = response?.["status"] as { message: string } | undefined;
        if (response?.["allowed"] === false) return saidIn(status?.message ?? "");
      }
      return {};
    }

    function send(method: string, path: string, body?: unknown) {
      return plane.call({
        method,
        path:
          method === "POST" && !path.startsWith("/apis/kyverno.io") && !path.endsWith("/namespaces")
            ? `${path}?dryRun=All`
            : path,
        body,
      });
    }
  },
);

/** One policy a name, and only those that answer alike at every door. */
function uniquePolicies(): readonly JsonObject[] {
  const byName = new Map<string, JsonObject>();
  for (const policy of doorCases(folder).flatMap((given) => given.policies)) {
    const metadata = policy["metadata"] as JsonObject;
    const clean = {
      name: metadata["name"] ?? "",
      ...(metadata["namespace"] === undefined ? {} : { namespace: "default" }),
      annotations: metadata["annotations"] ?? {},
    };
    const spec = { ...(policy["spec"] as JsonObject), failurePolicy: "Fail" };
    const same = { ...policy, apiVersion: "kyverno.io/v1", metadata: clean, spec };
    if (doorReason(policy) === undefined) byName.set(String(clean.name), same);
  }
  return [...byName.values()].slice(0, 120);
}

/** What no webhook is called for, or another one than that for all policies. */
function isKeptOut(resource: JsonObject): boolean {
  const { group, ...kind } = gvkOf(String(resource["apiVersion"]), String(resource["kind"]));
  const plural = pluralOf({ group, ...kind });
  return exclusions.some((row) => {
    if (row.by === "namespace") return row.namespace === namespaceOf(resource);
    return row.by === "kind" && row.group === group && (row.resource === plural || row.resource === "*");
  });
}

function pathOf(resource: JsonObject): string {
  const apiVersion = String(resource["apiVersion"]);
  const kind = gvkOf(apiVersion, String(resource["kind"]));
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersion}`;
  const place = isNamespaced(kind) ? `/namespaces/${namespaceOf(resource)}` : "";
  return `${root}${place}/${pluralOf(kind)}`;
}

function namespaceOf(resource: JsonObject): string {
  const metadata = (resource["metadata"] ?? {}) as JsonObject;
  return String(metadata["namespace"] ?? "default");
}

/** As somebody would create it: without what the server gave it. */
function fresh(object: JsonObject): JsonObject {
  const {
    uid: _,
    creationTimestamp: __,
    managedFields: ___,
    resourceVersion: ____,
    ...metadata
  } = object["metadata"] as JsonObject;
  return { ...object, metadata };
}

function saidIn(message: string): Said {
  const listed = message.split("due to the following policies \n\n")[1] ?? "";
  return parse(listed, { version: "1.1" }) as Said;
}
