/** Discovery group by group, for servers without the aggregated form. SPEC: meta/v1 APIVersions, APIGroupList, APIResourceList. */
import type { Json, JsonObject } from "#json";
import { isObject } from "#json";
import type { ApiResource, Discovery, KubeClient } from "./contract.ts";
import { objectIn, objectsIn, textIn, textsIn } from "./discovery-aggregated.ts";
import { KubeError } from "./kube-error.ts";

/** A group version to ask for. */
export type Place = { readonly group: string; readonly version: string; readonly preferred: boolean };

/** Calls at one time: a cluster has some thirty groups, and discovery is not urgent. */
const AT_ONCE = 8;

/** Those that cannot be read are named, and lose nothing of the others. */
export async function classicResources(client: KubeClient, places: readonly Place[]): Promise<Discovery> {
  const resources: ApiResource[][] = places.map(() => []);
  const failed: string[] = [];
  const queue = [...places.entries()];
  async function work(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, place] = next;
      const name = place.group === "" ? place.version : `${place.group}/${place.version}`;
      try {
        const path = place.group === "" ? `/api/${place.version}` : `/apis/${name}`;
        const { body } = await client.send({ method: "GET", path, purpose: "control" });
        resources[index] = resourcesIn(body, place);
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        failed.push(name);
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { resources: resources.flat(), failed };
}

/** Of the answer of /api. */
export function corePlaces(core: Json): readonly Place[] {
  const versions = isObject(core) ? textsIn(core["versions"]) : [];
  return versions.map((version, index) => ({ group: "", version, preferred: index === 0 }));
}

/** Of the answer of /apis. */
export function groupPlaces(groups: Json): readonly Place[] {
  if (!isObject(groups)) return [];
  return objectsIn(groups["groups"]).flatMap((group) => {
    const preferred = textIn(objectIn(group, "preferredVersion"), "version");
    return objectsIn(group["versions"]).map((entry) => {
      const version = textIn(entry, "version");
      return { group: textIn(group, "name"), version, preferred: version === preferred };
    });
  });
}

function resourcesIn(body: Json, place: Place): ApiResource[] {
  const entries = isObject(body) ? objectsIn(body["resources"]) : [];
  const isSub = (entry: JsonObject): boolean => textIn(entry, "name").includes("/");
  return entries
    .filter((entry) => !isSub(entry))
    .map((entry) => ({
      ...place,
      resource: textIn(entry, "name"),
      kind: textIn(entry, "kind"),
      namespaced: entry["namespaced"] === true,
      verbs: textsIn(entry["verbs"]),
      subresources: entries
        .filter((sub) => textIn(sub, "name").startsWith(`${textIn(entry, "name")}/`))
        .map((sub) => ({
          name: textIn(sub, "name").slice(textIn(entry, "name").length + 1),
          kind: textIn(sub, "kind"),
          group: textIn(sub, "group") || place.group,
          version: textIn(sub, "version") || place.version,
        })),
    }));
}
