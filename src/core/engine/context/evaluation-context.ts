/**
 * What one rule sees while it is evaluated: the root document with the request, the entries that were loaded so far and
 * the elements of the foreach that it is in. Everything that is put into the root inside an element is taken out again
 * when the element is left: a foreach's own entries are loaded anew for the next one.
 */
import type { Budget } from "#diag";
import { isObject, member, type Json, type JsonObject } from "#json";
import { QueryError } from "#jmespath";

import { EvaluationError } from "../evaluation-error.ts";
import type { ScopedQuery } from "../variables/scoped-query.ts";
import { resourceOf, type EvaluationRun } from "./evaluation-run.ts";
import { ElementFrame } from "./element-frame.ts";
import { givenRoot } from "./given-values.ts";
import { jsonSize } from "./json-size.ts";
import type { DeclaredEntry, Scope } from "./scope.ts";

/** Bytes of all context entries of a rule. */
export const MAX_CONTEXT_BYTES: number = 2 * 1024 * 1024;

/** Entries that wait for each other at one time; far more than policies have, few enough for the stack. */
const MAX_LOADING = 100;

/** What an element, or a checkpoint, is left for: everything that came after it is gone then. */
export type Mark = {
  readonly root: JsonObject;
  readonly subject: Json | undefined;
  readonly bytes: number;
  readonly tried: number;
  /** Foreach around what is left: entries from further out outlive it. */
  readonly depth: number;
};

export type ContextOptions = {
  /** Everything that the rule declares. */
  readonly scope: Scope;
  readonly maxBytes?: number | undefined;
};

export class EvaluationContext {
  readonly run: EvaluationRun;
  readonly budget: Budget;
  /** Authored name of the rule, for the values that a test gives it. */
  readonly rule: string;
  readonly maxBytes: number;
  readonly #scope: Scope;
  #root: JsonObject | undefined;
  /** By nesting; those below an element that was left are dropped with it. */
  #frames: ElementFrame[] | undefined;
  #tried: DeclaredEntry[] | undefined;
  /** Entries from outside of an element that was left, which were first loaded in it. */
  #owed: readonly DeclaredEntry[] | undefined;
  #loading = 0;
  #subject: Json | undefined;
  #bytes = 0;

  constructor(run: EvaluationRun, rule: string, options: ContextOptions) {
    this.run = run;
    this.budget = run.budget;
    this.rule = rule;
    this.maxBytes = options.maxBytes ?? MAX_CONTEXT_BYTES;
    this.#scope = options.scope;
    this.#subject = run.request.object ?? undefined;
  }

  /** What patterns are held against; undefined where there is nothing (the object of a DELETE). */
  patternSubject(): Json | undefined {
    return this.#subject;
  }

  /** The whole document, for queries. */
  root(): JsonObject {
    return (this.#root ??= this.#createRoot());
  }

  isDelete(): boolean {
    const request = this.root()["request"];
    return isObject(request) && request["operation"] === "DELETE";
  }

  /** Runs a query; entries that its text names are loaded first. */
  query(scoped: ScopedQuery): Json | EvaluationError {
    const failure = this.#load(scoped.triggers);
    if (failure !== undefined) return failure;
    if (scoped.query instanceof EvaluationError) return scoped.query;
    const root = scoped.takesRoot ? { ...this.root() } : this.root();
    const value = scoped.query.evaluate(root, this.run.queryRun());
    return value instanceof QueryError
      ? new EvaluationError(`JMESPath query failed: ${value.message}`)
      : value;
  }

  /** Whether the values that a test gives have this name: then no lookup is made for it. */
  isGiven(name: string): boolean {
    return member(this.root(), name) !== undefined;
  }

  /** Puts an entry's value into the root; an error where the entries together grow too large. */
  declare(name: string, value: Json): EvaluationError | undefined {
    this.#bytes += jsonSize(value, this.budget);
    if (this.#bytes > this.maxBytes) {
      return new EvaluationError(
        `context size limit exceeded: ${this.#bytes} bytes exceeds limit of ${this.maxBytes} bytes`,
      );
    }
    this.#root = { ...this.root(), [name]: value };
    return undefined;
  }

  /** Where `leave` comes back to. */
  mark(depth: number): Mark {
    const tried = this.#tried?.length ?? 0;
    return { root: this.root(), subject: this.#subject, bytes: this.#bytes, tried, depth };
  }

  /** @param scoped whether patterns are held against the element */
  enterElement(element: Json, index: number, nesting: number, scoped: boolean): Mark {
    this.#settle();
    const mark = this.mark(nesting);
    const frames = (this.#frames ??= []);
    if (frames.length > nesting + 1) frames.length = nesting + 1;
    let frame = frames[nesting];
    if (frame?.base !== mark.root) frames[nesting] = frame = new ElementFrame(mark.root, nesting);
    frame.show(element, index);
    this.#root = givenRoot(frame.root, this.#givenFor(index));
    if (scoped) this.#subject = element;
    return mark;
  }

  leave(mark: Mark): void {
    this.#root = mark.root;
    this.#subject = mark.subject;
    this.#bytes = mark.bytes;
    const tried = this.#tried;
    if (tried === undefined || (tried.length === mark.tried && this.#owed === undefined)) return;
    const gone = tried.splice(mark.tried).concat(this.#owed ?? []);
    const owed = gone.filter((entry) => entry.depth <= mark.depth);
    this.#owed = owed.length === 0 ? undefined : owed;
  }

  /** Names, ahead of their use, the lookups of all entries of the rule. */
  foresee(): void {
    for (const entry of this.#scope.entries) {
      if (this.#tried?.includes(entry) !== true) entry.foresee?.(this);
    }
  }

  /** What a test gives for this element. */
  #givenFor(index: number): JsonObject | undefined {
    const given = this.run.facts.given?.foreach[this.rule];
    if (given === undefined) return undefined;
    const values: Record<string, Json> = {};
    for (const [name, list] of Object.entries(given)) {
      const value = list[index];
      if (value !== undefined) values[name] = value;
    }
    return values;
  }

  #load(entries: readonly DeclaredEntry[]): EvaluationError | undefined {
    if (entries.length === 0) return undefined;
    this.#settle();
    for (const entry of entries) {
      if (this.#tried?.includes(entry) === true) continue;
      const failure = this.#loadOne(entry);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  #loadOne(entry: DeclaredEntry): EvaluationError | undefined {
    if (this.#loading >= MAX_LOADING) {
      return new EvaluationError(`context entries depend on each other through more than ${MAX_LOADING}`);
    }
    (this.#tried ??= []).push(entry);
    this.#loading += 1;
    try {
      return entry.load(this);
    } finally {
      this.#loading -= 1;
    }
  }

  /**
   * What was first loaded inside of an element is loaded again outside of it, once for all elements that follow. Where
   * that fails, as it does for an entry that needs the element, the name stays unknown.
   * SPEC: Kyverno 1.19 pkg/engine/context/deferred.go (Reset).
   */
  #settle(): void {
    const owed = this.#owed;
    if (owed === undefined) return;
    this.#owed = undefined;
    for (const entry of owed) if (this.#tried?.includes(entry) !== true) this.#loadOne(entry);
  }

  #createRoot(): JsonObject {
    const given = this.run.facts.given?.rules[this.rule];
    return givenRoot(this.run.root(), given);
  }
}

/** The object that image data come from. */
export function imageSource(context: EvaluationContext): JsonObject | null {
  return resourceOf(context.run.request);
}
