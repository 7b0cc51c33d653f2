import { describe, expect, test } from "vitest";

import { createCatalog } from "#catalog";
import type { CatalogEntry } from "#catalog";
import type { JsonObject } from "#json";
import { objectOf } from "../../../../test/support/policies.ts";
import { differs, statusOf } from "./status-of.ts";

const NOW = Date.parse("2026-12-01T12:00:00.500Z");

function entryOf(spec: string, more: JsonObject = {}): CatalogEntry {
  const catalog = createCatalog();
  const object = objectOf(`
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: p, generation: 3}
spec:
  rules:
${spec}`);
  catalog.put({ ...object, ...more });
  const [entry] = catalog.snapshot().entries;
  if (entry === undefined) throw new Error("no entry");
  return entry;
}

const pods = `
    - name: r
      match: {any: [{resources: {kinds: [Pod]}}]}
      validate: {message: refused, pattern: {metadata: {labels: {a: "?*"}}}}`;
const unsupported = `
    - name: r
      match: {any: [{resources: {kinds: [Pod]}}]}
      validate: {podSecurity: {level: baseline}}`;

const conditions = (status: JsonObject): readonly JsonObject[] =>
  status["conditions"] as readonly JsonObject[];

describe("a policy's status", () => {
  test("says Ready in upstream's words, counts rules, and lists what autogen made", () => {
    const status = statusOf(entryOf(pods), [], NOW);
    expect(conditions(status)).toEqual([
      {
        type: "Ready",
        status: "True",
        reason: "Succeeded",
        message: "Ready",
        observedGeneration: 3,
        lastTransitionTime: "2026-12-01T12:00:00Z",
      },
      {
        type: "PartiallyEnforced",
        status: "False",
        reason: "Covered",
        message: "",
        observedGeneration: 3,
        lastTransitionTime: "2026-12-01T12:00:00Z",
      },
    ]);
    expect(status["rulecount"]).toEqual({ validate: 3, mutate: 0, generate: 0, verifyimages: 0 });
    const { rules } = status["autogen"] as { rules: readonly JsonObject[] };
    expect(rules.map(({ name }) => name)).toEqual(["autogen-r", "autogen-cronjob-r"]);
  });

  test("says why a policy is not ready, and what no webhook covers", () => {
    const status = statusOf(entryOf(unsupported), [{ what: "leases", why: "never" }], NOW);
    expect(conditions(status)).toMatchObject([
      { status: "False", reason: "Failed", message: "rule r: validate.podSecurity is not supported yet" },
      { status: "True", reason: "NotCovered", message: "leases: never" },
    ]);
  });

  test("keeps the time of a transition while nothing turns, and is not written again then", () => {
    const first = statusOf(entryOf(pods), [], NOW);
    const entry = entryOf(pods, { status: { ...first, validatingadmissionpolicy: { generated: false } } });
    const second = statusOf(entry, [], NOW + 60_000);
    expect(second).toEqual(first);
    expect(differs(entry.object, second)).toBe(false);
    const gap = statusOf(entry, [{ what: "nodes", why: "boot" }], NOW + 60_000);
    expect(differs(entry.object, gap)).toBe(true);
    expect(conditions(gap)[1]?.["lastTransitionTime"]).toBe("2026-12-01T12:01:00Z");
    expect(conditions(gap)[0]?.["lastTransitionTime"]).toBe("2026-12-01T12:00:00Z");
  });
});
