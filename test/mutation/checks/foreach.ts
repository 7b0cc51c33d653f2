/** foreach: which elements are looked at, as what, and what a list that is no list means. */
import { deepEqual } from "node:assert/strict";
import { objectOf, requestFor } from "../../support/policies.ts";
import { answerOf, podPolicy } from "../scenario.ts";

const pod = objectOf(`
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  host: {name: h}
  words: [a, b]
  nobody: []
  containers: [{name: c1, ports: [{id: p1}, {id: p2}]}, {name: c2, ports: [{id: p3}]}]
`);
const foreach = (body: string): string =>
  answerOf(podPolicy(`validate: {message: m, foreach: [${body}]}`), requestFor(pod));
const deny = (key: string, value: string): string =>
  `deny: {conditions: {any: [{key: "${key}", operator: Equals, value: "${value}"}]}}`;

deepEqual(
  {
    oneObject: foreach('{list: request.object.spec.host, pattern: {name: "x"}}').slice(0, 4),
    wholeObject: foreach(
      '{list: request.object.spec.containers, elementScope: false, pattern: {kind: "Pod"}}',
    ).slice(0, 4),
    notMaps: foreach('{list: request.object.spec.words, elementScope: true, pattern: {kind: "Pod"}}'),
    notMapsInScope: foreach('{list: request.object.spec.words, pattern: {kind: "Pod"}}').slice(0, 4),
    innerAndOuter: foreach(
      `{list: request.object.spec.containers, foreach: [{list: element.ports, ${deny("{{ element0.name }} {{ element1.id }}", "c1 p2")}}]}`,
    ),
    badList: foreach(`{list: "length(request.object.spec.host.missing)", ${deny("a", "a")}}`).slice(0, 5),
    emptyAfterFull: foreach(
      `{list: request.object.spec.words, ${deny("a", "b")}}, {list: request.object.spec.nobody, ${deny("a", "b")}}`,
    ),
    leftBehind: foreach(
      `{list: request.object.spec.containers, ${deny("a", "b")}}, {list: element, ${deny("a", "a")}}`,
    ).slice(0, 4),
  },
  {
    oneObject: "fail",
    wholeObject: "pass",
    notMaps:
      "error: failed to process foreach: cannot use elementScope=true foreach rules for elements that are not maps, expected type=map got type=string",
    notMapsInScope: "pass",
    innerAndOuter: "fail: validation failure: validation failure: m",
    badList: "error",
    emptyAfterFull: "pass: rule passed",
    leftBehind: "pass",
  },
);
