/**
 * What a policy's status says: upstream's shape, so that dashboards and `kubectl get` show what they always did, and one
 * condition more, `PartiallyEnforced`, for what the policy matches and nothing guards.
 * SPEC: Kyverno 1.19 api/kyverno/v1 PolicyStatus; kyverno-surface.md section 1.1.
 */
import type { CatalogEntry } from "#catalog";
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { Rule } from "#policy";
import type { Gap } from "../webhook-config/policy-reach.ts";

/** @param gaps what the registrations do not cover of it */
export function statusOf(entry: CatalogEntry, gaps: readonly Gap[], nowMs: number): JsonObject {
  const { readiness, object, generation } = entry;
  const before = isObject(object["status"]) ? object["status"] : {};
  const rules = entry.inForce?.rules ?? [];
  const ready = readiness.ready
    ? { status: "True", reason: "Succeeded", message: "Ready" }
    : {
        status: "False",
        reason: readiness.reason === "AdmissionDisabled" ? "Succeeded" : "Failed",
        message: notReadyText(entry),
      };
  const partly =
    gaps.length === 0
      ? { status: "False", reason: "Covered", message: "" }
      : {
          status: "True",
          reason: "NotCovered",
          message: gaps
            .map(({ what, why }) => `${what}: ${why}`)
            .join("; ")
            .slice(0, 4000),
        };
  return {
    conditions: [
      conditionOf("Ready", ready, { before, generation, nowMs }),
      conditionOf("PartiallyEnforced", partly, { before, generation, nowMs }),
    ],
    rulecount: countRules(rules),
    autogen: {
      rules: rules.filter(({ generatedFrom }) => generatedFrom !== undefined).map(({ raw }) => raw),
    },
  };
}

function notReadyText({ readiness, inForce }: CatalogEntry): string {
  if (readiness.ready) return "Ready";
  const kept = readiness.keepsOldProgram ? `; generation ${inForce?.generation ?? 0} stays in force` : "";
  return `${readiness.message}${kept}`;
}

type Said = { readonly status: string; readonly reason: string; readonly message: string };

/** The time of a transition is kept while the condition stays as it is. */
function conditionOf(
  type: string,
  said: Said,
  about: { readonly before: JsonObject; readonly generation: number; readonly nowMs: number },
): JsonObject {
  const conditions = isArray(about.before["conditions"]) ? about.before["conditions"].filter(isObject) : [];
  const old = conditions.find((condition) => condition["type"] === type);
  const since = old?.["status"] === said.status ? old["lastTransitionTime"] : undefined;
  return {
    type,
    ...said,
    observedGeneration: about.generation,
    lastTransitionTime: since ?? `${new Date(about.nowMs).toISOString().slice(0, 19)}Z`,
  };
}

function countRules(rules: readonly Rule[]): JsonObject {
  const count = (kind: Rule["body"]["kind"]): number => rules.filter(({ body }) => body.kind === kind).length;
  return {
    validate: count("validate"),
    mutate: count("mutate"),
    generate: count("generate"),
    verifyimages: count("verifyImages"),
  };
}

/** Whether writing `next` would change what `object` has; what others keep in the status does not count. */
export function differs(object: JsonObject, next: JsonObject): boolean {
  return !isWithin(next, object["status"] ?? {});
}

function isWithin(next: Json, old: Json): boolean {
  if (isArray(next)) {
    const list = isArray(old) ? old : [];
    return next.length === list.length && next.every((entry, at) => isWithin(entry, list[at] ?? null));
  }
  if (!isObject(next)) return next === old || (next === "" && old === null);
  const other = isObject(old) ? old : {};
  return Object.entries(next).every(([key, value]) => isWithin(value, other[key] ?? null));
}
