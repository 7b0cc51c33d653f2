/**
 * Registrations as upstream makes them for a policy that matches everything: rules without limits, and nobody left out.
 * They are the control of night A: what Postern's must survive has to kill a control plane that has these.
 */
import type { WebhookConfiguration } from "./boot.ts";
import type { Gate } from "./gate.ts";
import type { Row } from "./rows.ts";

const everything = [
  {
    apiGroups: ["*"],
    apiVersions: ["*"],
    operations: ["*"],
    resources: ["*/*"],
    scope: "*",
  },
];

const workloads = [
  { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"], scope: "*" },
  { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments"], scope: "*" },
];

export function upstreamShape(
  row: Pick<Row, "failurePolicy" | "timeoutSeconds" | "kind" | "condition" | "narrow">,
  gate: Gate,
): WebhookConfiguration {
  const webhook = {
    name: "validate.kyverno.svc-fail",
    clientConfig: {
      url: `${gate.url}/validate/fail`,
      caBundle: Buffer.from(gate.ca).toString("base64"),
    },
    rules: row.narrow === true ? workloads : everything,
    failurePolicy: row.failurePolicy,
    timeoutSeconds: row.timeoutSeconds,
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...(row.condition === undefined
      ? {}
      : { matchConditions: [{ name: "by-hand", expression: row.condition }] }),
  };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: row.kind,
    metadata: { name: "gate" },
    webhooks: [webhook],
  };
}
