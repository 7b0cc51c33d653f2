/** What a rule sees: entries when they are named, elements, and what is left of them. */
import { describe, expect, test } from "vitest";

import { Budget, Interruption } from "#diag";
import type { Json, JsonObject } from "#json";
import type { ContextEntry } from "#policy";
import { noFacts, requestFor } from "../../../../test/support/policies.ts";
import { isEvaluationError } from "../evaluation-error.ts";
import type { Facts, GivenValues } from "../request.ts";
import { compileScopedQuery } from "../variables/scoped-query.ts";
import { declareEntries, foreachScope, ruleScope } from "./compile-entries.ts";
import { EvaluationContext } from "./evaluation-context.ts";
import { EvaluationRun } from "./evaluation-run.ts";
import type { Scope } from "./scope.ts";

const pod: JsonObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop" },
  spec: { containers: [{ name: "c1", image: "nginx" }] },
};

function variable(name: string, value: Json, more: { jmesPath?: string; default?: Json } = {}): ContextEntry {
  return { name, source: { kind: "variable", value, ...more } };
}

function query(name: string, jmesPath: string, more: { default?: Json } = {}): ContextEntry {
  return { name, source: { kind: "variable", jmesPath, ...more } };
}

type Steps = {
  readonly context: EvaluationContext;
  readonly scope: Scope;
  readonly ask: (text: string, scope?: Scope) => unknown;
};

function steps(
  entries: readonly ContextEntry[],
  options: { facts?: Facts; maxBytes?: number; namespace?: string; request?: object } = {},
): Steps {
  const scope = ruleScope(entries, options.namespace);
  const request = requestFor(pod, options.request ?? {});
  const run = new EvaluationRun(request, options.facts ?? noFacts, new Budget(100_000));
  const context = new EvaluationContext(run, "r", { scope, maxBytes: options.maxBytes });
  return {
    context,
    scope,
    ask(text, inner = scope) {
      try {
        const value = context.query(compileScopedQuery(text, inner));
        return isEvaluationError(value) ? `error: ${value.message}` : value;
      } catch (thrown) {
        if (!(thrown instanceof Interruption)) throw thrown;
        return `${thrown.reason}: ${[...(run.lookups?.keys() ?? [])].join(", ")}`;
      }
    },
  };
}

function given(values: Partial<GivenValues>): Facts {
  return { ...noFacts, given: { variables: {}, rules: {}, foreach: {}, ...values } };
}

describe("the request", () => {
  test("holds the object itself", () => {
    const { context, ask } = steps([]);
    expect(ask("request.object")).toBe(pod);
    expect(ask("request.operation")).toBe("CREATE");
    expect(context.patternSubject()).toBe(pod);
  });

  test("says nothing of users where none are known", () => {
    expect(steps([]).ask("serviceAccountName")).toContain("Unknown key");
  });

  test("knows the service account that asks", () => {
    const userInfo = { username: "system:serviceaccount:shop:robot", groups: ["g"] };
    const facts = { ...noFacts, roles: ["shop:edit"], clusterRoles: ["view"] };
    const { ask } = steps([], { facts, request: { userInfo } });
    expect(ask("[serviceAccountName, serviceAccountNamespace]")).toEqual(["robot", "shop"]);
    expect(ask("request.[userInfo.username, roles[0], clusterRoles[0]]")).toEqual([
      "system:serviceaccount:shop:robot",
      "shop:edit",
      "view",
    ]);
  });

  test("its images are there when they are named", () => {
    expect(steps([]).ask("images.containers.c1.registry")).toBe("docker.io");
  });
});

