/**
 * One generated rule: the kinds in match and exclude are replaced, the body is moved below the pod template, and paths
 * in all texts follow it. What upstream's intermediate form does not have (image extractors, the order of a foreach)
 * is dropped here too.
 * SPEC: pkg/autogen generateRule and convertRule of Kyverno 1.19.
 */
import type { Json, JsonObject } from "#json";
import { generateMutate, generateValidate } from "./autogen-body.ts";
import { containsPod, versionedKind } from "./autogen-kinds.ts";
import { rewritePaths } from "./autogen-paths.ts";
import { field, listField, objectField, objectsField, textField, textsField } from "./fields.ts";

export type AutogenTarget = {
  readonly prefix: string;
  readonly kinds: readonly string[];
  /** Keys from the controller to the pod template: `["spec", "template"]`. */
  readonly path: readonly string[];
  /** Whether every filter gets the kinds, or only those for Pods. */
  readonly overwritesKinds: boolean;
};

const templated: readonly string[] = [
  "DaemonSet",
  "Deployment",
  "Job",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
];

/** @param controllers joined by commas; of unknown words alone a rule for raw kinds is made */
export function templateTarget(controllers: string): AutogenTarget | undefined {
  const words = controllers.split(",").filter((word) => word !== "CronJob");
  const joined = words.join(",");
  if (joined === "" || joined === "none") return undefined;
  const known = joined === "all" ? templated : words.filter((word) => templated.includes(word));
  const kinds = (known.length > 0 ? known : words).map(versionedKind);
  return { prefix: "autogen", kinds, path: ["spec", "template"], overwritesKinds: false };
}

/** Asked for by any text that contains `CronJob` or `all`. */
export function cronJobTarget(controllers: string): AutogenTarget | undefined {
  if (!controllers.includes("CronJob") && !controllers.includes("all")) return undefined;
  return {
    prefix: "autogen-cronjob",
    kinds: [versionedKind("CronJob")],
    path: ["spec", "jobTemplate", "spec", "template"],
    overwritesKinds: true,
  };
}

const MAX_NAME = 63;

/** `undefined` where the rule has no body that can be carried over. */
export function generateRule(rule: JsonObject, target: AutogenTarget): JsonObject | undefined {
  const body = generateBody(rule, target.path);
  if (body === undefined) return undefined;
  const exclude = objectField(rule, "exclude");
  const generated: Record<string, Json> = {
    name: `${target.prefix}-${textField(rule, "name") ?? ""}`.slice(0, MAX_NAME),
    match: replaceKinds(objectField(rule, "match") ?? {}, target, true),
  };
  if (exclude !== undefined && Object.keys(exclude).length > 0)
    generated["exclude"] = replaceKinds(exclude, target, false);
  for (const key of kept) {
    const value = field(rule, key);
    if (value !== undefined) generated[key] = value;
  }
  const usesCel = field(objectField(rule, "validate") ?? {}, "cel") !== undefined;
  return rewritePaths({ ...generated, ...body }, target.path, usesCel);
}

const kept = [
  "context",
  "preconditions",
  "celPreconditions",
  "reportProperties",
  "skipBackgroundRequests",
] as const;

/** Two keys at a time, innermost first: a CronJob's rule is made from a Job's, so what that lacks this lacks too. */
function generateBody(rule: JsonObject, path: readonly string[]): JsonObject | undefined {
  let body: JsonObject | undefined = rule;
  for (let end = path.length; end > 0 && body !== undefined; end -= 2) {
    body = moveBody(body, path.slice(end - 2, end));
  }
  return body;
}

function moveBody(rule: JsonObject, path: readonly string[]): JsonObject | undefined {
  const body: Record<string, Json> = {};
  for (const key of ["mutate", "validate", "verifyImages"]) {
    const value = field(rule, key);
    if (value !== undefined) body[key] = value;
  }
  const mutate = generateMutate(objectField(rule, "mutate") ?? {}, path);
  if (mutate !== undefined) return { ...body, mutate };
  const validate = generateValidate(objectField(rule, "validate") ?? {}, path);
  if (validate !== undefined) return { ...body, validate };
  return listField(rule, "verifyImages") === undefined ? undefined : body;
}

function replaceKinds(block: JsonObject, target: AutogenTarget, always: boolean): JsonObject {
  for (const key of ["any", "all"]) {
    const filters = objectsField(block, key);
    if (filters !== undefined && filters.length > 0) {
      return { ...block, [key]: filters.map((filter) => replaceFilterKinds(filter, target)) };
    }
  }
  const resources = objectField(block, "resources") ?? {};
  const hasKinds = (textsField(resources, "kinds") ?? []).length > 0;
  if (!always && !hasKinds) return block;
  return { ...block, resources: { ...resources, kinds: target.kinds } };
}

function replaceFilterKinds(filter: JsonObject, target: AutogenTarget): JsonObject {
  const resources = objectField(filter, "resources") ?? {};
  if (!target.overwritesKinds && !containsPod(textsField(resources, "kinds") ?? [])) return filter;
  return { ...filter, resources: { ...resources, kinds: target.kinds } };
}
