/** Which rules are asked: all or the first that answers, and none for nothing when the budget is spent. */
import { deepEqual, equal } from "node:assert/strict";
import { evaluate } from "#engine";
import { answersOf, noFacts, objectOf, programOf, requestFor } from "../../support/policies.ts";
import { podPolicy, programsOf } from "../scenario.ts";

const pod = objectOf(
  "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [{name: c}]}}",
);

const rule = (name: string, pattern: string): string =>
  `- name: ${name}\n  match: {any: [{resources: {kinds: [Pod]}}]}\n  validate: {message: m, pattern: ${pattern}}`;
const rules = [
  rule("skips", "{spec: {(hostNetwork): true}}"),
  rule("passes", '{metadata: {name: "?*"}}'),
  rule("fails", "{metadata: {name: other}}"),
].join("\n");
const words = (answers: readonly string[]): readonly string[] =>
  answers.map((answer) => answer.split(":").slice(0, 2).join(":"));

deepEqual(words(answersOf(programOf(rules), requestFor(pod))), [
  "skips: skip",
  "passes: pass",
  "fails: fail",
]);
deepEqual(words(answersOf(programOf(rules, { spec: "  applyRules: One" }), requestFor(pod))), [
  "skips: skip",
  "passes: pass",
]);

deepEqual(words(answersOf({ ...programOf(rules), budget: 1 }, requestFor(pod))), [
  "skips: error",
  "passes: error",
  "fails: error",
]);

const scored = (annotations: string): unknown => {
  const text = podPolicy("validate: {message: m, deny: {}}").replace(
    "annotations: {",
    `annotations: {${annotations}`,
  );
  const verdicts = programsOf(text).map((program) => evaluate(program, requestFor(pod), noFacts));
  return verdicts.map((verdict) => verdict.kind === "verdict" && verdict.scored)[0];
};
equal(scored(""), true);
equal(scored('policies.kyverno.io/scored: "false", '), false);

const templated = (kind: string): readonly string[] => {
  const text = podPolicy("validate: {message: m, deny: {}}")
    .replace(", annotations: {pod-policies.kyverno.io/autogen-controllers: none}", "")
    .replace("any: [", "any: [{resources: {kinds: [Service]}}, ");
  const apiVersion = kind === "Service" ? "v1" : kind.endsWith("Job") ? "batch/v1" : "apps/v1";
  const object = objectOf(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: x, namespace: shop}}`);
  return programsOf(text).flatMap((program) => words(answersOf(program, requestFor(object))));
};
deepEqual(
  ["Service", "Job", "CronJob", "Deployment"].map((kind) => templated(kind)),
  [["r: fail"], ["autogen-r: fail"], ["autogen-cronjob-r: fail"], ["autogen-r: fail"]],
);
