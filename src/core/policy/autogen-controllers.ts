/**
 * Whether a policy's rules for Pods are carried over to the kinds that make Pods, and to which. One rule that cannot be
 * carried over stops it for the whole policy. The annotation's words are taken as written, blanks included.
 * SPEC: pkg/autogen CanAutoGen and computeRules of Kyverno 1.19.
 */
import type { JsonObject } from "#json";
import { containsPod } from "./autogen-kinds.ts";
import { field, objectField, objectsField, textField, textsField } from "./fields.ts";

/** Sorted, as upstream lists them. */
const defaultControllers: readonly string[] = [
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
];

const podAndControllers: ReadonlySet<string> = new Set([...defaultControllers, "Pod"]);

/**
 * The controllers, joined by commas, that rules are generated for; `undefined` where there are none.
 * @param kind of the resource in question: then only that controller's rule is wanted
 */
export function controllersOf(
  rules: readonly JsonObject[],
  annotations: Readonly<Record<string, string>>,
  kind: string,
): string | undefined {
  if (!canGenerate(rules)) return undefined;
  const annotation = annotations["pod-policies.kyverno.io/autogen-controllers"];
  const controllers = new Set(annotation === undefined ? defaultControllers : annotation.split(","));
  if (kind !== "") return controllers.has(kind) && kind !== "none" ? kind : undefined;
  const joined = [...controllers].toSorted(byBytes).join(",");
  return joined === "none" ? undefined : joined;
}

function byBytes(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function canGenerate(rules: readonly JsonObject[]): boolean {
  if (!rules.every(canCarryOver)) return false;
  return rules
    .flatMap(blocksOf)
    .flatMap(kindsOf)
    .some((kind) => podAndControllers.has(kind));
}

function canCarryOver(rule: JsonObject): boolean {
  if (field(rule, "generate") !== undefined || patchesByPath(objectField(rule, "mutate") ?? {})) return false;
  return blocksOf(rule).every(selectsByKindOnly);
}

function patchesByPath(mutate: JsonObject): boolean {
  const parts = [mutate, ...(objectsField(mutate, "foreach") ?? [])];
  return parts.some((part) => (textField(part, "patchesJson6902") ?? "") !== "");
}

/** Every `resources` block of match and exclude. */
function blocksOf(rule: JsonObject): readonly JsonObject[] {
  return ["match", "exclude"].flatMap((side) => {
    const block = objectField(rule, side) ?? {};
    const filters = [block, ...(objectsField(block, "any") ?? []), ...(objectsField(block, "all") ?? [])];
    return filters.map((filter) => objectField(filter, "resources") ?? {});
  });
}

function kindsOf(block: JsonObject): readonly string[] {
  return textsField(block, "kinds") ?? [];
}

/** Names, labels and annotations of a Pod are not those of its controller; nor are other kinds beside Pod. */
function selectsByKindOnly(block: JsonObject): boolean {
  if ((textField(block, "name") ?? "") !== "" || (textsField(block, "names") ?? []).length > 0) return false;
  if (field(block, "selector") !== undefined || field(block, "annotations") !== undefined) return false;
  const kinds = kindsOf(block);
  return kinds.length < 2 || !containsPod(kinds);
}
