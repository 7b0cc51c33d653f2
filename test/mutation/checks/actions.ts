/** Enforce or Audit: the first word that applies, from the rule's overrides down to the policy. */
import { deepEqual } from "node:assert/strict";
import { objectOf, requestFor, noFacts } from "../../support/policies.ts";
import { podPolicy, resultsOf } from "../scenario.ts";

const pod = objectOf("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: prod-1}}");

function action(own: string, spec = ""): string {
  const text = podPolicy(`validate: {message: m, ${own}deny: {}}`, spec);
  const facts = { ...noFacts, namespaceLabels: { tier: "gold" } };
  return resultsOf(text, requestFor(pod, { namespace: "elsewhere" }), facts)
    .map((result) => result.action)
    .join();
}

const enforce = (namespaces: string): string => `{action: Enforce, namespaces: [${namespaces}]}`;
const audit = (namespaces: string): string => `{action: Audit, namespaces: [${namespaces}]}`;
const ofRule = (...overrides: readonly string[]): string =>
  `failureActionOverrides: [${overrides.join(", ")}], `;
const ofPolicy = (...overrides: readonly string[]): string =>
  `validationFailureActionOverrides: [${overrides.join(", ")}]`;
const gold = "{action: Enforce, namespaceSelector: {matchLabels: {tier: gold}}}";
const iron = "{action: Enforce, namespaces: [prod-1], namespaceSelector: {matchLabels: {tier: iron}}}";

deepEqual(
  {
    silent: action(""),
    policy: action("", "validationFailureAction: Enforce"),
    smallLetters: action("", ofPolicy("{action: enforce, namespaces: [prod-1]}")),
    rule: action("failureAction: Enforce, "),
    rulesWordFirst: action("failureAction: Audit, ", ofPolicy(enforce("prod-1"))),
    matching: action("", ofPolicy(audit("dev"), enforce('"prod-*"'))),
    first: action("", ofPolicy(gold, audit("prod-1"))),
    ruleOverride: action(`failureAction: Audit, ${ofRule(enforce("prod-1"))}`),
    otherLabels: action("", ofPolicy(iron)),
  },
  {
    silent: "Audit",
    policy: "Enforce",
    smallLetters: "Enforce",
    rule: "Enforce",
    rulesWordFirst: "Audit",
    matching: "Enforce",
    first: "Enforce",
    ruleOverride: "Enforce",
    otherLabels: "Audit",
  },
);
