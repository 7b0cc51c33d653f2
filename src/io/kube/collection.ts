/**
 * The objects of a watched collection and how they change. A new list and a single event go the same way, so that
 * listeners can put together what the server has from nothing but the changes.
 * INVARIANT: a change is told once and after it is kept; an object that did not change (same resourceVersion) is silent;
 * one that was removed and made again under the same name is told as deleted and added. What a list brings is kept all
 * at once, when the list is whole: nobody ever sees half of one state and half of another.
 */
import { isObject } from "#json";
import type { InformerChange, InformerOptions, KubeObject } from "./contract.ts";

export type Collection = {
  readonly get: (namespace: string, name: string) => KubeObject | undefined;
  readonly list: () => readonly KubeObject[];
  readonly size: () => number;
  readonly put: (object: KubeObject) => void;
  readonly remove: (object: KubeObject) => void;
  /** Begins a new list: `take` each object of it; `finish` then makes the collection what was taken. */
  readonly replace: () => { readonly take: (object: KubeObject) => void; readonly finish: () => void };
};

/** What is kept, and what the server said of it: what `trim` left may no longer say so itself. */
type Entry = { readonly object: KubeObject; readonly version: string; readonly uid: string };

export function createCollection(
  trim: InformerOptions["trim"],
  tell: (change: InformerChange) => void,
): Collection {
  const entries = new Map<string, Entry>();

  /** An unchanged object keeps its entry, so that a list costs memory only for what is new in it. */
  function entryOf(key: string, object: KubeObject): Entry | undefined {
    const version = versionOf(object);
    const uid = metadataText(object, "uid");
    const known = entries.get(key);
    if (known !== undefined && known.version === version && known.uid === uid) return known;
    const kept = trim === undefined ? object : trim(object);
    return kept === undefined ? undefined : { object: kept, version, uid };
  }

  function keep(key: string, entry: Entry): void {
    const known = entries.get(key);
    if (known === entry) return;
    if (known === undefined || known.uid !== entry.uid) {
      drop(key);
      entries.set(key, entry);
      tell({ type: "added", object: entry.object });
      return;
    }
    entries.set(key, entry);
    tell({ type: "updated", object: entry.object, previous: known.object });
  }

  function drop(key: string): void {
    const known = entries.get(key);
    if (known === undefined) return;
    entries.delete(key);
    tell({ type: "deleted", object: known.object });
  }

  return {
    get: (namespace, name) => entries.get(`${namespace}/${name}`)?.object,
    list: () => [...entries.values()].map(({ object }) => object),
    size: () => entries.size,
    put(object) {
      const key = keyOf(object);
      const entry = entryOf(key, object);
      if (entry === undefined) drop(key);
      else keep(key, entry);
    },
    remove: (object) => drop(keyOf(object)),
    replace() {
      const taken = new Map<string, Entry>();
      return {
        take(object) {
          const key = keyOf(object);
          const entry = entryOf(key, object);
          if (entry !== undefined) taken.set(key, entry);
        },
        finish() {
          for (const key of entries.keys()) if (!taken.has(key)) drop(key);
          for (const [key, entry] of taken) keep(key, entry);
        },
      };
    },
  };
}

export function versionOf(object: KubeObject): string {
  return metadataText(object, "resourceVersion");
}

function keyOf(object: KubeObject): string {
  return `${metadataText(object, "namespace")}/${metadataText(object, "name")}`;
}

function metadataText(object: KubeObject, name: string): string {
  const metadata = object["metadata"];
  const value = isObject(metadata) ? metadata[name] : undefined;
  return typeof value === "string" ? value : "";
}
