/** What variables see: the elements of a foreach in their turn, the user, the old object on DELETE only, up to a limit. */
import { deepEqual } from "node:assert/strict";
import { createProbe } from "#engine";
import { noFacts, objectOf, requestFor } from "../../support/policies.ts";
import { answerOf, podPolicy } from "../scenario.ts";

const pod = (more: string): ReturnType<typeof objectOf> =>
  objectOf(`{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, ${more}}`);
const withLists = pod("spec: {a: [{id: a0, in: [i, j]}, {id: a1, in: [k]}], b: [w]}");

/** What the first element that is refused sees: the message of its own condition. */
function seen(text: string, around = "", inside = (check: string): string => check): string {
  const deny = `deny: {conditions: {all: [{key: a, operator: Equals, value: a, message: "${text}"}]}}`;
  const foreach = `{list: request.object.spec.a, ${around}${inside(deny)}}`;
  const answer = answerOf(podPolicy(`validate: {foreach: [${foreach}]}`), requestFor(withLists));
  return answer.replace(/^fail: (?:validation failure: )+/, "");
}

const second = 'preconditions: {all: [{key: "{{ element.id }}", operator: Equals, value: a1}]}, ';
const own = "context: [{name: mine, variable: {jmesPath: element.id}}], ";
const ownSecond = `${own}${second.replace("element.id", "mine")}`;
const withJ = 'preconditions: {all: [{key: "{{ element }}", operator: Equals, value: j}]}';
const inner = (deny: string): string => `foreach: [{list: element.in, ${withJ}, ${deny}}]`;

deepEqual(
  {
    first: seen("{{ element.id }} {{ elementIndex }}"),
    second: seen("{{ element.id }} {{ elementIndex }} {{ element0.id }}", second),
    inner: seen("{{ elementIndex0 }} {{ elementIndex1 }} {{ element0.id }} {{ element1 }}", "", inner),
    ownEntry: seen("{{ mine }}", ownSecond),
  },
  { first: "a0 0", second: "a1 1 a1", inner: "0 1 a0 j", ownEntry: "a1" },
);

const asked = podPolicy('validate: {message: "{{ request.object.spec.host }}", deny: {}}');
const both = { object: pod("spec: {host: new}"), oldObject: pod("spec: {host: old}") };
deepEqual(
  [
    answerOf(
      asked.replace("message:", "allowExistingViolations: false, message:"),
      requestFor(both.object, { ...both, operation: "UPDATE" }),
    ),
    answerOf(asked, requestFor(both.object, { ...both, operation: "DELETE", object: null })),
  ],
  ["fail: new", "fail: old"],
);

const user = podPolicy(
  "validate: {message: '{{ request.clusterRoles }} {{ request.roles }} {{ serviceAccountName }} {{ serviceAccountNamespace }}', deny: {}}",
);
deepEqual(
  answerOf(
    user,
    requestFor(withLists, { userInfo: { username: "system:serviceaccount:shop:robot", groups: [] } }),
    { ...noFacts, roles: ["shop:r"], clusterRoles: ["c"] },
  ),
  'fail: ["c"] ["shop:r"] robot shop',
);

/** Four bytes of JSON are declared. */
function declaredWith(maxBytes: number): boolean {
  const probe = createProbe({ root: {}, maxBytes });
  probe.load([{ name: "v", source: { kind: "variable", value: "ab" } }]);
  return "value" in probe.query("v");
}
deepEqual([declaredWith(3), declaredWith(4)], [false, true]);

const given = { variables: { 'request.object.metadata."a.b"': "x" }, rules: {}, foreach: {} };
deepEqual(
  answerOf(
    podPolicy("validate: {message: '{{ request.object.metadata.\"a.b\" }}', deny: {}}"),
    requestFor(withLists),
    { ...noFacts, given },
  ),
  "fail: x",
);
