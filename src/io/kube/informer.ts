/**
 * A collection that follows the server: one list, then a watch from where the list was, for as long as the process runs.
 * Lists are paged and consistent (no `resourceVersion=0`): a page at a time bounds the memory that ten thousand objects
 * take while they come, and what comes is never older than what was there when it was asked for.
 * Trouble leaves the collection as it was. A connection that broke goes on from the last version; one that says nothing
 * for three minutes is given up (bookmarks come every minute). A version that the server no longer has, or answers with
 * an error, or that stays silent twice (etcd was put back to an older state), leads to a new list, whose difference is
 * told like any change. A kind that the server does not serve is an empty collection and is looked for again; where it
 * has objects, the server must say so twice, since one that has just started may not know all kinds yet.
 * SPEC: client-go tools/cache reflector.go; Kubernetes API concepts, "efficient detection of changes".
 */
import { Fault } from "#diag";
import type { Json } from "#json";
import { isObject } from "#json";
import type { Clock } from "#platform";
import { wait } from "#platform";
import type { Collection } from "./collection.ts";
import { createCollection, versionOf } from "./collection.ts";
import type {
  Informer,
  InformerChange,
  InformerOptions,
  KubeClient,
  KubeObject,
  KubeStream,
} from "./contract.ts";
import { KubeError, describeAnswer, isGone, isNotFound } from "./kube-error.ts";
import { collectionPath, itemsIn, selectorQuery } from "./objects.ts";

const PAGE = 500;
/** A kind in which nothing happens gets its first bookmark up to two minutes after the watch began (seen on 1.34 and 1.36). */
const SILENCE_MS = 180_000;
/** A watch is asked to end after five to ten minutes, so that a restarted server gets its share again. */
const WATCH_SECONDS = 300;
const FIRST_PAUSE_MS = 500;
/** A third of client-go's: a gate goes on with old policies for as long as this after its API server is back. */
const LONGEST_PAUSE_MS = 10_000;
const LIST_TIMEOUT_MS = 60_000;
const UNSERVED_PAUSE_MS = 10_000;

export function createInformer(client: KubeClient, options: InformerOptions, clock: Clock): Informer {
  return new Reflector(client, options, clock);
}

class Reflector implements Informer {
  readonly #client: KubeClient;
  readonly #options: InformerOptions;
  readonly #clock: Clock;
  readonly #path: string;
  readonly #collection: Collection;
  readonly #listeners: ((change: InformerChange) => void)[] = [];
  readonly #stopped = new AbortController();
  #version = "";
  #failures = 0;
  /** Connections in a row that said nothing, and lists in a row that found no such kind. */
  #silences = 0;
  #absences = 0;
  #lastContactMs = 0;
  #isSynced = false;
  #started: Promise<void> | undefined;
  #tellSynced: () => void = () => undefined;

