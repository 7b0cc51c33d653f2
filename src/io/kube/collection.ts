/**
 * The objects of a watched collection and how they change. A new list and a single event go the same way, so that
 * listeners can put together what the server has from nothing but the changes.
 * INVARIANT: a change is told once and after it is kept; an object that did not change (same resourceVersion) is silent.
 */
import { isObject } from "#json";
import type { InformerChange, InformerOptions, KubeObject } from "./contract.ts";

export type Collection = {
  readonly get: (namespace: string, name: string) => KubeObject | undefined;
  readonly list: () => readonly KubeObject[];
  readonly size: () => number;
  readonly put: (object: KubeObject) => void;
  readonly remove: (object: KubeObject) => void;
  /** Begins a new list: `take` each object of it, then `finish` removes what was not in it. */
  readonly replace: () => { readonly take: (object: KubeObject) => void; readonly finish: () => void };
};

export function createCollection(
  trim: InformerOptions["trim"],
  tell: (change: InformerChange) => void,
): Collection {
  const objects = new Map<string, KubeObject>();

  function put(object: KubeObject): string | undefined {
    const kept = trim === undefined ? object : trim(object);
    const key = keyOf(object);
    const previous = objects.get(key);
    if (kept === undefined) {
      drop(key);
      return undefined;
    }
    if (previous !== undefined && versionOf(previous) === versionOf(kept)) return key;
    objects.set(key, kept);
    tell(
      previous === undefined ? { type: "added", object: kept } : { type: "updated", object: kept, previous },
    );
    return key;
  }

  function drop(key: string): void {
    const object = objects.get(key);
    if (object === undefined) return;
    objects.delete(key);
    tell({ type: "deleted", object });
  }

  return {
    get: (namespace, name) => objects.get(`${namespace}/${name}`),
    list: () => [...objects.values()],
    size: () => objects.size,
    put: (object) => {
      put(object);
    },
    remove: (object) => drop(keyOf(object)),
    replace() {
      const listed = new Set<string>();
      return {
        take(object) {
          const key = put(object);
          if (key !== undefined) listed.add(key);
        },
        finish() {
          for (const key of objects.keys()) if (!listed.has(key)) drop(key);
        },
      };
    },
  };
}

export function versionOf(object: KubeObject): string {
  const metadata = object["metadata"];
  const version = isObject(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof version === "string" ? version : "";
}

function keyOf(object: KubeObject): string {
  const metadata = object["metadata"];
  if (!isObject(metadata)) return "/";
  const { namespace, name } = metadata;
  return `${typeof namespace === "string" ? namespace : ""}/${typeof name === "string" ? name : ""}`;
}
