/**
 * What one rule sees while it is evaluated: the root document with the request, the entries that were loaded so far and
 * the elements of the foreach that it is in. Everything that is put into the root inside an element is taken out again
 * when the element is left, so that an entry which depends on the element is loaded anew for the next one.
 */
import type { Budget } from "#diag";
import { member, printJson, type Json, type JsonObject } from "#json";
import { QueryError } from "#jmespath";

import { EvaluationError } from "../evaluation-error.ts";
import type { ScopedQuery } from "../variables/scoped-query.ts";
import { resourceOf, type EvaluationRun } from "./evaluation-run.ts";
import type { DeclaredEntry, Scope } from "./scope.ts";

/** Bytes of all context entries of a rule. */
export const MAX_CONTEXT_BYTES: number = 2 * 1024 * 1024;

type Change = {
  readonly name: string;
  readonly before: Json | undefined;
  readonly entry: DeclaredEntry | undefined;
};

/** Where to go back to when an element is left. */
export type Mark = { readonly changes: number; readonly subject: Json | undefined; readonly bytes: number };

export class EvaluationContext {
  readonly run: EvaluationRun;
  readonly budget: Budget;
  /** Authored name of the rule, for the values that a test gives it. */
  readonly rule: string;
  readonly maxBytes: number;
  #root: Record<string, Json> | undefined;
  #changes: Change[] | undefined;
  #tried: Set<DeclaredEntry> | undefined;
  #subject: Json | undefined;
  #bytes = 0;

  constructor(run: EvaluationRun, rule: string, maxBytes: number = MAX_CONTEXT_BYTES) {
    this.run = run;
    this.budget = run.budget;
    this.rule = rule;
    this.maxBytes = maxBytes;
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
    return (
      typeof request === "object" && request !== null && (request as JsonObject)["operation"] === "DELETE"
    );
  }

  /** Runs a query; entries that its text names are loaded first. */
  query(scoped: ScopedQuery): Json | EvaluationError {
    const failure = this.#load(scoped.triggers);
    if (failure !== undefined) return failure;
    if (scoped.query instanceof EvaluationError) return scoped.query;
    const value = scoped.query.evaluate(this.root(), this.run.queryRun);
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
    const text = printJson(value);
    this.budget.charge(1 + (text.length >> 4));
    this.#bytes += text.length;
    if (this.#bytes > this.maxBytes) {
      return new EvaluationError(
        `context size limit exceeded: ${this.#bytes} bytes exceeds limit of ${this.maxBytes} bytes`,
      );
    }
    this.#set(name, value, undefined);
    return undefined;
  }

  /** @param scoped whether patterns are held against the element */
  enterElement(element: Json, index: number, nesting: number, scoped: boolean): Mark {
    const mark: Mark = { changes: this.#changes?.length ?? 0, subject: this.#subject, bytes: this.#bytes };
    this.#set("element", element, undefined);
    this.#set("elementIndex", index, undefined);
    this.#set(`element${nesting}`, element, undefined);
    this.#set(`elementIndex${nesting}`, index, undefined);
    const given = this.run.facts.given?.foreach[this.rule];
    if (given !== undefined) {
      for (const [name, values] of Object.entries(given)) {
        const value = values[index];
        if (value !== undefined) this.#set(name, value, undefined);
      }
    }
    if (scoped) this.#subject = element;
    return mark;
  }

  leave(mark: Mark): void {
    const changes = this.#changes;
    const root = this.#root;
    while (changes !== undefined && root !== undefined && changes.length > mark.changes) {
      const change = changes.pop();
      if (change === undefined) break;
      if (change.entry !== undefined) this.#tried?.delete(change.entry);
      else if (change.before === undefined) delete root[change.name];
      else root[change.name] = change.before;
    }
    this.#subject = mark.subject;
    this.#bytes = mark.bytes;
  }

  /** Names, ahead of their use, the lookups of all entries in scope. */
  foresee(scope: Scope): void {
    for (const entry of scope.entries) {
      if (this.#tried?.has(entry) !== true) entry.foresee?.(this);
    }
  }

  #load(entries: readonly DeclaredEntry[]): EvaluationError | undefined {
    for (const entry of entries) {
      if (this.#tried?.has(entry) === true) continue;
      (this.#tried ??= new Set()).add(entry);
      (this.#changes ??= []).push({ name: entry.name, before: undefined, entry });
      const failure = entry.load(this);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  #set(name: string, value: Json, entry: DeclaredEntry | undefined): void {
    const root = (this.#root ??= this.#createRoot());
    (this.#changes ??= []).push({ name, before: member(root, name), entry });
    root[name] = value;
  }

  #createRoot(): Record<string, Json> {
    const given = this.run.facts.given?.rules[this.rule];
    return given === undefined ? { ...this.run.root() } : { ...this.run.root(), ...given };
  }
}

/** The object that image data come from. */
export function imageSource(context: EvaluationContext): JsonObject | null {
  return resourceOf(context.run.request);
}