  constructor(client: KubeClient, options: InformerOptions, clock: Clock) {
    this.#client = client;
    this.#options = options;
    this.#clock = clock;
    this.#path = collectionPath(options.type, options.namespace ?? "");
    this.#collection = createCollection(options.trim, (change) => {
      for (const listener of this.#listeners) listener(change);
    });
  }

  start(): Promise<void> {
    this.#started ??= new Promise((done) => {
      this.#tellSynced = done;
      void this.#follow();
    });
    return this.#started;
  }

  stop(): void {
    this.#stopped.abort();
  }

  synced(): boolean {
    return this.#isSynced;
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.#collection.get(namespace, name);
  }

  list(): readonly KubeObject[] {
    return this.#collection.list();
  }

  size(): number {
    return this.#collection.size();
  }

  onChange(listener: (change: InformerChange) => void): void {
    this.#listeners.push(listener);
  }

  lastContactMs(): number {
    return this.#lastContactMs;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        if (this.#version === "") await this.#list();
        const wasOfUse = await this.#watch();
        if (wasOfUse) this.#failures = 0;
        else await this.#pause(0);
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(asKubeError(error));
      }
    }
  }

  async #recover(error: KubeError): Promise<void> {
    if (isNotFound(error)) {
      await this.#unserved();
      return;
    }
    if (isGone(error)) {
      this.#version = "";
      if (this.#failures === 0) {
        this.#failures = 1;
        return;
      }
    }
    this.#options.onProblem?.(error);
    await this.#pause((error.retryAfterSeconds ?? 0) * 1000);
  }

  async #unserved(): Promise<void> {
    this.#version = "";
    this.#heard();
    if (this.#collection.size() === 0 || this.#absences > 0) {
      this.#collection.replace().finish();
      this.#markSynced();
    }
    this.#absences += 1;
    await wait(this.#clock, this.#jittered(UNSERVED_PAUSE_MS), this.#stopped.signal);
  }

  /** Longer each time, until something is of use again. */
  async #pause(leastMs: number): Promise<void> {
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    await wait(this.#clock, Math.max(leastMs, this.#jittered(growing)), this.#stopped.signal);
  }

  async #list(): Promise<void> {
    const replacement = this.#collection.replace();
    let next = "";
    let version = "";
    do {
      const { body } = await this.#client.send({
        method: "GET",
        path: this.#path,
        query: {
          limit: String(PAGE),
          ...(next === "" ? {} : { continue: next }),
          ...selectorQuery(this.#options),
        },
        purpose: "watch",
        timeoutMs: LIST_TIMEOUT_MS,
        once: true,
        signal: this.#stopped.signal,
      });
      if (this.#stopped.signal.aborted) return;
      this.#heard();
      for (const object of itemsIn(body)) replacement.take(object);
      next = metadataText(body, "continue");
      version = metadataText(body, "resourceVersion");
    } while (next !== "");
    replacement.finish();
    this.#version = version;
    this.#absences = 0;
    this.#markSynced();
  }

  /** Whether it was of use: it lasted, or it brought something. */
  async #watch(): Promise<boolean> {
    const stream = await this.#openWatch();
    const openedMs = this.#clock.monotonicMs();
    this.#heard();
    const guard = this.#guardSilence(stream);
    let events = 0;
    try {
      for await (const event of stream) {
        if (this.#stopped.signal.aborted) return true;
        this.#heard();
        guard.renew();
        this.#take(event);
        events += 1;
      }
    } catch (error) {
      if (!guard.wasSilent()) throw error;
    } finally {
      guard.end();
      stream.close();
    }
    if (guard.wasSilent()) this.#silences += 1;
    if (this.#silences > 1) this.#forgetVersion();
    return events > 0 || this.#clock.monotonicMs() - openedMs >= FIRST_PAUSE_MS;
  }

  #openWatch(): Promise<KubeStream> {
    const seconds = Math.round(WATCH_SECONDS * (1 + this.#clock.random()));
    return this.#client.watch({
      method: "GET",
      path: this.#path,
      query: {
        watch: "true",
        allowWatchBookmarks: "true",
        resourceVersion: this.#version,
        timeoutSeconds: String(seconds),
        ...selectorQuery(this.#options),
      },
      purpose: "watch",
      signal: this.#stopped.signal,
    });
  }

  /** @throws KubeError for an ERROR event */
  #take(event: KubeObject): void {
    const { type, object } = event;
    if (!isObject(object)) return;
    if (type === "ERROR") {
      // Asked again for the same version, the server would stumble over the same event.
      this.#forgetVersion();
      const code = object["code"];
      throw new KubeError(describeAnswer(typeof code === "number" ? code : 500, object, "watch: error"));
    }
    if (type === "ADDED" || type === "MODIFIED") this.#collection.put(object);
    else if (type === "DELETED") this.#collection.remove(object);
    this.#version = versionOf(object) || this.#version;
    this.#failures = 0;
    this.#silences = 0;
  }

  #forgetVersion(): void {
    this.#version = "";
    this.#silences = 0;
  }

  /** Closes a stream on which nothing has come for too long; its reader then sees a broken connection. */
  #guardSilence(stream: KubeStream): SilenceGuard {
    let silent = false;
    const giveUp = (): void => {
      silent = true;
      stream.close();
    };
    let callOff = this.#clock.later(giveUp, SILENCE_MS);
    return {
      renew: () => {
        callOff();
        callOff = this.#clock.later(giveUp, SILENCE_MS);
      },
      end: () => callOff(),
      wasSilent: () => silent,
    };
  }

  #heard(): void {
    this.#lastContactMs = this.#clock.nowMs();
  }

  #markSynced(): void {
    this.#heard();
    this.#isSynced = true;
    this.#tellSynced();
  }

  #jittered(milliseconds: number): number {
    return milliseconds * (0.5 + this.#clock.random());
  }
}

type SilenceGuard = {
  readonly renew: () => void;
  readonly end: () => void;
  readonly wasSilent: () => boolean;
};

/** Credentials that cannot be had for now are trouble like any other; what is no fault is a bug and ends the process. */
function asKubeError(error: unknown): KubeError {
  if (error instanceof KubeError) return error;
  if (!(error instanceof Fault)) throw error;
  return new KubeError({ status: 0, reason: "", message: error.message, cause: error });
}

function metadataText(body: Json, name: string): string {
  const metadata = isObject(body) ? body["metadata"] : undefined;
  const value = isObject(metadata) ? metadata[name] : undefined;
  return typeof value === "string" ? value : "";
}
