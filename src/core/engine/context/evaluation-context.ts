/**
 * What one rule sees while it is evaluated: the root document with the request, the entries that were loaded so far and
 * the elements of the foreach that it is in. Everything that is put into the root inside an element is taken out again
 * when the element is left, so that an entry which depends on the element is loaded anew for the next one.
 */
import type { Budget } from "#diag";
import { isObject, member, printJson, type Json, type JsonObject } from "#json";
import { QueryError } from "#jmespath";

import { EvaluationError } from "../evaluation-error.ts";
import type { ScopedQuery } from "../variables/scoped-query.ts";
import { resourceOf, type EvaluationRun } from "./evaluation-run.ts";
import { ElementFrame } from "./element-frame.ts";
import { givenRoot } from "./given-values.ts";
import type { DeclaredEntry, Scope } from "./scope.ts";

/** Bytes of all context entries of a rule. */
export const MAX_CONTEXT_BYTES: number = 2 * 1024 * 1024;

/** What an element, or a checkpoint, is left for: everything that came after it is gone then. */
export type Mark = {
  readonly root: JsonObject;
  readonly subject: Json | undefined;
  readonly bytes: number;
  readonly tried: number;
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
    const size = utf8Length(printJson(value));
    this.budget.charge(1 + (size >> 4));
    this.#bytes += size;
    if (this.#bytes > this.maxBytes) {
      return new EvaluationError(
        `context size limit exceeded: ${this.#bytes} bytes exceeds limit of ${this.maxBytes} bytes`,
      );
    }
    this.#root = { ...this.root(), [name]: value };
    return undefined;
  }

  /** Where `leave` comes back to. */
  mark(): Mark {
    return { root: this.root(), subject: this.#subject, bytes: this.#bytes, tried: this.#tried?.length ?? 0 };
  }

  /** @param scoped whether patterns are held against the element */
  enterElement(element: Json, index: number, nesting: number, scoped: boolean): Mark {
    const mark = this.mark();
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
    if (this.#tried !== undefined && this.#tried.length > mark.tried) this.#tried.length = mark.tried;
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
    for (const entry of entries) {
      if (this.#tried?.includes(entry) === true) continue;
      (this.#tried ??= []).push(entry);
      const failure = entry.load(this);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  #createRoot(): JsonObject {
    const given = this.run.facts.given?.rules[this.rule];
    return givenRoot(this.run.root(), given);
  }
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}

/** The object that image data come from. */
export function imageSource(context: EvaluationContext): JsonObject | null {
  return resourceOf(context.run.request);
}
