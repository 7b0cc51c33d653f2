import { describe, expect, test } from "vitest";
import type { JsonObject } from "#json";
import type { MatchBlock, ResourceFilter } from "#policy";
import type { EvaluationRequest, Facts } from "../request.ts";
import { compileMatch } from "./match.ts";

const pod = podWith({});

function podWith(metadata: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p1", namespace: "ns1", ...metadata } };
}

function requestFor(object: JsonObject | null, more: Partial<EvaluationRequest> = {}): EvaluationRequest {
  return {
    kind: { group: "", version: "v1", kind: "Pod" },
    subresource: "",
    operation: "CREATE",
    namespace: "ns1",
    name: "p1",
    object,
    oldObject: null,
    dryRun: false,
    ...more,
  };
}

const nobody: Facts = { nowMs: 0, seed: 0, roles: [], clusterRoles: [], lookups: new Map() };

const alice: Partial<EvaluationRequest> = { userInfo: { username: "alice", groups: ["dev"] } };

function expectMatch(
  rule: { match: MatchBlock; exclude?: MatchBlock },
  request: EvaluationRequest,
  facts: Facts = nobody,
  policy: { namespace?: string } = {},
): { toBe: (reason: string | true) => void } {
  const program = compileMatch({ name: "r1", ...rule }, policy);
  return {
    toBe(want) {
      expect(program.explain(request, facts)).toBe(want === true ? undefined : want);
      expect(program.matches(request, facts)).toBe(want === true);
    },
  };
}

function one(filter: ResourceFilter): { match: MatchBlock } {
  return { match: { all: [filter] } };
}

function because(...reasons: readonly string[]): string {
  return `rule r1 not matched:${reasons.map((reason, index) => `\n ${index + 1}. ${reason}`).join("")}`;
}

describe("each condition of a filter", () => {
  const cases: readonly { name: string; filter: ResourceFilter; object?: JsonObject; want: true | string }[] =
    [
      { name: "kind", filter: { resources: { kinds: ["Pod"] } }, want: true },
      {
        name: "other kinds",
        filter: { resources: { kinds: ["Job", "CronJob"] } },
        want: because("kind does not match [Job CronJob]"),
      },
      { name: "name", filter: { resources: { name: "p*" } }, want: true },
      { name: "other name", filter: { resources: { name: "q" } }, want: because("name does not match") },
      { name: "names", filter: { resources: { names: ["q", "p?"] } }, want: true },
      {
        name: "other names",
        filter: { resources: { names: ["q", "r"] } },
        want: because("none of the names match"),
      },
      {
        name: "generated name",
        filter: { resources: { names: ["gen-*"] } },
        object: { kind: "Pod", metadata: { generateName: "gen-" } },
        want: true,
      },
      { name: "namespace", filter: { resources: { namespaces: ["ns*"] } }, want: true },
      {
        name: "other namespace",
        filter: { resources: { namespaces: ["kube-*"] } },
        want: because("namespace does not match"),
      },
      {
        name: "a Namespace is in itself",
        filter: { resources: { namespaces: ["ns9"] } },
        object: { kind: "Namespace", metadata: { name: "ns9" } },
        want: true,
      },
      {
        name: "annotation",
        filter: { resources: { annotations: { "a*": "?" } } },
        object: podWith({ annotations: { ab: "c" } }),
        want: true,
      },
      {
        name: "other annotation",
        filter: { resources: { annotations: { a: "c" } } },
        object: podWith({ annotations: { a: "b" } }),
        want: because("annotations does not match"),
      },
      {
        name: "annotations that are no texts count as none",
        filter: { resources: { annotations: { a: "*" } } },
        object: podWith({ annotations: { a: "b", n: 1 } }),
        want: because("annotations does not match"),
      },
      {
        name: "selector",
        filter: { resources: { selector: { matchLabels: { app: "web*" } } } },
        object: podWith({ labels: { app: "web-1" } }),
        want: true,
      },
      {
        name: "other labels",
        filter: { resources: { selector: { matchLabels: { app: "web" } } } },
        object: podWith({ labels: { app: "db" } }),
        want: because("selector does not match"),
      },
      { name: "nothing", filter: {}, want: because("match cannot be empty") },
      {
        name: "empty lists say nothing",
        filter: { resources: { kinds: [], names: [] } },
        want: because("match cannot be empty"),
      },
    ];
  test.each(cases)("$name", ({ filter, object, want }) => {
    expectMatch(one(filter), requestFor(object ?? pod)).toBe(want);
  });

  test("a selector that is not valid never matches and says why", () => {
    const filter = { resources: { selector: { matchExpressions: [{ key: "a", operator: "Like" }] } } };
    expectMatch(one(filter), requestFor(pod)).toBe(
      because('failed to parse selector: "Like" is not a valid label selector operator'),
    );
  });

  test("all conditions that do not hold are listed, an operation alone", () => {
    const resources = { kinds: ["Job"], names: ["q"], operations: ["CREATE"] };
    expectMatch(one({ resources }), requestFor(pod)).toBe(
      because("kind does not match [Job]", "none of the names match"),
    );
    expectMatch(one({ resources }), requestFor(pod, { operation: "DELETE" })).toBe(
      because("operation does not match"),
    );
  });
});

