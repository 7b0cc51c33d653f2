/** What a rule asks of the world: all at once, nothing that changes it, nothing beyond its namespace. */
import { deepEqual, match } from "node:assert/strict";
import { evaluate, type Fact } from "#engine";
import { noFacts, objectOf, requestFor } from "../../support/policies.ts";
import { podPolicy, programsOf } from "../scenario.ts";

const pod = objectOf("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}");

function ask(text: string, facts: Readonly<Record<string, Fact>> = {}): readonly string[] {
  const lookups = new Map(Object.entries(facts));
  return programsOf(text).flatMap((program) => {
    const verdict = evaluate(program, requestFor(pod), { ...noFacts, lookups });
    return verdict.kind === "needs"
      ? verdict.lookups.map(({ key }) => key)
      : verdict.rules.map(({ status, message }) => `${status}: ${message}`);
  });
}

function rule(entries: readonly string[], key: string): string {
  return podPolicy(
    `context: [${entries.join(", ")}], validate: {message: m, deny: {conditions: {any: [{key: "${key}", operator: Equals, value: x}]}}}`,
  );
}

const inShop = (text: string): string =>
  text.replace("kind: ClusterPolicy", "kind: Policy").replace("{name: p,", "{name: p, namespace: shop,");
const call = (name: string, more: string): string => `{name: ${name}, apiCall: {${more}}}`;
const configMap = (name: string, more = ""): string => `{name: ${name}, configMap: {name: ${name}${more}}}`;
const get = (path: string): string => `apiCall {"method":"GET","urlPath":"${path}"}`;

deepEqual(ask(rule([configMap("one"), call("two", "urlPath: /api/v1/pods")], "{{ one.data.k }}")), [
  'configMap {"name":"one","namespace":"default"}',
  get("/api/v1/pods"),
]);
const post = call("two", "method: POST, urlPath: /apis/a/b, data: [{key: a, value: b}]");
deepEqual(ask(rule([configMap("one"), post], "{{ one.data.k }}")), [
  'configMap {"name":"one","namespace":"default"}',
]);
deepEqual(ask(rule([configMap("one")], "{{ request.object.metadata.one || 'x' }}")), ["fail: m"]);
deepEqual(ask(inShop(rule([configMap("one")], "{{ one.data.k }}"))), [
  'configMap {"name":"one","namespace":"shop"}',
]);

const home = "/api/v1/namespaces/shop/pods";
const foreign = "/api/v1/namespaces/bank/pods";
deepEqual(ask(inShop(rule([call("one", `urlPath: ${home}`)], "{{ one }}"))), [get(home)]);
match(
  ask(inShop(rule([call("one", `urlPath: ${foreign}`)], "{{ one }}")))[0] ?? "",
  /^error: .*path \/api\/v1\/namespaces\/bank\/pods refers to namespace bank/,
);

match(
  ask(inShop(rule([configMap("one", ", namespace: bank")], "{{ one.data.k }}")))[0] ?? "",
  /^error: .*configMap namespace "bank" is different from policy namespace "shop"/,
);
for (const path of ["/api/v1/nodes?x=/namespaces/shop/", "/api/v1/namespaces/shop/%2e%2e/bank/pods"]) {
  match(
    ask(inShop(rule([call("one", `urlPath: "${path}"`)], "{{ one }}")))[0] ?? "",
    /^error: .*does not contain a namespace segment/,
  );
}

const broken: Fact = { kind: "error", reason: "failed", message: "no route" };
deepEqual(ask(rule([call("one", `urlPath: ${home}, default: x`)], "{{ one }}"), { [get(home)]: broken }), [
  "fail: m",
]);
match(
  ask(rule([call("one", `urlPath: ${home}`)], "{{ one }}"), { [get(home)]: broken })[0] ?? "",
  /^error: .*failed to fetch data for APICall: no route$/,
);

const host = rule([], "{{ is_external_url('http://a.example') && 'x' || 'y' }}");
deepEqual(ask(host), ["externalHost a.example"]);
deepEqual(ask(host, { "externalHost a.example": { kind: "unset" } }), ["pass: validation rule 'r' passed."]);
deepEqual(ask(host, { "externalHost a.example": { kind: "value", value: true } }), ["fail: m"]);

const each = podPolicy(
  `validate: {message: m, foreach: [{list: "['a', 'b']", context: [${call("image", 'urlPath: "/images/{{ element }}"')}], deny: {conditions: {any: [{key: "{{ image }}", operator: Equals, value: x}]}}}]}`,
);
deepEqual(ask(each), [get("/images/a"), get("/images/b")]);
