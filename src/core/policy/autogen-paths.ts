/**
 * Paths to a Pod's fields, wherever they are written in a rule, follow the Pod below its controller. This is plain text
 * replacement, as upstream does it: `request.object.specX` is rewritten too, and so is the namespace of
 * `request.object.metadata.namespace`.
 * SPEC: pkg/autogen updateGenRuleByte and updateCELFields of Kyverno 1.19.
 */
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";

type Rewrite = (text: string) => string;

/**
 * @param path keys from the controller to the pod template
 * @param usesCel in CEL the objects are variables of their own, and `request.object` ends the same way
 */
export function rewritePaths(rule: JsonObject, path: readonly string[], usesCel: boolean): JsonObject {
  const below = path.join(".");
  const prefix = usesCel ? "" : "request.";
  const rewrite: Rewrite = (text) => moveObjects(text, prefix, below);
  return rewriteObject(rule, rewrite);
}

function moveObjects(text: string, prefix: string, below: string): string {
  let moved = text;
  for (const object of ["object", "oldObject"]) {
    moved = moved.replaceAll(`${prefix}${object}.spec`, `${prefix}${object}.${below}.spec`);
    moved = moved.replaceAll(`${prefix}${object}.metadata`, `${prefix}${object}.${below}.metadata`);
  }
  return moved;
}

function rewriteObject(object: JsonObject, rewrite: Rewrite): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => [rewrite(key), rewriteValue(item, rewrite)]),
  );
}

function rewriteValue(value: Json, rewrite: Rewrite): Json {
  if (typeof value === "string") return rewrite(value);
  if (isArray(value)) return value.map((item) => rewriteValue(item, rewrite));
  return isObject(value) ? rewriteObject(value, rewrite) : value;
}
