/**
 * Objects from files in place of a cluster: answers the GETs that policies make, single objects and lists, by the paths
 * of the Kubernetes API.
 */
import type { Json, JsonObject } from "#json";
import { isObject, member } from "#json";
import { gvkOf, pluralOf } from "#k8s";
import { metadataText, textMember } from "../load/object-text.ts";

export type ObjectStore = {
  readonly get: (group: string, plural: string, namespace: string, name: string) => JsonObject | undefined;
  /** The answer to a GET of `/api/v1/…` or `/apis/group/version/…`; undefined where an API server says 404. */
  readonly query: (urlPath: string) => Json | undefined;
};

type Target = {
  readonly group: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly query: URLSearchParams;
};

/** The first of two objects with the same kind, namespace and name wins. */
export function createObjectStore(objects: Iterable<JsonObject>): ObjectStore {
  const byType = new Map<string, Map<string, JsonObject>>();
  for (const object of objects) {
    const gvk = gvkOf(textMember(object, "apiVersion"), textMember(object, "kind"));
    const type = `${gvk.group}/${pluralOf(gvk)}`;
    const named = byType.get(type) ?? new Map<string, JsonObject>();
    const key = `${metadataText(object, "namespace")}/${metadataText(object, "name")}`;
    if (!named.has(key)) named.set(key, object);
    byType.set(type, named);
  }
  const get: ObjectStore["get"] = (group, plural, namespace, name) =>
    byType.get(`${group}/${plural}`)?.get(`${namespace}/${name}`);
  return {
    get,
    query(urlPath) {
      const target = parsePath(urlPath);
      if (target === undefined) return undefined;
      const { group, plural, namespace, name } = target;
      if (name !== undefined) return get(group, plural, namespace ?? "", name);
      return listOf(target, [...(byType.get(`${group}/${plural}`)?.values() ?? [])]);
    },
  };
}

function parsePath(urlPath: string): Target | undefined {
  const [path = "", query = ""] = urlPath.split("?", 2);
  const [root, ...parts] = path.split("/").filter((part) => part !== "");
  const group = root === "apis" ? parts.shift() : root === "api" ? "" : undefined;
  const version = parts.shift();
  if (group === undefined || version === undefined) return undefined;
  const search = new URLSearchParams(query);
  // A Namespace itself is at `/namespaces/name`; what is in it follows.
  const namespace = parts[0] === "namespaces" && parts.length >= 3 ? parts[1] : undefined;
  const [plural, name] = namespace === undefined ? parts : parts.slice(2);
  if (plural === undefined) return undefined;
  return { group, plural, namespace, name, query: search };
}

function listOf(target: Target, all: readonly JsonObject[]): JsonObject {
  const { namespace, query } = target;
  const items = all.filter(
    (object) =>
      (namespace === undefined || metadataText(object, "namespace") === namespace) &&
      hasLabels(object, query.get("labelSelector") ?? ""),
  );
  const first = all[0] ?? {};
  return {
    apiVersion: textMember(first, "apiVersion") || (target.group === "" ? "v1" : `${target.group}/v1`),
    kind: `${textMember(first, "kind")}List`,
    metadata: { resourceVersion: "" },
    items,
  };
}

/** Equality selectors, which is what policies use in paths. */
function hasLabels(object: JsonObject, selector: string): boolean {
  if (selector === "") return true;
  const metadata = member(object, "metadata");
  const labels = isObject(metadata) ? member(metadata, "labels") : undefined;
  return selector.split(",").every((term) => {
    const negated = term.includes("!=");
    const [key = "", value] = term.split(negated ? "!=" : /==?/);
    const label = isObject(labels) ? member(labels, key.trim()) : undefined;
    if (value === undefined) return label !== undefined;
    return (label === value.trim()) !== negated;
  });
}
