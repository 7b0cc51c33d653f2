/**
 * What one call of `evaluate` shares among its rules: the request, the facts, the budget, the lookups that are missing,
 * and the `request` document that policies see. The document is made once a request and never copies the object.
 */
import type { Budget } from "#diag";
import { Interruption } from "#diag";
import { isObject, member, type Json, type JsonObject } from "#json";
import { QueryError, type QueryRun } from "#jmespath";
import { serviceAccountOf } from "#k8s";

import type { EvaluationRequest, Fact, Facts, Lookup } from "../request.ts";
import type { TraceSink } from "../trace.ts";
import { givenRoot } from "./given-values.ts";
import { seededRandom } from "./seeded-random.ts";

export type EvaluationRun = {
  readonly request: EvaluationRequest;
  readonly facts: Facts;
  readonly budget: Budget;
  /** Lookups that had no fact, by key. */
  readonly lookups: Map<string, Lookup>;
  readonly trace: TraceSink | undefined;
  readonly queryRun: QueryRun;
  /** Members of the root that every rule starts with. */
  readonly root: () => JsonObject;
};

const PENDING = new Interruption("pending");

export function createRun(
  request: EvaluationRequest,
  facts: Facts,
  budget: Budget,
  trace?: TraceSink,
): EvaluationRun {
  let root: JsonObject | undefined;
  const lookups = new Map<string, Lookup>();
  const run: EvaluationRun = {
    request,
    facts,
    budget,
    lookups,
    trace,
    queryRun: {
      budget,
      nowMs: facts.nowMs,
      random: seededRandom(facts.seed),
      externalHost: (host) => externalHost(run, host),
    },
    root: () => (root ??= givenRoot(baseRoot(request, facts), facts.given?.variables)),
  };
  return run;
}

/**
 * The answer to a lookup.
 * @throws Interruption `pending` where there is no fact yet; the lookup is then among the run's needs
 */
export function factOf(run: EvaluationRun, lookup: Lookup): Fact {
  const fact = run.facts.lookups.get(lookup.key);
  if (fact !== undefined) return fact;
  run.lookups.set(lookup.key, lookup);
  throw PENDING;
}

function externalHost(run: EvaluationRun, host: string): boolean | QueryError {
  const fact = factOf(run, { kind: "externalHost", key: `externalHost ${host}`, args: { host } });
  if (fact.kind === "value") return fact.value === true;
  return fact.kind === "unset" ? false : new QueryError("failed", fact.message);
}

const documents = new WeakMap<EvaluationRequest, WeakMap<Facts, JsonObject>>();

/** PERF: policies share the document, which hangs on the request and the facts alone. */
function baseRoot(request: EvaluationRequest, facts: Facts): JsonObject {
  let byFacts = documents.get(request);
  if (byFacts === undefined) documents.set(request, (byFacts = new WeakMap()));
  let root = byFacts.get(facts);
  if (root === undefined) byFacts.set(facts, (root = createRoot(request, facts)));
  return root;
}

function createRoot(request: EvaluationRequest, facts: Facts): JsonObject {
  const document = requestDocument(request, facts);
  if (request.userInfo === undefined && request.review === undefined) return { request: document };
  const account = serviceAccountOf(request.userInfo?.username ?? "");
  return {
    request: document,
    serviceAccountName: account?.name ?? "",
    serviceAccountNamespace: account?.namespace ?? "",
  };
}

/** SPEC: kyverno-surface.md section 4.2: the review where there is one, else what a scan knows. */
function requestDocument(request: EvaluationRequest, facts: Facts): JsonObject {
  const document: Record<string, Json> = { ...(request.review ?? reviewOf(request)) };
  if (request.userInfo !== undefined) {
    document["userInfo"] ??= userInfoDocument(request);
    document["roles"] = facts.roles;
    document["clusterRoles"] = facts.clusterRoles;
  }
  return document;
}

function reviewOf(request: EvaluationRequest): JsonObject {
  return {
    operation: request.operation,
    ...(request.namespace === "" ? {} : { namespace: request.namespace }),
    ...(request.object === null ? {} : { object: request.object }),
    ...(request.oldObject === null ? {} : { oldObject: request.oldObject }),
  };
}

function userInfoDocument(request: EvaluationRequest): JsonObject {
  const { username = "", uid, groups = [], extra } = request.userInfo ?? {};
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(extra === undefined ? {} : { extra }),
  };
}

/** The object that rules look at: the old one on DELETE. */
export function resourceOf(request: EvaluationRequest): JsonObject | null {
  return request.object ?? request.oldObject;
}

export function textMember(value: Json | undefined, key: string): string {
  const found = isObject(value) ? member(value, key) : undefined;
  return typeof found === "string" ? found : "";
}