describe("the namespace's labels", () => {
  const resources = { kinds: ["*"], namespaceSelector: { matchLabels: { env: "prod" } } };
  test.each([
    { name: "that fit", labels: { env: "prod" }, object: pod, want: true as const },
    {
      name: "that do not",
      labels: { env: "dev" },
      object: pod,
      want: because("namespace selector does not match labels"),
    },
    {
      name: "that nobody knows",
      labels: undefined,
      object: pod,
      want: because("namespace selector does not match labels"),
    },
    {
      name: "of a Namespace",
      labels: { env: "prod" },
      object: { kind: "Namespace", metadata: { name: "ns1" } },
      want: because("namespace selector is not applicable for namespace resource"),
    },
  ])("$name", ({ labels, object, want }) => {
    const facts = labels === undefined ? nobody : { ...nobody, namespaceLabels: labels };
    expectMatch(one({ resources }), requestFor(object), facts).toBe(want);
  });
});

describe("who asks", () => {
  const kinds = { resources: { kinds: ["Pod"] } };
  const cases: readonly { name: string; filter: ResourceFilter; want: true | string }[] = [
    { name: "a user", filter: { subjects: [{ kind: "User", name: "al*" }] }, want: true },
    { name: "a group", filter: { subjects: [{ kind: "Group", name: "d?v" }] }, want: true },
    {
      name: "a word that is no kind of subject",
      filter: { subjects: [{ kind: "user", name: "*" }] },
      want: because("user info does not match subject for the given conditionBlock"),
    },
    {
      name: "a service account",
      filter: { subjects: [{ kind: "ServiceAccount", name: "sa", namespace: "ns1" }] },
      want: because("user info does not match subject for the given conditionBlock"),
    },
    {
      name: "a role",
      filter: { roles: ["ns1:edit"] },
      want: because("user info does not match roles for the given conditionBlock"),
    },
    { name: "a cluster role", filter: { clusterRoles: ["view", "admin"] }, want: true },
    {
      name: "no wildcards in roles",
      filter: { clusterRoles: ["vi*"] },
      want: because("user info does not match clustersRoles for the given conditionBlock"),
    },
  ];
  test.each(cases)("$name", ({ filter, want }) => {
    expectMatch(one({ ...kinds, ...filter }), requestFor(pod, alice), {
      ...nobody,
      clusterRoles: ["view"],
    }).toBe(want);
  });

  test("is not asked of match when nobody is known, unless nothing else is left", () => {
    const subjects = [{ kind: "User", name: "bob" }];
    expectMatch(one({ ...kinds, subjects }), requestFor(pod)).toBe(true);
    expectMatch(one({ subjects }), requestFor(pod)).toBe(because("match cannot be empty"));
  });

  test("is asked of exclude even then", () => {
    const excluding = (filter: ResourceFilter): { match: MatchBlock; exclude: MatchBlock } => ({
      ...one(kinds),
      exclude: { any: [filter] },
    });
    expectMatch(excluding({ subjects: [{ kind: "User", name: "bob" }] }), requestFor(pod)).toBe(true);
    expectMatch(excluding({ subjects: [{ kind: "User", name: "*" }] }), requestFor(pod)).toBe(
      because("resource excluded since one of the criteria excluded it"),
    );
    expectMatch(excluding({ subjects: [] }), requestFor(pod)).toBe(
      because("resource excluded since one of the criteria excluded it"),
    );
  });
});

