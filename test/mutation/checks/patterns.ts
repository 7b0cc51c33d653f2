/** anyPattern: the path of the answer is that of the first pattern that failed at one. */
import { deepEqual } from "node:assert/strict";
import { objectOf, requestFor } from "../../support/policies.ts";
import { podPolicy, resultsOf } from "../scenario.ts";

const pod = objectOf("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}");
const text = podPolicy(
  "validate: {message: m, anyPattern: [{metadata: {name: x}}, {metadata: {namespace: y}}]}",
);

deepEqual(
  resultsOf(text, requestFor(pod)).map(({ status, path }) => [status, path]),
  [["fail", "/metadata/name/"]],
);
