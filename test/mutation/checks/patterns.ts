/**
 * Patterns: the path of anyPattern is that of the first pattern that failed at one; keys are those that the object has
 * of its own; a wildcard in a label's key stands for the first key that fits; bounds are part of `>=` and `<=`.
 */
import { deepEqual } from "node:assert/strict";
import { objectOf, requestFor } from "../../support/policies.ts";
import { answerOf, podPolicy, resultsOf } from "../scenario.ts";

const pod = objectOf("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}");
const text = podPolicy(
  "validate: {message: m, anyPattern: [{metadata: {name: x}}, {metadata: {namespace: y}}]}",
);

deepEqual(
  resultsOf(text, requestFor(pod)).map(({ status, path }) => [status, path]),
  [["fail", "/metadata/name/"]],
);

const label = (pattern: string, labels: string): string => {
  const labelled = objectOf(`{apiVersion: v1, kind: Pod, metadata: {name: web, labels: {${labels}}}}`);
  const policy = podPolicy(`validate: {message: m, pattern: {metadata: {labels: {${pattern}}}}}`);
  return answerOf(policy, requestFor(labelled)).slice(0, 4);
};
deepEqual(
  {
    inherited: label('"X(constructor)": "null"', "a: b"),
    own: label('"X(constructor)": "null"', "constructor: b"),
    firstKey: label('"app*": a', "app2: b, app1: a"),
    otherKey: label('"app*": b', "app2: b, app1: a"),
  },
  { inherited: "pass", own: "fail", firstKey: "pass", otherKey: "fail" },
);

const bounds = (value: string): string =>
  [">=", "<=", ">", "<"].map((operator) => label(`a: "${operator}${value}"`, `a: ${value}`)).join(" ");
deepEqual([bounds("1Gi"), bounds("1h")], ["pass pass fail fail", "pass pass fail fail"]);