describe("variables", () => {
  test.each<[name: string, entries: readonly ContextEntry[], text: string, said: unknown]>([
    ["a value", [variable("v", "x")], "v", "x"],
    ["a query on a value", [variable("v", { a: [1] }, { jmesPath: "a[0]" })], "v", 1],
    ["a query on the context", [query("v", "request.object.metadata.name")], "v", "web"],
    ["a default for what is not there", [query("v", "request.object.x", { default: "d" })], "v", "d"],
    ["a default for null", [query("v", "request.object.spec.x[9]", { default: "d" })], "v", "d"],
    ["an earlier one is seen", [variable("a", "x"), variable("b", "{{ a }}y")], "b", "xy"],
    [
      "a later one is not",
      [variable("b", "{{ a }}"), variable("a", "x")],
      "b",
      expect.stringContaining("error"),
    ],
    ["the last of a name", [variable("v", "x"), variable("v", "{{ v }}y")], "v", "xy"],
    [
      "nothing at all",
      [query("v", "`null`")],
      "v",
      "error: failed to add context entry for variable v since it evaluated to nil",
    ],
    [
      "an unknown name in it",
      [variable("v", "{{ x }}")],
      "v",
      'error: failed to substitute variables in context entry v {{ x }}: failed to resolve x at path : JMESPath query failed: Unknown key "x" in path',
    ],
  ])("%s", (_, entries, text, said) => {
    expect(steps(entries).ask(text)).toEqual(said);
  });

  test("an entry that nothing names does no harm", () => {
    expect(steps([variable("bad", "{{ x }}")]).ask("request.operation")).toBe("CREATE");
  });

  test("an entry that failed is tried once", () => {
    const { ask } = steps([variable("bad", "{{ x }}")]);
    expect(ask("bad")).toContain("failed to substitute");
    expect(ask("bad")).toBe('error: JMESPath query failed: Unknown key "bad" in path');
  });

  test("a chain of a thousand entries is an error, not the end of the stack", () => {
    const chain = Array.from({ length: 1000 }, (_, index) =>
      variable(`v${index}`, index === 0 ? 1 : `{{ v${index - 1} }}`),
    );
    expect(steps(chain).ask("v50")).toBe(1);
    expect(steps(chain).ask("v999")).toContain("context entries depend on each other");
  });

  test("entries together have a limit", () => {
    const { ask } = steps([variable("a", "1234"), variable("b", "123")], { maxBytes: 10 });
    expect(ask("a")).toBe("1234");
    expect(ask("b")).toBe("error: context size limit exceeded: 11 bytes exceeds limit of 10 bytes");
  });
});

describe("elements", () => {
  test("entries of a foreach are loaded for each element", () => {
    const { context, scope, ask } = steps([]);
    const inner = foreachScope(scope, [variable("v", "{{ element }}-{{ elementIndex }}")]);
    const said = ["a", "b"].map((element, index) => {
      const mark = context.enterElement(element, index, 0, false);
      const answer = ask("v", inner);
      context.leave(mark);
      return answer;
    });
    expect(said).toEqual(["a-0", "b-1"]);
    expect(ask("v")).toContain("Unknown key");
  });

  test("an entry of the rule is loaded once for all elements", () => {
    const { context, ask } = steps([query("v", "random('[a-z]{8}')")]);
    const said = new Set(
      ["a", "b", "c"].map((element, index) => {
        const mark = context.enterElement(element, index, 0, false);
        if (index > 0) ask("v");
        const answer = index === 0 ? ask("element") : ask("v");
        context.leave(mark);
        return answer;
      }),
    );
    expect(said.size).toBe(3);
    const mark = context.enterElement("d", 3, 0, false);
    expect(said.has(ask("v"))).toBe(true);
    context.leave(mark);
  });

  test("an entry of the rule that needs the element is unknown after the first", () => {
    const { context, ask } = steps([variable("v", "{{ element }}")]);
    const said = ["a", "b"].map((element, index) => {
      const mark = context.enterElement(element, index, 0, false);
      const answer = ask("v");
      context.leave(mark);
      return answer;
    });
    expect(said).toEqual(["a", 'error: JMESPath query failed: Unknown key "v" in path']);
  });

  test("an entry between two foreach lives as long as the outer element", () => {
    const { context, scope, ask } = steps([]);
    const outer = foreachScope(scope, [variable("v", "{{ element0 }}")]);
    const said: unknown[] = [];
    for (const [index, element] of ["a", "b"].entries()) {
      const mark = context.enterElement(element, index, 0, false);
      for (const [at, part] of ["x", "y"].entries()) {
        const inside = context.enterElement(part, at, 1, false);
        said.push(ask("join('', [v, element])", outer));
        context.leave(inside);
      }
      context.leave(mark);
    }
    expect(said).toEqual(["ax", "ay", "bx", "by"]);
  });

  test("patterns are held against a scoped element, and the object again behind it", () => {
    const { context } = steps([]);
    const mark = context.enterElement({ n: 1 }, 0, 0, true);
    expect(context.patternSubject()).toEqual({ n: 1 });
    context.leave(mark);
    expect(context.patternSubject()).toBe(pod);
  });

  test("a test gives values for each element", () => {
    const { context, ask } = steps([], { facts: given({ foreach: { r: { v: ["x", "y"] } } }) });
    const said = [0, 1, 2].map((index) => {
      const mark = context.enterElement("e", index, 0, false);
      const answer = ask("v || 'none'");
      context.leave(mark);
      return answer;
    });
    expect(said).toEqual(["x", "y", "none"]);
  });
});

