/**
 * What one call of `evaluate` shares among its rules: the request, the facts, the budget, the lookups that are missing,
 * and the `request` document that policies see. The document is made once a request and never copies the object.
 */
import type { Budget } from "#diag";
import { Interruption } from "#diag";
import type { Json, JsonObject } from "#json";
import { QueryError, type QueryRun } from "#jmespath";
import { serviceAccountOf } from "#k8s";

import type { EvaluationRequest, Fact, Facts, Lookup } from "../request.ts";
import type { TraceSink } from "../trace.ts";
import { givenRoot } from "./given-values.ts";
import { seededRandom } from "./seeded-random.ts";

const PENDING = new Interruption("pending");

/** PERF: most policies need a part of it only, so the rest is made when it is asked for. */
export class EvaluationRun {
  readonly request: EvaluationRequest;
  readonly facts: Facts;
  readonly budget: Budget;
  readonly trace: TraceSink | undefined;
  readonly #outer: EvaluationRun | undefined;
  #lookups: Map<string, Lookup> | undefined;
  #ahead = false;
  #root: JsonObject | undefined;
  #queryRun: QueryRun | undefined;

  /**
   * @param options `outer`: the run that this one is part of, whose needs its missing lookups are; `root`: a document in
   *   place of the request's
   */
  constructor(
    request: EvaluationRequest,
    facts: Facts,
    budget: Budget,
    options: {
      readonly trace?: TraceSink | undefined;
      readonly outer?: EvaluationRun;
      readonly root?: JsonObject | undefined;
    } = {},
  ) {
    this.request = request;
    this.facts = facts;
    this.budget = budget;
    this.trace = options.trace;
    this.#outer = options.outer;
    this.#root = options.root;
  }

  /** Lookups that had no fact, by key; undefined where there is none. */
  get lookups(): ReadonlyMap<string, Lookup> | undefined {
    return this.#outer === undefined ? this.#lookups : this.#outer.lookups;
  }

  /** Members of the root that every rule starts with. */
  root(): JsonObject {
    return (this.#root ??= givenRoot(baseRoot(this.request, this.facts), this.facts.given?.variables));
  }

  queryRun(): QueryRun {
    return (this.#queryRun ??= {
      budget: this.budget,
      nowMs: this.facts.nowMs,
      random: seededRandom(this.facts.seed),
      externalHost: (host) => this.#externalHost(host),
    });
  }

  /**
   * The answer to a lookup.
   * @param foreseeable it may be made before it is certain that it is needed
   * @throws Interruption `pending` where there is no fact yet; the lookup is then among the run's needs
   */
  factOf(lookup: Lookup, foreseeable = true): Fact {
    const fact = this.facts.lookups.get(lookup.key);
    if (fact !== undefined) return fact;
    if (foreseeable || !this.#isAhead()) this.#note(lookup);
    throw PENDING;
  }

  /** What is asked from here on, until a verdict is there, only names lookups: an answer before it is missing. */
  lookAhead(): void {
    this.#ahead = true;
  }

  #isAhead(): boolean {
    return this.#ahead || (this.#outer !== undefined && this.#outer.#isAhead());
  }

  /** The same evaluation on another request: its lookups are this run's needs. */
  within(request: EvaluationRequest, facts: Facts): EvaluationRun {
    return new EvaluationRun(request, facts, this.budget, { trace: this.trace, outer: this });
  }

  #note(lookup: Lookup): void {
    if (this.#outer !== undefined) return this.#outer.#note(lookup);
    (this.#lookups ??= new Map()).set(lookup.key, lookup);
  }

  #externalHost(host: string): boolean | QueryError {
    const fact = this.factOf({ kind: "externalHost", key: `externalHost ${host}`, args: { host } });
    if (fact.kind === "value") return fact.value === true;
    return fact.kind === "unset" ? false : new QueryError("failed", fact.message);
  }
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
