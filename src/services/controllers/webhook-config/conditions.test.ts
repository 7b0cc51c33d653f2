/**
 * Match conditions are total: whatever a review is like, each is true or false and never an error. Evaluated with an
 * independent implementation of CEL; test/e2e/night-a does it on a real API server.
 */
import { celEnv, parse, plan } from "@bufbuild/cel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { conditionOf } from "./conditions.ts";
import type { IdentityExclusion } from "./exclusions.ts";
import { exclusions } from "./exclusions.ts";

const identities = exclusions.filter((row): row is IdentityExclusion => row.by === "identity");
const env = celEnv();
const programs = new Map(
  identities.map((row) => [row.id, plan(env, parse(conditionOf(row).expression))] as const),
);

function passes(id: string, request: unknown): unknown {
  const program = programs.get(id);
  if (program === undefined) throw new Error(`no ${id}`);
  return program({ request } as never);
}

type Person = { readonly username?: string; readonly groups?: readonly string[]; readonly uid?: string };

const review = (userInfo: Person, resource = "pods"): Record<string, unknown> => ({
  uid: "u",
  kind: { group: "", version: "v1", kind: "Pod" },
  resource: { group: "", version: "v1", resource },
  name: "x",
  namespace: "default",
  operation: "CREATE",
  userInfo,
  object: { metadata: { name: "x" } },
  oldObject: null,
  dryRun: false,
  options: null,
});

const apiServer = { username: "system:apiserver", groups: ["system:masters", "system:authenticated"] };
const kubelet = { username: "system:node:n1", groups: ["system:nodes", "system:authenticated"] };
const joining = {
  username: "system:bootstrap:abc",
  groups: ["system:bootstrappers", "system:authenticated"],
};
const person = { username: "ann", groups: ["system:authenticated"] };
const administrator = { username: "root", groups: ["system:masters"] };

describe("who gets past", () => {
  test.each([
    ["identity-api-server", review(apiServer), false],
    ["identity-api-server", review({ username: "system:apiserver", groups: ["system:authenticated"] }), true],
    ["identity-api-server", review({ username: "system:apiserver" }), true],
    ["identity-api-server", review(administrator), true],
    ["identity-kubelets", review(kubelet), false],
    ["identity-kubelets", review({ username: "system:node:n1", groups: ["devs"] }), true],
    ["identity-kubelets", review({ username: "ann", groups: ["system:nodes"] }), true],
    ["identity-bootstrappers", review(joining, "certificatesigningrequests"), false],
    ["identity-bootstrappers", review(joining, "nodes"), false],
    ["identity-bootstrappers", review(joining, "pods"), true],
    ["identity-bootstrappers", review(person, "nodes"), true],
    ...identities.map(({ id }) => [id, review(person), true] as const),
  ] as const)("%s", (id, request, called) => {
    expect(passes(id, request)).toBe(called);
  });

  test("nobody by a controller's account: the pods of every Deployment are made by one", () => {
    const controller = {
      username: "system:serviceaccount:kube-system:replicaset-controller",
      groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
    };
    const manager = { username: "system:kube-controller-manager", groups: ["system:authenticated"] };
    for (const { id } of identities)
      for (const who of [controller, manager]) expect(passes(id, review(who))).toBe(true);
  });
});

/** Every review with any part of it left out, one at a time and many at once. */
function withoutSome(value: unknown, keep: () => boolean): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (keep() ? [[key, withoutSome(inner, keep)]] : [])),
  );
}

test("a condition never fails, whatever is left out of a review", () => {
  const who = fc.constantFrom<Person>(apiServer, kubelet, joining, person, administrator, {}, { groups: [] });
  const resource = fc.constantFrom("pods", "nodes", "certificatesigningrequests", "servicecidrs");
  fc.assert(
    fc.property(who, resource, fc.infiniteStream(fc.integer({ min: 0, max: 4 })), (user, name, stream) => {
      // What the API server always sends is the request with its userInfo and resource; all else may be missing.
      const whole = review(user, name);
      const userInfo = withoutSome(whole["userInfo"], () => stream.next().value !== 0);
      const kind = withoutSome(whole["resource"], () => stream.next().value !== 0);
      const rest = withoutSome(whole, () => stream.next().value !== 0) as Record<string, unknown>;
      const request = { ...rest, userInfo, resource: kind };
      for (const { id } of identities)
        expect(passes(id, request), `${id} ${JSON.stringify(request)}`).toBeTypeOf("boolean");
    }),
    { numRuns: 2000 },
  );
});

test("a condition that is not total is caught", () => {
  const partial = plan(env, parse('!("system:masters" in request.userInfo.groups)'));
  expect(partial({ request: review({ username: "ann" }) } as never)).not.toBeTypeOf("boolean");
});
