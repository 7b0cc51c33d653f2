/** Sends the rows of `healing-rows.ts`: makes what they act on, waits until registrations are in force, writes. */
import * as x509 from "@peculiar/x509";
import { webcrypto } from "node:crypto";

import type { ApiAnswer } from "../control-plane/caller.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { until } from "../control-plane/child.ts";
import type { HealingRow } from "./healing-rows.ts";

/** PEM in base64, as a request's `spec.request` has it. */
export async function createSigningRequest(): Promise<string> {
  x509.cryptoProvider.set(webcrypto);
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: "O=system:nodes, CN=system:node:worker",
    keys,
    signingAlgorithm: algorithm,
  });
  return Buffer.from(request.toString("pem")).toString("base64");
}

/** What the rows change, place, drain and write into; nobody is registered yet. */
export async function prepare(plane: ControlPlane, csr: string): Promise<void> {
  const make = async (path: string, kind: string, name: string, rest: object = {}): Promise<void> => {
    const [, api, group = "", version = ""] = path.split("/");
    const apiVersion = api === "api" ? group : `${group}/${version}`;
    const body = { apiVersion, kind, metadata: { name }, ...rest };
    const { status, text } = await plane.call({ method: "POST", path, body });
    if (status !== 201 && status !== 409) throw new Error(`${path}: ${text}`);
  };
  const containers = [{ name: "c", image: "x" }];
  const labels = { app: "web" };
  const inDefault = "/api/v1/namespaces/default";
  await make("/api/v1/nodes", "Node", "worker");
  await make("/api/v1/namespaces", "Namespace", "ending");
  for (const namespace of ["kube-system", "kube-node-lease", "default", "postern", "infrastructure"]) {
    await make("/api/v1/namespaces", "Namespace", namespace);
    await make(`/api/v1/namespaces/${namespace}/serviceaccounts`, "ServiceAccount", "default");
  }
  await make(`${inDefault}/pods`, "Pod", "waiting", { spec: { containers } });
  await make(`${inDefault}/pods`, "Pod", "placed", { spec: { containers, nodeName: "worker" } });
  await make(`${inDefault}/services`, "Service", "web", { spec: { ports: [{ port: 80 }] } });
  await make("/apis/apps/v1/namespaces/default/deployments", "Deployment", "web", {
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  await make(
    "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "CertificateSigningRequest",
    "waiting",
    { spec: { signerName: "example.com/x", request: csr, usages: ["digital signature", "client auth"] } },
  );
  const apiGroup = "rbac.authorization.k8s.io";
  await make("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", "ClusterRoleBinding", "joiners", {
    roleRef: { apiGroup, kind: "ClusterRole", name: "system:node-bootstrapper" },
    subjects: [{ apiGroup, kind: "Group", name: "system:bootstrappers" }],
  });
}

export function send(plane: ControlPlane, row: HealingRow): Promise<ApiAnswer> {
  return plane.call({
    method: row.method,
    path: `${row.path}?dryRun=All`,
    ...(row.body === undefined ? {} : { body: row.body }),
    ...(row.method === "PATCH" ? { contentType: "application/merge-patch+json" } : {}),
    ...(row.as === undefined ? {} : { as: row.as }),
  });
}

let marks = 0;

/**
 * Resolves when the API server acts on every webhook configuration that was written before: it learns of them in order,
 * and a last one, which refuses a name that nobody else uses, is seen to work.
 */
export async function inForce(plane: ControlPlane): Promise<void> {
  marks += 1;
  const name = `mark-${marks}`;
  const collection = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const { status, text } = await plane.call({
    method: "POST",
    path: collection,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name },
      webhooks: [
        {
          name: "mark.night-a.test",
          clientConfig: { url: "https://127.0.0.1:1/" },
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
          ],
          matchConditions: [{ name: "mark", expression: `object.metadata.name == '${name}'` }],
          failurePolicy: "Fail",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    },
  });
  if (status !== 201) throw new Error(text);
  await until("the last registration to be in force", async () => {
    const answer = await plane.call({
      method: "POST",
      path: "/api/v1/namespaces/default/configmaps?dryRun=All",
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
    });
    return answer.status >= 400 && answer.text.includes("mark.night-a.test") ? true : undefined;
  });
  await plane.call({ method: "DELETE", path: `${collection}/${name}` });
}
