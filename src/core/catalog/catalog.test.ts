import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { objectOf } from "../../../test/support/policies.ts";
import { createCatalog } from "./create-catalog.ts";

const policy = (name: string, spec: string, generation = 1): JsonObject =>
  objectOf(`
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: ${name}, uid: u-${name}, generation: ${generation}}
spec:
${spec}`);

const deny = (more = ""): string => `
  ${more}
  rules:
    - name: r
      match: {any: [{resources: {kinds: [ConfigMap]}}]}
      validate: {message: refused, deny: {}}`;

const broken = "  rules: 7";
const podSecurity = `
  rules:
    - name: r
      match: {any: [{resources: {kinds: [Pod]}}]}
      validate: {podSecurity: {level: baseline, version: latest}}`;

const exception = (policyName: string): JsonObject =>
  objectOf(`
apiVersion: kyverno.io/v2
kind: PolicyException
metadata: {name: e, namespace: ns}
spec:
  match: {any: [{resources: {kinds: [ConfigMap]}}]}
  exceptions: [{policyName: ${policyName}, ruleNames: [r]}]`);

describe("a catalog", () => {
  test("has its policies in name order, compiled, whatever the order in which they came", () => {
    const catalog = createCatalog();
    for (const name of ["b", "c", "a"]) catalog.put(policy(name, deny()));
    const { entries, revision } = catalog.snapshot();
    expect(entries.map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(entries.every(({ program, readiness }) => program !== undefined && readiness.ready)).toBe(true);
    expect(revision).toBe(1);
    expect(catalog.snapshot().programOf("b")?.key).toBe("b");
  });

  test("gives the same snapshot until something changes, and compiles nothing else again", () => {
    const catalog = createCatalog();
    catalog.put(policy("a", deny()));
    catalog.put(policy("b", deny()));
    const first = catalog.snapshot();
    expect(catalog.snapshot()).toBe(first);
    catalog.put(policy("b", deny("background: false")));
    const second = catalog.snapshot();
    expect(second.revision).toBe(2);
    expect(second.programOf("a")).toBe(first.programOf("a"));
    expect(second.programOf("b")).not.toBe(first.programOf("b"));
  });

  test("keeps a bad policy's trouble to that policy", () => {
    const catalog = createCatalog();
    catalog.put(policy("bad", broken));
    catalog.put(policy("good", deny()));
    const [bad, good] = catalog.snapshot().entries;
    expect(bad?.readiness).toMatchObject({ ready: false, reason: "Invalid", keepsOldProgram: false });
    expect(bad?.program).toBeUndefined();
    expect(good?.readiness).toEqual({ ready: true });
  });

  test("lets the old program go on where a change makes a policy unusable", () => {
    const catalog = createCatalog();
    catalog.put(policy("p", deny(), 1));
    const before = catalog.snapshot().programOf("p");
    catalog.put(policy("p", broken, 2));
    const [entry] = catalog.snapshot().entries;
    expect(entry?.readiness).toMatchObject({ ready: false, reason: "Invalid", keepsOldProgram: true });
    expect(entry?.program).toBe(before);
    expect([entry?.generation, entry?.inForce?.generation]).toEqual([2, 1]);
    catalog.put(policy("p", deny(), 3));
    expect(catalog.snapshot().entries[0]?.inForce?.generation).toBe(3);
  });

  test("says what cannot be evaluated yet, and in which rule", () => {
    const catalog = createCatalog();
    catalog.put(policy("p", podSecurity));
    expect(catalog.snapshot().entries[0]?.readiness).toEqual({
      ready: false,
      reason: "NotSupportedYet",
      message: "rule r: validate.podSecurity is not supported yet",
      keepsOldProgram: false,
    });
  });

  test("takes a policy out of force when admission is switched off: that is what somebody wants", () => {
    const catalog = createCatalog();
    catalog.put(policy("p", deny()));
    catalog.put(policy("p", deny("admission: false")));
    const snapshot = catalog.snapshot();
    expect(snapshot.entries[0]?.readiness).toMatchObject({ reason: "AdmissionDisabled" });
    expect(snapshot.programOf("p")).toBeUndefined();
  });

  test("compiles again the policies that an exception names, and only those", () => {
    const catalog = createCatalog();
    catalog.put(policy("a", deny()));
    catalog.put(policy("b", deny()));
    const first = catalog.snapshot();
    catalog.put(exception("a"));
    const second = catalog.snapshot();
    expect(second.programOf("a")).not.toBe(first.programOf("a"));
    expect(second.programOf("b")).toBe(first.programOf("b"));
    catalog.remove(exception("a"));
    expect(catalog.snapshot().programOf("a")).not.toBe(second.programOf("a"));
  });

  test("knows which policies may ask for roles", () => {
    const catalog = createCatalog();
    catalog.put(policy("plain", deny()));
    catalog.put(
      policy(
        "roles",
        `
  background: false
  rules:
    - name: r
      match: {any: [{resources: {kinds: [ConfigMap]}, clusterRoles: [cluster-admin]}]}
      validate: {message: refused, deny: {}}`,
      ),
    );
    expect(catalog.snapshot().entries.map(({ needsRoles }) => needsRoles)).toEqual([false, true]);
  });

  test("does not care for objects of other kinds", () => {
    const catalog = createCatalog();
    catalog.put(objectOf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}"));
    catalog.remove(objectOf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}"));
    expect(catalog.snapshot()).toMatchObject({ revision: 0, entries: [] });
  });
});

test("any order of puts and removals ends where a fresh catalog begins", () => {
  const step = fc.record({
    remove: fc.boolean(),
    name: fc.constantFrom("a", "b", "c"),
    spec: fc.constantFrom(deny(), deny("background: false"), deny("admission: false")),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const catalog = createCatalog();
      const last = new Map<string, JsonObject>();
      for (const { remove, name, spec } of steps) {
        const object = policy(name, spec);
        if (remove) catalog.remove(object);
        else catalog.put(object);
        if (remove) last.delete(name);
        else last.set(name, object);
        if (steps.length % 3 === 0) catalog.snapshot();
      }
      const fresh = createCatalog();
      for (const object of last.values()) fresh.put(object);
      const outline = (made: typeof catalog) =>
        made.snapshot().entries.map(({ key, readiness, program }) => [key, readiness, program === undefined]);
      expect(outline(catalog)).toEqual(outline(fresh));
    }),
    { numRuns: 50 },
  );
});
