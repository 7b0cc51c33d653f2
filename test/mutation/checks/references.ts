/** `$(…)`: a pattern that names another of its own leaves. */
import { deepEqual } from "node:assert/strict";
import { objectOf, requestFor } from "../../support/policies.ts";
import { answerOf, podPolicy } from "../scenario.ts";

const status = (pattern: string, spec: string): string => {
  const pod = objectOf(`{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {${spec}}}`);
  return answerOf(podPolicy(`validate: {message: m, pattern: {spec: {${pattern}}}}`), requestFor(pod)).slice(
    0,
    4,
  );
};

deepEqual(
  {
    relative: status('a: "8", b: "$(./../a)"', "a: 8, b: 8"),
    relativeOther: status('a: "8", b: "$(./../a)"', "a: 8, b: 9"),
    absolute: status('a: "8", b: "$(/spec/a)"', "a: 8, b: 9"),
    operator: status('a: "8", b: "$(<=./../a)"', "a: 8, b: 7"),
    operatorOther: status('a: "8", b: "$(<=./../a)"', "a: 8, b: 9"),
    escaped: status('a: "8", b: "x\\\\$(./../a)"', 'a: 8, b: "x$(./../a)"'),
  },
  {
    relative: "pass",
    relativeOther: "fail",
    absolute: "fail",
    operator: "pass",
    operatorOther: "fail",
    escaped: "pass",
  },
);
