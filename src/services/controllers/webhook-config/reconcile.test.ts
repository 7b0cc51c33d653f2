import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import {
  APPLIED,
  HAND_PATCHES,
  droppedConditions,
  handPatchesIn,
  reconcile,
  type ReconcileRules,
} from "./reconcile.ts";

const rules: ReconcileRules = { mayFail: true, conditionsDropped: false, keepHandPatches: true };

const wanted: JsonObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "cfg", labels: { mine: "yes" }, annotations: {} },
  webhooks: [
    {
      name: "w-fail",
      failurePolicy: "Fail",
      timeoutSeconds: 5,
      matchConditions: [{ name: "postern-a", expression: "true" }],
      rules: [],
    },
    { name: "w-ignore", failurePolicy: "Ignore", timeoutSeconds: 5, matchConditions: [], rules: [] },
  ],
};

/** What a server makes of it: defaults, a version, fields that nobody asked for. */
function stored(object: JsonObject | undefined): JsonObject {
  if (object === undefined) throw new Error("nothing was written");
  return {
    ...object,
    metadata: {
      ...(object["metadata"] as JsonObject),
      resourceVersion: "7",
      uid: "u",
      generation: 2,
      managedFields: [],
    },
    webhooks: (object["webhooks"] as readonly JsonObject[]).map((webhook) => ({
      matchPolicy: "Equivalent",
      objectSelector: {},
      ...webhook,
    })),
  };
}

const first = (given: Partial<ReconcileRules> = {}): JsonObject =>
  stored(reconcile(wanted, undefined, { ...rules, ...given }).write);

function changed(
  object: JsonObject,
  at: number,
  change: JsonObject,
  annotations: JsonObject = {},
): JsonObject {
  const metadata = object["metadata"] as JsonObject;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...(metadata["annotations"] as JsonObject), ...annotations } },
    webhooks: (object["webhooks"] as readonly JsonObject[]).map((webhook, index) =>
      index === at ? { ...webhook, ...change } : webhook,
    ),
  };
}

const policies = (object: JsonObject | undefined): unknown =>
  (object?.["webhooks"] as readonly JsonObject[] | undefined)?.map((webhook) => webhook["failurePolicy"]);

describe("a registration", () => {
  test("is written where there is none, and not again while nothing changed", () => {
    expect(policies(first())).toEqual(["Fail", "Ignore"]);
    expect(reconcile(wanted, first(), rules)).toEqual({ handPatches: [] });
  });

  test("is Ignore until a call has come through, and Fail then", () => {
    const unproven = first({ mayFail: false });
    expect(policies(unproven)).toEqual(["Ignore", "Ignore"]);
    const { write, handPatches } = reconcile(wanted, unproven, rules);
    expect([policies(write), handPatches]).toEqual([["Fail", "Ignore"], []]);
  });

  test("stays Fail under a new leader that has proven nothing yet", () => {
    expect(reconcile(wanted, first(), { ...rules, mayFail: false })).toEqual({ handPatches: [] });
  });

  test("is never Fail on a server that drops conditions, standing or not", () => {
    expect(policies(reconcile(wanted, first(), { ...rules, conditionsDropped: true }).write)).toEqual([
      "Ignore",
      "Ignore",
    ]);
  });

  test("keeps a failurePolicy that somebody set to Ignore, shows it, and lets it go when told to", () => {
    const patched = changed(first(), 0, { failurePolicy: "Ignore" });
    const kept = reconcile(wanted, patched, rules);
    expect(kept.write).toBeUndefined();
    expect(kept.handPatches).toEqual([
      { configuration: "cfg", webhook: "w-fail", field: "failurePolicy", found: "Ignore", wanted: "Fail" },
    ]);
    expect(handPatchesIn(patched)).toEqual(kept.handPatches);
    const told = changed(patched, 0, {}, { [HAND_PATCHES]: "revert" });
    expect(policies(reconcile(wanted, told, rules).write)).toEqual(["Fail", "Ignore"]);
    expect(policies(reconcile(wanted, patched, { ...rules, keepHandPatches: false }).write)).toEqual([
      "Fail",
      "Ignore",
    ]);
  });

  test("keeps a hand's Ignore across a new leader, before and after its canary", () => {
    const patched = changed(first(), 0, { failurePolicy: "Ignore" });
    const unproven = reconcile(wanted, patched, { ...rules, mayFail: false });
    const next = unproven.write === undefined ? patched : stored(unproven.write);
    expect(reconcile(wanted, next, rules).handPatches).toHaveLength(1);
    expect(reconcile(wanted, next, rules).write).toBeUndefined();
  });

  test("takes back a Fail that nobody proved", () => {
    const patched = changed(first(), 1, { failurePolicy: "Fail" });
    expect(policies(reconcile(wanted, patched, rules).write)).toEqual(["Fail", "Ignore"]);
  });

  test("keeps a timeout, and a condition that somebody added", () => {
    const patched = changed(first(), 0, {
      timeoutSeconds: 2,
      matchConditions: [
        { name: "postern-a", expression: "true" },
        { name: "not-ann", expression: "false" },
      ],
    });
    const { write, handPatches } = reconcile(wanted, patched, rules);
    expect(write).toBeUndefined();
    expect(handPatches.map(({ field, found }) => `${field} ${found}`)).toEqual([
      "timeoutSeconds 2s",
      "matchConditions not-ann",
    ]);
  });

  test("goes on changing what is Postern's beside what is kept", () => {
    const patched = changed(first(), 0, { failurePolicy: "Ignore" });
    const next = changed(wanted, 0, { rules: [{ resources: ["pods"] }] });
    const { write } = reconcile(next, patched, rules);
    expect(write).toMatchObject({
      webhooks: [{ failurePolicy: "Ignore", rules: [{ resources: ["pods"] }] }, {}],
    });
    expect(reconcile(next, stored(write), rules)).toMatchObject({
      handPatches: [{ field: "failurePolicy" }],
    });
  });

  test("puts back what is Postern's: rules, conditions, webhooks that are gone", () => {
    const without = { ...first(), webhooks: (first()["webhooks"] as readonly JsonObject[]).slice(1) };
    expect(policies(reconcile(wanted, without, rules).write)).toEqual(["Fail", "Ignore"]);
    const bare = changed(first(), 0, { matchConditions: [] });
    expect(reconcile(wanted, bare, rules).write).toMatchObject({
      webhooks: [{ matchConditions: [{ name: "postern-a" }] }, {}],
    });
  });

  test("leaves others' labels and annotations alone", () => {
    const found = first();
    const theirs = {
      ...found,
      metadata: { ...(found["metadata"] as JsonObject), labels: { mine: "no", theirs: "1" } },
    };
    expect(reconcile(wanted, theirs, rules).write).toMatchObject({
      metadata: { labels: { mine: "yes", theirs: "1" } },
    });
  });

  test("takes an annotation that is not its own for nothing applied", () => {
    const found = changed(first(), 0, { failurePolicy: "Ignore" }, { [APPLIED]: "[1,{}]" });
    expect(policies(reconcile(wanted, found, rules).write)).toEqual(["Fail", "Ignore"]);
  });
});

test("conditions that a server dropped are noticed by webhook", () => {
  const sent = reconcile(wanted, undefined, rules).write ?? {};
  expect(droppedConditions(sent, stored(sent))).toEqual([]);
  expect(droppedConditions(sent, changed(stored(sent), 0, { matchConditions: [] }))).toEqual(["w-fail"]);
  expect(droppedConditions(sent, { metadata: {} })).toEqual(["w-fail"]);
});