describe("filters together", () => {
  const pods = { resources: { kinds: ["Pod"] } };
  const jobs = { resources: { kinds: ["Job"] } };
  const cases: readonly { name: string; match: MatchBlock; exclude?: MatchBlock; want: true | string }[] = [
    { name: "any: one is enough", match: { any: [jobs, pods] }, want: true },
    { name: "any: none", match: { any: [jobs, {}] }, want: because("no resource matched") },
    { name: "all: every one", match: { all: [pods, jobs] }, want: because("kind does not match [Job]") },
    { name: "direct", match: { direct: pods }, want: true },
    { name: "an empty any is no any", match: { any: [] }, want: because("match cannot be empty") },
    {
      name: "exclude any",
      match: { any: [pods] },
      exclude: { any: [jobs, pods] },
      want: because("resource excluded since one of the criteria excluded it"),
    },
    {
      name: "exclude all: not all of them",
      match: { any: [pods] },
      exclude: { all: [jobs, pods] },
      want: true,
    },
    {
      name: "exclude all",
      match: { any: [pods] },
      exclude: { all: [pods, pods] },
      want: because("resource excluded since the combination of all criteria exclude it"),
    },
    {
      name: "exclude all with an empty one",
      match: { any: [pods] },
      exclude: { all: [pods, {}] },
      want: true,
    },
    {
      name: "exclude direct",
      match: { any: [pods] },
      exclude: { direct: pods },
      want: because("resource excluded since one of the criteria excluded it"),
    },
    {
      name: "an unmatched resource is not asked for exclusion",
      match: { any: [jobs] },
      exclude: { any: [pods] },
      want: because("no resource matched"),
    },
  ];
  test.each(cases)("$name", ({ match, exclude, want }) => {
    expectMatch(exclude === undefined ? { match } : { match, exclude }, requestFor(pod)).toBe(want);
  });
});

describe("which object", () => {
  const rule = one({ resources: { names: ["old"] } });
  const old = podWith({ name: "old" });

  test("on DELETE the old one", () => {
    expectMatch(rule, requestFor(null, { operation: "DELETE", oldObject: old })).toBe(true);
  });
  test("on UPDATE the new one", () => {
    expectMatch(rule, requestFor(pod, { operation: "UPDATE", oldObject: old })).toBe(
      because("none of the names match"),
    );
  });
  test("none matches nothing", () => {
    expectMatch(rule, requestFor(null)).toBe("resource is empty");
  });
  test("a namespaced policy sees its own namespace only", () => {
    const all = one({ resources: { kinds: ["*"] } });
    expectMatch(all, requestFor(pod), nobody, { namespace: "ns1" }).toBe(true);
    expectMatch(all, requestFor(pod), nobody, { namespace: "ns*" }).toBe(
      "policy and resource namespaces mismatch",
    );
    expectMatch(all, requestFor({ kind: "Node", metadata: { name: "n" } }), nobody, {
      namespace: "ns1",
    }).toBe("policy and resource namespaces mismatch");
  });
});
