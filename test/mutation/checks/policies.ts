/** What a policy means where it is silent, and that its words are read from the right place. */
import { deepEqual } from "node:assert/strict";
import { podPolicy, policiesOf } from "../scenario.ts";

const [silent, ignoring, webhook, one] = [
  "",
  "failurePolicy: Ignore",
  "webhookConfiguration: {failurePolicy: Ignore}",
  "applyRules: One",
].map((spec) => policiesOf(podPolicy("validate: {message: m, deny: {}}", spec))[0]);

deepEqual(
  [silent, ignoring, webhook, one].map((policy) => [
    policy?.failureAction,
    policy?.failurePolicy,
    policy?.applyRules,
  ]),
  [
    ["Audit", "Fail", "All"],
    ["Audit", "Ignore", "All"],
    ["Audit", "Ignore", "All"],
    ["Audit", "Fail", "One"],
  ],
);

const local = podPolicy("validate: {message: m, deny: {}}").replace("ClusterPolicy", "Policy");
deepEqual(
  [silent, policiesOf(local)[0]].map((policy) => policy?.namespace),
  [undefined, "default"],
);

const post = "context: [{name: c, apiCall: {method: POST, urlPath: /apis/a/b, data: [{key: a, value: b}]}}]";
const overrides = "failureActionOverrides: [{action: Enforce, namespaces: [a]}]";
const [spoken] = policiesOf(podPolicy(`${post}, validate: {message: m, ${overrides}, deny: {}}`));
const [rule] = spoken?.rules ?? [];
deepEqual(
  rule?.context.map(({ source }) => source.kind === "apiCall" && source.method),
  ["POST"],
);
deepEqual(rule?.body.kind === "validate" && rule.body.validate.failureActionOverrides, [
  { action: "Enforce", namespaces: ["a"] },
]);
deepEqual(
  [silent, spoken].map((policy) => {
    const body = policy?.rules[0]?.body;
    return body?.kind === "validate" && body.validate.allowExistingViolations;
  }),
  [true, true],
);
