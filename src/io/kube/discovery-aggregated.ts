/** Reads an APIGroupDiscoveryList: all groups, versions and subresources in one answer. SPEC: apidiscovery.k8s.io/v2. */
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { ApiResource, Discovery } from "./contract.ts";

export function aggregatedResources(list: JsonObject): Discovery {
  const resources: ApiResource[] = [];
  const failed: string[] = [];
  for (const group of objectsIn(list["items"])) {
    const groupName = textIn(objectIn(group, "metadata"), "name");
    for (const [index, version] of objectsIn(group["versions"]).entries()) {
      const name = textIn(version, "version");
      // An aggregated API that is down is listed from what it last said, marked as stale.
      if (textIn(version, "freshness") === "Stale")
        failed.push(groupName === "" ? name : `${groupName}/${name}`);
      const place = { group: groupName, version: name, preferred: index === 0 };
      resources.push(
        ...objectsIn(version["resources"])
          .filter(hasKind)
          .map((entry) => resourceOf(entry, place)),
      );
    }
  }
  return { resources, failed };
}

/** Without a kind it is but a place for its subresources: no such object can be written. */
function hasKind(entry: JsonObject): boolean {
  return textIn(objectIn(entry, "responseKind"), "kind") !== "";
}

type Place = { readonly group: string; readonly version: string; readonly preferred: boolean };

function resourceOf(entry: JsonObject, { group, version, preferred }: Place): ApiResource {
  const kind = objectIn(entry, "responseKind");
  return {
    group,
    version,
    resource: textIn(entry, "resource"),
    kind: textIn(kind, "kind"),
    namespaced: textIn(entry, "scope") === "Namespaced",
    verbs: textsIn(entry["verbs"]),
    subresources: objectsIn(entry["subresources"]).map((sub) => {
      const subKind = objectIn(sub, "responseKind");
      // With a version it says the whole kind, and no group is the core group.
      const whole = textIn(subKind, "version") !== "";
      return {
        name: textIn(sub, "subresource"),
        kind: textIn(subKind, "kind"),
        group: whole ? textIn(subKind, "group") : group,
        version: textIn(subKind, "version") || version,
      };
    }),
    preferred,
  };
}

export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

export function textsIn(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