describe("given values", () => {
  const lookup: ContextEntry = { name: "m", source: { kind: "configMap", name: "c" } };
  const unset: Facts["lookups"] = new Map([
    ['configMap {"name":"c","namespace":"default"}', { kind: "unset" }],
  ]);

  test("stand where the driver leaves a lookup unset; those of the rule win", () => {
    const variables = { "m.data.k": "all", "request.operation": "UPDATE" };
    const facts = { ...given({ variables, rules: { r: { "m.data.k": "one" } } }), lookups: unset };
    const { ask } = steps([lookup], { facts });
    expect(ask("m.data.k")).toBe("one");
    expect(ask("request.operation")).toBe("UPDATE");
    expect(ask("request.object.metadata.name")).toBe("web");
  });

  test("stand for a lookup whose variables fail, not for one that fails", () => {
    const values = given({ variables: { m: "x" } });
    const failing: ContextEntry = { name: "m", source: { kind: "configMap", name: "{{ none }}" } };
    expect(steps([failing], { facts: values }).ask("m")).toBe("x");
    const lookups: Facts["lookups"] = new Map([
      ['configMap {"name":"c","namespace":"default"}', { kind: "error", reason: "not-found", message: "no" }],
    ]);
    expect(steps([lookup], { facts: { ...values, lookups } }).ask("m")).toContain(
      "error: failed to retrieve",
    );
  });

  test("of another rule are not seen", () => {
    const facts = { ...given({ rules: { other: { "m.data.k": "x" } } }), lookups: unset };
    expect(steps([lookup], { facts }).ask("m.data.k")).toContain("Unknown key");
  });
});

describe("lookups", () => {
  const call = (urlPath: string): ContextEntry => ({
    name: "c",
    source: { kind: "apiCall", method: "GET", urlPath },
  });
  const key = (urlPath: string): string => `apiCall {"method":"GET","urlPath":"${urlPath}"}`;

  test("a missing one is named with what its variables say", () => {
    const path = "/api/v1/namespaces/{{ request.object.metadata.namespace }}";
    expect(steps([call(path)]).ask("c")).toBe(`pending: ${key("/api/v1/namespaces/shop")}`);
  });

  test("a policy of a namespace stays in it", () => {
    const said = (urlPath: string): unknown => steps([call(urlPath)], { namespace: "shop" }).ask("c");
    expect(said("/api/v1/namespaces/shop/pods")).toBe(`pending: ${key("/api/v1/namespaces/shop/pods")}`);
    expect(said("/api/v1/namespaces/other/pods")).toBe(
      "error: failed to fetch data for APICall: path /api/v1/namespaces/other/pods refers to namespace other, which is different from the policy namespace shop",
    );
    expect(said("/api/v1/nodes")).toBe(
      "error: failed to fetch data for APICall: path /api/v1/nodes does not contain a namespace segment",
    );
  });

  test.each<[source: ContextEntry["source"], key: string]>([
    [{ kind: "configMap", name: "n", namespace: "ns" }, 'configMap {"name":"n","namespace":"ns"}'],
    [{ kind: "globalReference", name: "g" }, 'globalReference {"name":"g"}'],
    [{ kind: "imageRegistry", reference: "{{ request.operation }}:1" }, 'imageData {"reference":"CREATE:1"}'],
    [
      {
        kind: "apiCall",
        method: "POST",
        service: { url: "https://s" },
        data: [{ key: "a", value: "{{ request.operation }}" }],
      },
      'apiCall {"data":[{"key":"a","value":"CREATE"}],"method":"POST","service":{"url":"https://s"}}',
    ],
  ])("%j is %s", (source, named) => {
    expect(steps([{ name: "x", source }]).ask("x")).toBe(`pending: ${named}`);
  });
});

test("a scope that is made later sees more and changes nothing", () => {
  const { scope } = steps([variable("a", 1)]);
  const wider = declareEntries(scope, [variable("b", 2)]);
  expect(wider.triggeredBy("a + b").map(({ name }) => name)).toEqual(["a", "b"]);
  expect(scope.triggeredBy("a + b").map(({ name }) => name)).toEqual(["a"]);
});
