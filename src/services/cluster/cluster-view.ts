/**
 * The cluster as the gate and the controllers read it: policies in force, the operator's configuration, labels of
 * namespaces, roles. Everything is in memory and answers at once; what changes is compiled here, a moment after it
 * changed, and never while a request waits.
 * INVARIANT: what was seen stays in force when the API server goes away. Only a view that has not seen everything once
 * is not ready; one that is old is ready and says how old it is.
 */
import type { Catalog, CatalogSnapshot, GateConfiguration, RequestFilter } from "#catalog";
import { compileRequestFilter, createCatalog, decodeConfiguration } from "#catalog";
import type { EvaluationRequest, UserInfo } from "#engine";
import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { InformerChange } from "#kube";
import type { Clock } from "#platform";
import type { Roles } from "./role-index.ts";
import { createRoleIndex } from "./role-index.ts";
import type { Freshness, InformerFactory, WatchSet } from "./watch-set.ts";
import { createWatchSet } from "./watch-set.ts";
import type { WatchedKind } from "./watched-kinds.ts";
import {
  bindingKinds,
  cachedConfigMapKind,
  configurationKind,
  namespaceKind,
  policyKinds,
} from "./watched-kinds.ts";

/** Changes of one `kubectl apply` are one compilation. */
const SETTLE_MS = 50;

export type ClusterViewOptions = {
  readonly informers: InformerFactory;
  /** Postern's own namespace, and the ConfigMap in it that holds the configuration. */
  readonly namespace: string;
  readonly configMapName: string;
  readonly clock: Pick<Clock, "later">;
};

export type ClusterView = {
  /** Resolves once everything was seen and compiled. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
  readonly policies: () => CatalogSnapshot;
  readonly configuration: () => GateConfiguration;
  readonly isExcluded: (request: EvaluationRequest, roles: Roles) => boolean;
  readonly namespaceLabels: (namespace: string) => Readonly<Record<string, string>> | undefined;
  /** No roles while nothing in force asks for them. */
  readonly rolesOf: (user: UserInfo) => Roles;
  /** A ConfigMap that carries upstream's cache label. */
  readonly configMap: (namespace: string, name: string) => JsonObject | undefined;
  readonly readiness: () => { readonly ready: boolean; readonly reasons: readonly string[] };
  readonly freshness: () => readonly Freshness[];
  /** Called after a new snapshot or configuration is in force. */
  readonly onChange: (listener: () => void) => void;
};

type Sets = {
  readonly policies: WatchSet;
  readonly configuration: WatchSet;
  readonly namespaces: WatchSet;
  readonly configMaps: WatchSet;
  readonly bindings: WatchSet;
};

const NO_LABELS: Readonly<Record<string, string>> = {};

/** What is in force at one moment; replaced as a whole. */
type InForce = {
  readonly snapshot: CatalogSnapshot;
  readonly configuration: GateConfiguration;
  readonly filter: RequestFilter;
};

export function createClusterView(options: ClusterViewOptions): ClusterView {
  return new View(options);
}

class View implements ClusterView {
  readonly #later: Clock["later"];
  readonly #catalog: Catalog = createCatalog();
  readonly #roles = createRoleIndex();
  readonly #sets: Sets;
  readonly #listeners: (() => void)[] = [];
  #configMap: JsonObject | undefined;
  #inForce: InForce;
  #callOff: (() => void) | undefined;
  #ready = false;

  constructor(options: ClusterViewOptions) {
    this.#later = options.clock.later;
    this.#inForce = this.#read();
    this.#sets = this.#watch(options);
  }

  async start(): Promise<void> {
    const { bindings: _, ...always } = this.#sets;
    await Promise.all(Object.values(always).map((set) => set.start()));
    await this.#settle();
    this.#ready = true;
  }

  stop(): void {
    this.#callOff?.();
    for (const set of Object.values(this.#sets)) set.stop();
  }

  policies(): CatalogSnapshot {
    return this.#inForce.snapshot;
  }

  configuration(): GateConfiguration {
    return this.#inForce.configuration;
  }

  isExcluded(request: EvaluationRequest, roles: Roles): boolean {
    return this.#inForce.filter.excludes(request, roles);
  }

  namespaceLabels(namespace: string): Readonly<Record<string, string>> | undefined {
    const found = this.#sets.namespaces.find("", namespace);
    return found === undefined ? undefined : decodeLabels(found);
  }

  rolesOf(user: UserInfo): Roles {
    return this.#roles.rolesOf(user);
  }

  configMap(namespace: string, name: string): JsonObject | undefined {
    return this.#sets.configMaps.find(namespace, name);
  }

  readiness(): { readonly ready: boolean; readonly reasons: readonly string[] } {
    if (this.#ready) return { ready: true, reasons: [] };
    const missing = this.freshness().filter(({ synced }) => !synced);
    const reasons = missing.map(({ title }) => `${title}: not listed yet`);
    return { ready: false, reasons: reasons.length === 0 ? ["policies: not compiled yet"] : reasons };
  }

  freshness(): readonly Freshness[] {
    const { bindings, ...always } = this.#sets;
    const sets = Object.values(always);
    return (this.#asksForRoles(this.#inForce) ? [...sets, bindings] : sets).flatMap((set) => set.freshness());
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #watch(options: ClusterViewOptions): Sets {
    const set = (kinds: readonly WatchedKind[], listener: (change: InformerChange) => void): WatchSet =>
      createWatchSet(kinds, options.informers, listener);
    return {
      policies: set(policyKinds, ({ type, object }) => {
        if (type === "deleted") this.#catalog.remove(object);
        else this.#catalog.put(object);
        this.#changed();
      }),
      configuration: set([configurationKind(options.namespace, options.configMapName)], (change) => {
        this.#configMap = change.type === "deleted" ? undefined : change.object;
        this.#changed();
      }),
      namespaces: set([namespaceKind], ignore),
      configMaps: set([cachedConfigMapKind], ignore),
      bindings: set(bindingKinds, ({ type, object }) => {
        if (type === "deleted") this.#roles.remove(object);
        else this.#roles.put(object);
      }),
    };
  }

  /** Several changes in a row are one compilation; before the start is over they wait for its end. */
  #changed(): void {
    if (!this.#ready || this.#callOff !== undefined) return;
    this.#callOff = this.#later(() => {
      this.#callOff = undefined;
      void this.#settle();
    }, SETTLE_MS);
  }

  /** Puts what was seen in force. What asks for roles waits until all roles are known: a guess could refuse somebody. */
  async #settle(): Promise<void> {
    if (this.#asksForRoles(this.#read())) await this.#sets.bindings.start();
    this.#inForce = this.#read();
    for (const listener of this.#listeners) listener();
  }

  #read(): InForce {
    const configuration = decodeConfiguration(this.#configMap);
    return {
      snapshot: this.#catalog.snapshot(),
      configuration,
      filter: compileRequestFilter(configuration),
    };
  }

  #asksForRoles({ snapshot, filter }: InForce): boolean {
    return filter.needsRoles || snapshot.entries.some((entry) => entry.needsRoles);
  }
}

function decodeLabels(object: JsonObject): Readonly<Record<string, string>> {
  const metadata = object["metadata"];
  const labels = isObject(metadata) ? metadata["labels"] : undefined;
  if (!isObject(labels)) return NO_LABELS;
  return labels as Readonly<Record<string, string>>;
}

function ignore(): void {
  // Only looked up.
}
