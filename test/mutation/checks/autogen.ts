/** Rules from rules for pods: their references, their action, the kinds that an annotation names. */
import { deepEqual } from "node:assert/strict";
import type { JsonObject } from "#json";
import { computeRules } from "#policy";

const annotation = "pod-policies.kyverno.io/autogen-controllers";

function generated(validate: JsonObject, controllers = "Deployment"): readonly JsonObject[] {
  const rule = { name: "r", match: { any: [{ resources: { kinds: ["Pod"] } }] }, validate };
  return computeRules([rule], { [annotation]: controllers })
    .filter((computed) => computed.generated)
    .map(({ raw }) => raw);
}

const messageOf = (message: string): unknown =>
  generated({ message, anyPattern: [{ spec: { a: "b" } }] }).map(
    ({ validate }) => (validate as JsonObject)["message"],
  )[0];

deepEqual(
  [messageOf("is $(/anyPattern/0/spec/a)"), messageOf("is \\$(/anyPattern/0/spec/a)")],
  ["is $(/anyPattern/0/spec/template/spec/a)", "is \\$(/anyPattern/0/spec/a)"],
);

const deny = { message: "m", deny: {}, failureActionOverrides: [{ action: "Enforce", namespaces: ["a"] }] };
deepEqual(
  generated(deny).map(({ validate }) => validate),
  [deny],
);

deepEqual(
  ["CronJob,none", "none", "Deployment,CronJob"].map((controllers) =>
    generated({ message: "m", deny: {} }, controllers).map(({ name }) => name),
  ),
  [["autogen-cronjob-r"], [], ["autogen-r", "autogen-cronjob-r"]],
);
