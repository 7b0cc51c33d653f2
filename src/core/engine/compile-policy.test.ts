import { expect, test } from "vitest";

import { parsePolicies } from "#policy";
import { answersOf, objectOf, requestFor } from "../../../test/support/policies.ts";
import { compilePolicy, DEFAULT_BUDGET } from "./compile-policy.ts";

const { policies } = parsePolicies(
  `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata:
  name: p
  annotations: {policies.kyverno.io/severity: high, policies.kyverno.io/category: c, policies.kyverno.io/scored: "false"}
spec:
  rules:
  - name: r
    match: {any: [{resources: {kinds: [Pod]}}]}
    validate: {message: m, pattern: {spec: {hostNetwork: false}}}`,
  "p.yaml",
);

const spec = "{hostNetwork: true}";
const objects = {
  Pod: `{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: ${spec}}`,
  Deployment: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {template: {spec: ${spec}}}}`,
  CronJob: `{apiVersion: batch/v1, kind: CronJob, metadata: {name: a}, spec: {jobTemplate: {spec: {template: {spec: ${spec}}}}}}`,
  Service: "{apiVersion: v1, kind: Service, metadata: {name: a}}",
};

test.each([false, true])("controllers are seen through the generated rules (on demand: %s)", (onDemand) => {
  const [policy] = policies;
  const { program } = policy === undefined ? {} : compilePolicy(policy, { exceptions: [], onDemand });
  if (program === undefined) throw new Error("no program");
  const answers = Object.values(objects).map((text) => answersOf(program, requestFor(objectOf(text))));
  const failure = (rule: string, path: string): string =>
    `${rule}: fail: validation error: m. rule ${rule} failed at path ${path}`;
  expect(answers).toEqual([
    [failure("r", "/spec/hostNetwork/")],
    [failure("autogen-r", "/spec/template/spec/hostNetwork/")],
    [failure("autogen-cronjob-r", "/spec/jobTemplate/spec/template/spec/hostNetwork/")],
    [],
  ]);
  expect(program).toMatchObject({
    key: "p",
    scored: false,
    labels: { severity: "high", category: "c" },
    budget: DEFAULT_BUDGET,
  });
});
