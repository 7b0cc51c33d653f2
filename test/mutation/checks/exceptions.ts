/** What an exception exempts: the policies and rules that it names, where it matches and its conditions hold. */
import { deepEqual } from "node:assert/strict";
import { objectOf, requestFor } from "../../support/policies.ts";
import { podPolicy, resultsOf } from "../scenario.ts";

const pod = objectOf(
  "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, labels: {team: a}}}",
);
const failing = podPolicy("validate: {message: m, pattern: {metadata: {name: other}}}");
const inShop = failing
  .replace("kind: ClusterPolicy", "kind: Policy")
  .replace("{name: p,", "{name: p, namespace: shop,");

function statusWith(spec: string, policy = failing): string {
  const text = `${policy}---
apiVersion: kyverno.io/v2
kind: PolicyException
metadata: {name: x, namespace: shop}
spec: {${spec}}
`;
  return resultsOf(text, requestFor(pod))
    .map(({ status, exceptions = [] }) => [status, ...exceptions].join(" "))
    .join();
}

const named = (policyName: string, ruleName: string): string =>
  `exceptions: [{policyName: ${policyName}, ruleNames: ["${ruleName}"]}]`;
const pods = "match: {any: [{resources: {kinds: [Pod]}}]}";
const team = (value: string): string =>
  `conditions: {any: [{key: "{{ request.object.metadata.labels.team }}", operator: Equals, value: ${value}}]}`;
const unknown = 'conditions: {any: [{key: "{{ nobody }}", operator: Equals, value: a}]}';

deepEqual(
  {
    matching: statusWith(`${named("p", "r*")}, ${pods}`),
    otherPolicy: statusWith(`${named("q", "r")}, ${pods}`),
    otherRule: statusWith(`${named("p", "s")}, ${pods}`),
    otherKind: statusWith(`${named("p", "r")}, match: {any: [{resources: {kinds: [Service]}}]}`),
    noMatch: statusWith(`${named("p", "r")}, match: {any: []}`),
    conditionHolds: statusWith(`${named("p", "r")}, ${pods}, ${team("a")}`),
    conditionFails: statusWith(`${named("p", "r")}, ${pods}, ${team("b")}`),
    conditionErrs: statusWith(`${named("p", "r")}, ${pods}, ${unknown}`),
    policyByKey: statusWith(`${named("shop/p", "r")}, ${pods}`, inShop),
    policyByName: statusWith(`${named("p", "r")}, ${pods}`, inShop),
  },
  {
    matching: "skip shop/x",
    otherPolicy: "fail",
    otherRule: "fail",
    otherKind: "fail",
    noMatch: "fail",
    conditionHolds: "skip shop/x",
    conditionFails: "fail",
    conditionErrs: "fail",
    policyByKey: "skip shop/x",
    policyByName: "fail",
  },
);
