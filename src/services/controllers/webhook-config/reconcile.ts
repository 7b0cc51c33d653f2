/**
 * From the registrations that are wanted and those that are there to what is written. Only what Postern owns is put back:
 * a failurePolicy that somebody set to Ignore, a timeout that somebody changed, and conditions that somebody added stay,
 * until that person says `postern.dev/hand-patches: revert`. At 01:32 a hand is worth more than a controller.
 * INVARIANT: `Fail` is written only where it is proven that a call comes through (or where it already stands), and never
 * on a server that does not keep the conditions that let the control plane past.
 */
import type { Json, JsonObject } from "#json";
import { decodeJson, equalJson, isArray, isObject } from "#json";
import { byName, conditionsIn, objectIn, textIn, timeoutIn, webhooksIn } from "./fields.ts";

export const APPLIED = "postern.dev/applied";
export const HAND_PATCHES = "postern.dev/hand-patches";

export type HandPatch = {
  readonly configuration: string;
  readonly webhook: string;
  /** `failurePolicy`, `timeoutSeconds`, or `matchConditions`. */
  readonly field: string;
  readonly found: string;
  readonly wanted: string;
};

export type ReconcileRules = {
  /** A canary has come through, or nobody asks for one. */
  readonly mayFail: boolean;
  /** The server drops match conditions: nothing may be `Fail`, standing or not. */
  readonly conditionsDropped: boolean;
  readonly keepHandPatches: boolean;
};

export type Reconciled = {
  /** What to write; absent where everything is as it should be. */
  readonly write?: JsonObject;
  readonly handPatches: readonly HandPatch[];
};

/** Compares one configuration. `found` is `undefined` where there is none. */
export function reconcile(
  wanted: JsonObject,
  found: JsonObject | undefined,
  rules: ReconcileRules,
): Reconciled {
  const old = found === undefined ? {} : objectIn(found, "metadata");
  const keeps = rules.keepHandPatches && objectIn(old, "annotations")[HAND_PATCHES] !== "revert";
  const applied = appliedIn(old);
  const standing = byName(found);
  const handPatches: HandPatch[] = [];
  const configuration = textIn(objectIn(wanted, "metadata"), "name");
  const webhooks = webhooksIn(wanted).map((webhook) => {
    const there = standing.get(textIn(webhook, "name"));
    const allowed = withAllowedPolicy(webhook, there, rules);
    if (there === undefined || !keeps) return allowed;
    return keepByHand(allowed, there, {
      configuration,
      last: applied.get(textIn(webhook, "name")),
      note: (patch) => handPatches.push(patch),
    });
  });
  const next = { ...wanted, metadata: metadataOf(wanted, old, webhooksIn(wanted), rules), webhooks };
  if (found !== undefined && isSame(next, found)) return { handPatches };
  return { write: next, handPatches };
}

function withAllowedPolicy(
  webhook: JsonObject,
  there: JsonObject | undefined,
  rules: ReconcileRules,
): JsonObject {
  if (webhook["failurePolicy"] !== "Fail") return webhook;
  const stands = there?.["failurePolicy"] === "Fail";
  const may = !rules.conditionsDropped && (rules.mayFail || stands);
  return may ? webhook : { ...webhook, failurePolicy: "Ignore" };
}

/** What Postern wrote last time into the fields that people change. */
type Applied = { readonly failurePolicy: string; readonly timeoutSeconds: number };

type Desk = {
  readonly configuration: string;
  readonly last: Applied | undefined;
  readonly note: (patch: HandPatch) => void;
};

function keepByHand(webhook: JsonObject, there: JsonObject, desk: Desk): JsonObject {
  return keepConditions(keepTimeout(keepIgnore(webhook, there, desk), there, desk), there, desk);
}

/** Only towards Ignore: a Fail that nobody proved is not kept for anybody. */
function keepIgnore(webhook: JsonObject, there: JsonObject, { configuration, last, note }: Desk): JsonObject {
  const isPatch =
    webhook["failurePolicy"] === "Fail" &&
    there["failurePolicy"] === "Ignore" &&
    last?.failurePolicy === "Fail";
  if (!isPatch) return webhook;
  note({
    configuration,
    webhook: textIn(webhook, "name"),
    field: "failurePolicy",
    found: "Ignore",
    wanted: "Fail",
  });
  return { ...webhook, failurePolicy: "Ignore" };
}

function keepTimeout(
  webhook: JsonObject,
  there: JsonObject,
  { configuration, last, note }: Desk,
): JsonObject {
  const { timeoutSeconds } = there;
  const isPatch =
    typeof timeoutSeconds === "number" && last !== undefined && timeoutSeconds !== last.timeoutSeconds;
  if (!isPatch || timeoutSeconds === webhook["timeoutSeconds"]) return webhook;
  const wanted = timeoutIn(webhook);
  note({
    configuration,
    webhook: textIn(webhook, "name"),
    field: "timeoutSeconds",
    found: `${timeoutSeconds}s`,
    wanted,
  });
  return { ...webhook, timeoutSeconds };
}

