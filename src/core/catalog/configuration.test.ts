import { describe, expect, test } from "vitest";

import type { EvaluationRequest } from "#engine";
import { decodeConfiguration } from "./decode-configuration.ts";
import { compileRequestFilter } from "./request-filter.ts";

const nobody: { roles: string[]; clusterRoles: string[] } = { roles: [], clusterRoles: [] };

function request(
  at: { kind?: string; subresource?: string; namespace?: string; name?: string } = {},
  user: { username?: string; groups?: string[] } = {},
): EvaluationRequest {
  return {
    kind: { group: "", version: "v1", kind: at.kind ?? "Pod" },
    subresource: at.subresource ?? "",
    operation: "CREATE",
    namespace: at.namespace ?? "default",
    name: at.name ?? "x",
    object: {},
    oldObject: null,
    dryRun: false,
    userInfo: { username: user.username ?? "ann", groups: user.groups ?? [] },
  };
}

const filterOf = (data: Record<string, string>) => compileRequestFilter(decodeConfiguration({ data }));
const excludes = (data: Record<string, string>, wanted: EvaluationRequest, held = nobody) =>
  filterOf(data).excludes(wanted, held);

describe("the configuration", () => {
  test("without a ConfigMap sets nothing", () => {
    expect(decodeConfiguration(undefined)).toMatchObject({
      resourceFilters: [],
      excludeGroups: [],
      problems: [],
    });
  });

  test("of a Kyverno installation reads as it is", () => {
    const configuration = decodeConfiguration({
      data: {
        resourceFilters: "[Event,*,*] [*/*,kube-system,*]\n[Node]",
        excludeGroups: "system:nodes, !ops",
        webhooks:
          '{"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]}]}}',
        webhookAnnotations: '{"admissions.enforcer/disabled":"true"}',
        matchConditions: '[{"name":"no-leases","expression":"true"}]',
        updateRequestThreshold: "1000",
      },
    });
    expect(configuration).toMatchObject({
      resourceFilters: [
        { kind: "Event", namespace: "*", name: "*" },
        { kind: "*/*", namespace: "kube-system", name: "*" },
        { kind: "Node", namespace: "*", name: "*" },
      ],
      excludeGroups: ["system:nodes", "!ops"],
      namespaceSelector: {
        matchExpressions: [
          { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system"] },
        ],
      },
      webhookAnnotations: { "admissions.enforcer/disabled": "true" },
      matchConditions: [{ name: "no-leases", expression: "true" }],
      problems: [],
    });
  });

  test("takes selectors in a list, as old installations write them", () => {
    expect(
      decodeConfiguration({ data: { webhooks: '[{"objectSelector":{"matchLabels":{"a":"b"}}}]' } }),
    ).toMatchObject({
      objectSelector: { matchLabels: { a: "b" } },
    });
  });

  test.each([
    ["webhooks", "7", "webhooks: it must be an object with `namespaceSelector` and `objectSelector`"],
    ["webhookAnnotations", '{"a":1}', "webhookAnnotations: `a` must be a text"],
    [
      "matchConditions",
      '{"a":1}',
      "matchConditions: it must be a list of conditions, each with a `name` and an `expression`",
    ],
  ])("names a key %s that cannot be read, and the others hold", (key, text, problem) => {
    const configuration = decodeConfiguration({ data: { [key]: text, excludeGroups: "g" } });
    expect(configuration.problems).toEqual([problem]);
    expect(configuration.excludeGroups).toEqual(["g"]);
  });

  test("says so when a text is neither JSON nor YAML", () => {
    expect(decodeConfiguration({ data: { webhookLabels: "{" } }).problems).toHaveLength(1);
  });
});

describe("the filter", () => {
  test.each([
    ["[Event,*,*]", request({ kind: "Event" }), true],
    ["[Event,*,*]", request({ kind: "Pod" }), false],
    ["[*/*,kube-system,*]", request({ namespace: "kube-system", subresource: "status" }), true],
    ["[*,kube-system,*]", request({ namespace: "kube-system", subresource: "status" }), false],
    ["[Pod/binding,*,*]", request({ subresource: "binding" }), true],
    ["[ConfigMap,*,cm-*]", request({ kind: "ConfigMap", name: "cm-1" }), true],
    ["[Namespace,kube-*,*]", request({ kind: "Namespace", namespace: "", name: "kube-public" }), true],
    ["[Namespace,kube-*,*]", request({ kind: "Namespace", namespace: "", name: "shop" }), false],
  ])("%s", (resourceFilters, wanted, excluded) => {
    expect(excludes({ resourceFilters }, wanted)).toBe(excluded);
  });

  test("excludes by user, group, role and cluster role, with wildcards", () => {
    expect(
      excludes({ excludeUsernames: "system:kube-*" }, request({}, { username: "system:kube-scheduler" })),
    ).toBe(true);
    expect(excludes({ excludeGroups: "system:nodes" }, request({}, { groups: ["system:nodes"] }))).toBe(true);
    expect(excludes({ excludeRoles: "ns:admin" }, request(), { roles: ["ns:admin"], clusterRoles: [] })).toBe(
      true,
    );
    expect(
      excludes({ excludeClusterRoles: "cluster-*" }, request(), {
        roles: [],
        clusterRoles: ["cluster-admin"],
      }),
    ).toBe(true);
    expect(excludes({ excludeGroups: "system:nodes" }, request())).toBe(false);
  });

  test("takes somebody back who is named with an exclamation mark", () => {
    const data = { excludeGroups: "devs", excludeUsernames: "!bob" };
    expect(excludes(data, request({}, { username: "ann", groups: ["devs"] }))).toBe(true);
    expect(excludes(data, request({}, { username: "bob", groups: ["devs"] }))).toBe(false);
  });

  test("asks for roles only where some are named", () => {
    expect(filterOf({ excludeGroups: "a" }).needsRoles).toBe(false);
    expect(filterOf({ excludeClusterRoles: "a" }).needsRoles).toBe(true);
  });
});
