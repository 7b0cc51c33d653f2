/**
 * Informers that belong together: started together, synced when all are, and asked together how old what they know is.
 * A kind that the server does not serve counts as empty, so that Postern runs in a cluster without Kyverno's CRDs.
 */
import type { JsonObject } from "#json";
import type { Informer, InformerChange } from "#kube";
import type { WatchedKind } from "./watched-kinds.ts";

/** Makes an informer that is not started yet. */
export type InformerFactory = (kind: WatchedKind) => Informer;

/** How far back a watched kind's last sign of life from the server is. */
export type Freshness = {
  readonly title: string;
  readonly synced: boolean;
  /** Clock time, 0 before the first contact. */
  readonly lastContactMs: number;
  readonly size: number;
};

export type WatchSet = {
  /** Resolves once the first lists of all are in; several calls are one start. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
  readonly synced: () => boolean;
  readonly freshness: () => readonly Freshness[];
  readonly find: (namespace: string, name: string) => JsonObject | undefined;
};

export function createWatchSet(
  kinds: readonly WatchedKind[],
  factory: InformerFactory,
  listener: (change: InformerChange) => void,
): WatchSet {
  const members = kinds.map((kind) => ({ kind, informer: factory(kind) }));
  for (const { informer } of members) informer.onChange(listener);
  let started: Promise<void> | undefined;
  return {
    start() {
      started ??= Promise.all(members.map(({ informer }) => informer.start())).then(() => undefined);
      return started;
    },
    stop() {
      for (const { informer } of members) informer.stop();
    },
    synced: () => members.every(({ informer }) => informer.synced()),
    freshness: () =>
      members.map(({ kind, informer }) => ({
        title: kind.title,
        synced: informer.synced(),
        lastContactMs: informer.lastContactMs(),
        size: informer.size(),
      })),
    find(namespace, name) {
      for (const { informer } of members) {
        const object = informer.get(namespace, name);
        if (object !== undefined) return object;
      }
      return undefined;
    },
  };
}