/** A condition more only narrows what the webhook is called for: it is how people got out of night A for good. */
function keepConditions(
  webhook: JsonObject,
  there: JsonObject,
  { configuration, last, note }: Desk,
): JsonObject {
  const ours = conditionsIn(webhook);
  const names = new Set(ours.map((condition) => textIn(condition, "name")));
  const added = conditionsIn(there).filter((condition) => {
    const name = textIn(condition, "name");
    return !names.has(name) && !name.startsWith("postern-");
  });
  if (added.length === 0 || last === undefined) return webhook;
  const found = added.map((condition) => textIn(condition, "name")).join(", ");
  note({
    configuration,
    webhook: textIn(webhook, "name"),
    field: "matchConditions",
    found,
    wanted: "none of them",
  });
  return { ...webhook, matchConditions: [...ours, ...added] };
}

/** Labels and annotations of others stay; ours say what was wanted, so that a change by hand can be told from ours. */
function metadataOf(
  wanted: JsonObject,
  old: JsonObject,
  webhooks: readonly JsonObject[],
  rules: ReconcileRules,
): JsonObject {
  const own = objectIn(wanted, "metadata");
  const version = old["resourceVersion"];
  return {
    ...own,
    labels: { ...objectIn(old, "labels"), ...objectIn(own, "labels") },
    annotations: {
      ...objectIn(old, "annotations"),
      ...objectIn(own, "annotations"),
      [APPLIED]: printApplied(webhooks, rules, appliedIn(old)),
    },
    ...(version === undefined ? {} : { resourceVersion: version }),
  };
}

/** `Fail` counts as applied only once it was allowed: an `Ignore` from before is Postern's, not a hand's. */
function printApplied(
  webhooks: readonly JsonObject[],
  rules: ReconcileRules,
  before: ReadonlyMap<string, Applied>,
): string {
  const rows = webhooks.map((webhook) => {
    const name = textIn(webhook, "name");
    const mayFail = !rules.conditionsDropped && (rules.mayFail || before.get(name)?.failurePolicy === "Fail");
    const failurePolicy = webhook["failurePolicy"] === "Fail" && mayFail ? "Fail" : "Ignore";
    return [name, failurePolicy, webhook["timeoutSeconds"] ?? 0];
  });
  return JSON.stringify(rows);
}

function appliedIn(metadata: JsonObject): ReadonlyMap<string, Applied> {
  const text = objectIn(metadata, "annotations")[APPLIED];
  if (typeof text !== "string") return new Map();
  const rows = decodeJson(text);
  const entries: [string, Applied][] = [];
  for (const row of isArray(rows) ? rows : []) {
    const [name, failurePolicy, timeoutSeconds] = isArray(row) ? row : [];
    if (typeof name !== "string" || typeof failurePolicy !== "string" || typeof timeoutSeconds !== "number")
      continue;
    entries.push([name, { failurePolicy, timeoutSeconds }]);
  }
  return new Map(entries);
}

/** What was changed by hand in a configuration as it is stored, told without knowing what policies want now. */
export function handPatchesIn(found: JsonObject): readonly HandPatch[] {
  const metadata = objectIn(found, "metadata");
  const configuration = textIn(metadata, "name");
  const applied = appliedIn(metadata);
  return webhooksIn(found).flatMap((webhook) => {
    const name = textIn(webhook, "name");
    const last = applied.get(name);
    if (last === undefined) return [];
    const patches: HandPatch[] = [];
    const note = (field: string, is: string, wanted: string): void => {
      if (is !== wanted) patches.push({ configuration, webhook: name, field, found: is, wanted });
    };
    note("failurePolicy", textIn(webhook, "failurePolicy"), last.failurePolicy);
    note("timeoutSeconds", timeoutIn(webhook), `${last.timeoutSeconds}s`);
    return patches;
  });
}

/** The names of webhooks whose conditions the server did not keep. */
export function droppedConditions(sent: JsonObject, answer: JsonObject): readonly string[] {
  const kept = byName(answer);
  return webhooksIn(sent)
    .filter((webhook) => {
      const there = kept.get(textIn(webhook, "name"));
      const names = new Set(
        (there === undefined ? [] : conditionsIn(there)).map((entry) => textIn(entry, "name")),
      );
      return conditionsIn(webhook).some((condition) => !names.has(textIn(condition, "name")));
    })
    .map((webhook) => textIn(webhook, "name"));
}

/** Whether a configuration, as the server has it, is the one that is wanted: what the server adds does not count. */
function isSame(wanted: JsonObject, found: JsonObject): boolean {
  const [next, old] = [objectIn(wanted, "metadata"), objectIn(found, "metadata")];
  return (
    isWithin(wanted["webhooks"] ?? null, found["webhooks"] ?? null) &&
    equalJson(objectIn(next, "labels"), objectIn(old, "labels")) &&
    equalJson(objectIn(next, "annotations"), objectIn(old, "annotations")) &&
    (next["ownerReferences"] === undefined ||
      equalJson(next["ownerReferences"], old["ownerReferences"] ?? null))
  );
}

/** Equal but for fields that only `found` has; an empty object or list counts as absent. */
function isWithin(wanted: Json, found: Json): boolean {
  if (isArray(wanted)) {
    const list = isArray(found) ? found : [];
    return wanted.length === list.length && wanted.every((entry, at) => isWithin(entry, list[at] ?? null));
  }
  if (!isObject(wanted)) return equalJson(wanted, found);
  const other = isObject(found) ? found : {};
  return Object.entries(wanted).every(([key, value]) => isWithin(value, other[key] ?? null));
}
