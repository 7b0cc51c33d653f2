/**
 * What the server serves. Aggregated discovery is two calls whatever the number of groups; servers without it (before
 * 1.26, or behind a proxy that drops the Accept header) are asked group by group. A group that cannot be read, because
 * an aggregated API is down, is named, keeps what it was known to have, and loses nothing else.
 * SPEC: KEP-3352; apidiscovery.k8s.io/v2; meta/v1 APIGroupList, APIResourceList.
 */
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { ApiResource, Discovery, DiscoveryCache, KubeClient } from "./contract.ts";
import { aggregatedResources } from "./discovery-aggregated.ts";
import { classicResources, corePlaces, groupPlaces } from "./discovery-classic.ts";

const AGGREGATED =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

export function createDiscovery(client: KubeClient): DiscoveryCache {
  let known: Discovery | undefined;
  let asking: Promise<Discovery> | undefined;

  async function ask(): Promise<Discovery> {
    const [core, groups] = await Promise.all([read(client, "/api"), read(client, "/apis")]);
    const parts = await Promise.all([
      isAggregated(core) ? aggregatedResources(core) : classicResources(client, corePlaces(core)),
      isAggregated(groups) ? aggregatedResources(groups) : classicResources(client, groupPlaces(groups)),
    ]);
    known = withLost(merge(parts), known);
    return known;
  }

  return {
    current: () => known,
    refresh() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

async function read(client: KubeClient, path: string): Promise<Json> {
  const { body } = await client.send({ method: "GET", path, purpose: "control", accept: AGGREGATED });
  return body;
}

function isAggregated(body: Json): body is JsonObject {
  return isObject(body) && body["kind"] === "APIGroupDiscoveryList" && isArray(body["items"]);
}

/** What could not be read this time stands as it last was: kinds whose server is down have not gone away. */
function withLost(now: Discovery, before: Discovery | undefined): Discovery {
  if (before === undefined || now.failed.length === 0) return now;
  const failed = new Set(now.failed);
  const lost = before.resources.filter(({ group, version }) =>
    failed.has(group === "" ? version : `${group}/${version}`),
  );
  return merge([{ resources: lost, failed: [] }, now]);
}

/** Groups in the server's order; a resource once, as the last part has it. */
function merge(parts: readonly Discovery[]): Discovery {
  const resources = new Map<string, ApiResource>();
  for (const { resources: list } of parts) {
    for (const entry of list) resources.set(`${entry.group}/${entry.version}/${entry.resource}`, entry);
  }
  return { resources: [...resources.values()], failed: parts.flatMap(({ failed }) => failed) };
}
