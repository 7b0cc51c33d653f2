import { expect, test } from "vitest";
import { podSpecOf } from "./pod-spec.ts";

const podSpec = { containers: [] };
const template = { spec: { template: { spec: podSpec } } };

test.each([
  ["Pod", { spec: podSpec }, podSpec],
  ["Deployment", template, podSpec],
  ["CronJob", { spec: { jobTemplate: template } }, podSpec],
  ["Deployment", { spec: podSpec }, undefined],
  ["Deployment", { spec: { template: "none" } }, undefined],
  ["ConfigMap", { spec: podSpec }, undefined],
])("the pod spec of a %s", (kind, object, want) => {
  expect(podSpecOf(object, kind)).toBe(want);
});
