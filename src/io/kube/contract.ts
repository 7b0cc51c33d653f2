/**
 * What the rest of Postern knows of a cluster: calls, objects, watched collections and leadership, as shapes without an
 * implementation. Everything that talks to an API server goes through these, so that every call has a purpose, a rate
 * limit and a counter.
 */
import type { Json, JsonObject } from "#json";
import type { KubeError } from "./kube-error.ts";

/**
 * Why a call is made. Each purpose has its own rate limit and its own row in the counter: what policies ask for can
 * never use up what the gate needs to stay alive.
 */
export type CallPurpose = "policy" | "watch" | "control" | "leader" | "status" | "event" | "command";

export type KubeCall = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the server's address, without query: `/api/v1/namespaces`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Of the body; `application/json` where absent. */
  readonly contentType?: string;
  /** `application/json` where absent. */
  readonly accept?: string;
  readonly purpose: CallPurpose;
  /** Milliseconds for all attempts together; the client's default where absent. */
  readonly timeoutMs?: number;
  /** Not repeated by the client: who calls tries again by itself, and tells of each failure. */
  readonly once?: boolean;
  readonly signal?: AbortSignal;
};

/** An answer with a 2xx status. `warnings` are the texts of its Warning headers. */
export type KubeAnswer = {
  readonly status: number;
  readonly body: Json;
  readonly warnings: readonly string[];
};

/** Lines of a watch as they come. Ends when the server ends it; throws `KubeError` when the connection breaks. */
export type KubeStream = AsyncIterable<JsonObject> & { readonly close: () => void };

/** One row of the counter of calls made; `code` is the HTTP status, 0 where no answer came. */
export type CallCount = {
  readonly purpose: CallPurpose;
  readonly method: string;
  readonly code: number;
  readonly count: number;
};

export type KubeClient = {
  /** `https://host:port`, for messages. */
  readonly server: string;
  /**
   * Sends a call, with retries where repeating is safe.
   * @throws KubeError with the server's Status, or with status 0 where no answer came
   */
  readonly send: (call: KubeCall) => Promise<KubeAnswer>;
  /** Opens a watch: the same call, answered by JSON lines. */
  readonly watch: (call: KubeCall) => Promise<KubeStream>;
  readonly counts: () => readonly CallCount[];
  readonly close: () => void;
};

/** Where objects of one kind are. `resource` is the plural name. */
export type ResourceType = { readonly group: string; readonly version: string; readonly resource: string };

export type KubeObject = JsonObject;

export type ListOptions = {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
};

export type PatchKind = "json" | "merge" | "strategic";

export type WriteOptions = {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly subresource?: string;
};

/** Objects of one kind. Namespace "" is for kinds without one, and for lists over all namespaces. */
export type ObjectClient = {
  readonly get: (namespace: string, name: string) => Promise<KubeObject>;
  /** All pages, 500 objects each, one object at a time. */
  readonly list: (options?: ListOptions) => AsyncIterable<KubeObject>;
  readonly create: (object: KubeObject, options?: WriteOptions) => Promise<KubeObject>;
  readonly replace: (object: KubeObject, options?: WriteOptions) => Promise<KubeObject>;
  readonly patch: (
    at: { readonly namespace: string; readonly name: string },
    kind: PatchKind,
    patch: Json,
    options?: WriteOptions,
  ) => Promise<KubeObject>;
  /** Server-side apply, conflicts forced. */
  readonly apply: (
    object: KubeObject,
    options: WriteOptions & { readonly fieldManager: string },
  ) => Promise<KubeObject>;
  readonly remove: (namespace: string, name: string, options?: { readonly uid?: string }) => Promise<void>;
};

/** A kind that the server serves. */
export type ApiResource = ResourceType & {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** By name (`status`); the kind is that of the request's object (`autoscaling/v1 Scale`). */
  readonly subresources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly group: string;
    readonly version: string;
  }[];
  /** Whether this is the version that the server prefers for the group. */
  readonly preferred: boolean;
};

/**
 * What the server serves. `failed` names group versions that could not be read (an aggregated API that is down); of those
 * `resources` has what was last known, which is nothing where they never could be read.
 */
export type Discovery = { readonly resources: readonly ApiResource[]; readonly failed: readonly string[] };

export type DiscoveryCache = {
  /** The last answer; `undefined` before the first. */
  readonly current: () => Discovery | undefined;
  /** Asks again; keeps the last answer where that fails, and throws. */
  readonly refresh: () => Promise<Discovery>;
};

export type InformerChange = {
  readonly type: "added" | "updated" | "deleted";
  readonly object: KubeObject;
  readonly previous?: KubeObject;
};

export type InformerOptions = ListOptions & {
  readonly type: ResourceType;
  /** Drops what nobody reads before it is kept (managedFields, data); `undefined` keeps nothing of the object. */
  readonly trim?: (object: KubeObject) => KubeObject | undefined;
  /** Told of each failed attempt to list or watch; the informer goes on by itself. */
  readonly onProblem?: (error: KubeError) => void;
};

/** A watched collection: always what the server had at one moment, never an object that was not there. */
export type Informer = {
  /** Starts, and resolves once the first list is in. A kind that the server does not serve counts as empty. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
  readonly synced: () => boolean;
  readonly get: (namespace: string, name: string) => KubeObject | undefined;
  readonly list: () => readonly KubeObject[];
  readonly size: () => number;
  /** Called after the collection has the change; a listener that throws is a bug and ends the process. */
  readonly onChange: (listener: (change: InformerChange) => void) => void;
  /** Clock time of the last sign of life from the server, bookmarks included; 0 before the first. */
  readonly lastContactMs: () => number;
};

export type LeaderOptions = {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  /** Milliseconds; 15,000, 10,000 and 2,000 where absent, as client-go. */
  readonly leaseMs?: number;
  readonly renewMs?: number;
  readonly retryMs?: number;
  /** Called each time that this process becomes the leader, and when it no longer is. */
  readonly onStarted: () => void;
  readonly onStopped: () => void;
};

export type LeaderElection = {
  readonly start: () => void;
  readonly isLeader: () => boolean;
  /** Stops, and gives the lease back so that another need not wait for it to run out. */
  readonly release: () => Promise<void>;
};
