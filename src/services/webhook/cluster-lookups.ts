/**
 * Answers what policies ask of the world while a request waits: ConfigMaps, GETs and POSTs to the API server, services.
 * Equal questions within a second are one call, so that a burst of pods does not become a burst of calls; how many calls
 * are under way is bounded, and each has the time that its request has left, or less.
 * INVARIANT: never rejects, never waits longer than it was given; a failure is a fact with the reason in it.
 */
import type { Fact, Lookup, LookupKind } from "#engine";
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { KubeAnswer, KubeClient } from "#kube";
import { KubeError } from "#kube";
import { resolvesExternally } from "#platform";
import { callService } from "./service-call.ts";

export type LookupOptions = {
  readonly client: KubeClient;
  /** A ConfigMap that is kept in memory; `undefined` where it is not. */
  readonly configMap: (namespace: string, name: string) => JsonObject | undefined;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
};

export type ClusterLookups = {
  readonly answer: (lookup: Lookup, timeoutMs: number) => Promise<Fact>;
};

const REMEMBER_MS = 1000;
const MAX_REMEMBERED = 500;
const MAX_UNDER_WAY = 100;

type Remembered = { readonly fact: Promise<Fact>; readonly untilMs: number };

export function createClusterLookups(options: LookupOptions): ClusterLookups {
  const remembered = new Map<string, Remembered>();
  let underWay = 0;

  async function fetch(lookup: Lookup, timeoutMs: number): Promise<Fact> {
    if (underWay >= MAX_UNDER_WAY) return failed("failed", "too many lookups are under way");
    underWay += 1;
    try {
      return await withinTime(answerers[lookup.kind](options, lookup, timeoutMs), timeoutMs);
    } catch (error) {
      return failure(error);
    } finally {
      underWay -= 1;
    }
  }

  return {
    answer(lookup, timeoutMs) {
      if (timeoutMs <= 0) return Promise.resolve(failed("timed-out", "there was no time left to look it up"));
      const kept = keptConfigMap(options, lookup);
      if (kept !== undefined) return Promise.resolve(kept);
      if (isPost(lookup)) return fetch(lookup, timeoutMs);
      const now = options.clock();
      const known = remembered.get(lookup.key);
      if (known !== undefined && now < known.untilMs) return withinTime(known.fact, timeoutMs);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const fact = fetch(lookup, timeoutMs);
      remembered.set(lookup.key, { fact, untilMs: now + REMEMBER_MS });
      return fact;
    },
  };
}

function keptConfigMap({ configMap }: LookupOptions, { kind, args }: Lookup): Fact | undefined {
  if (kind !== "configMap") return undefined;
  const value = configMap(textIn(args, "namespace"), textIn(args, "name"));
  return value === undefined ? undefined : { kind: "value", value };
}

type Answerer = (options: LookupOptions, lookup: Lookup, timeoutMs: number) => Promise<Fact>;

const answerers: Readonly<Record<LookupKind, Answerer>> = {
  async configMap({ client }, { args }, timeoutMs) {
    const path = `/api/v1/namespaces/${segment(args, "namespace")}/configmaps/${segment(args, "name")}`;
    return bodyOf(await client.send({ method: "GET", path, purpose: "policy", timeoutMs }));
  },
  async apiCall({ client }, { args }, timeoutMs) {
    const urlPath = textIn(args, "urlPath");
    const post = textIn(args, "method") === "POST";
    const body = post ? dataIn(args) : undefined;
    const service = isObject(args) ? args["service"] : undefined;
    if (isObject(service)) return { kind: "value", value: await callService(service, body, timeoutMs) };
    const [path = "", query = ""] = urlPath.split("?");
    return bodyOf(
      await client.send({
        method: post ? "POST" : "GET",
        path,
        query: Object.fromEntries(new URLSearchParams(query)),
        ...(body === undefined ? {} : { body }),
        purpose: "policy",
        timeoutMs,
      }),
    );
  },
  async externalHost(_, { args }) {
    return { kind: "value", value: await resolvesExternally(textIn(args, "host")) };
  },
  globalReference: () =>
    Promise.resolve(failed("unsupported", "global context entries are not supported yet")),
  imageData: () => Promise.resolve(failed("unsupported", "images are not looked up in registries yet")),
};

function bodyOf({ body }: KubeAnswer): Fact {
  return { kind: "value", value: body };
}

function isPost({ kind, args }: Lookup): boolean {
  return kind === "apiCall" && textIn(args, "method") === "POST";
}

/** `data` of an entry is a list of keys and values; what is sent is the object. */
function dataIn(args: Json): JsonObject {
  const data = isObject(args) ? args["data"] : undefined;
  if (!isArray(data)) return {};
  return Object.fromEntries(
    data.filter(isObject).map((entry) => [textIn(entry, "key"), entry["value"] ?? null] as const),
  );
}

function withinTime(fact: Promise<Fact>, timeoutMs: number): Promise<Fact> {
  return new Promise((done, fail) => {
    const timer = setTimeout(
      () => done(failed("timed-out", `no answer within ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
    fact.then(done, fail).finally(() => clearTimeout(timer));
  });
}

function failure(error: unknown): Fact {
  if (!(error instanceof KubeError)) {
    return failed("failed", error instanceof Error ? error.message : String(error));
  }
  if (error.status === 404) return failed("not-found", error.message);
  if (error.status === 401 || error.status === 403) return failed("denied", error.message);
  return failed("failed", error.message);
}

function failed(reason: Extract<Fact, { readonly kind: "error" }>["reason"], message: string): Fact {
  return { kind: "error", reason, message };
}

function textIn(args: Json, name: string): string {
  const text = isObject(args) ? args[name] : undefined;
  return typeof text === "string" ? text : "";
}

function segment(args: Json, name: string): string {
  return encodeURIComponent(textIn(args, name));
}
