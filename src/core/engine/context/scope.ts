/**
 * What a text may name, known when a policy is compiled: the context entries that are declared around it, in their order.
 * Entries are loaded when the text of a query names them, so the texts are searched here, once.
 * SPEC: Kyverno 1.19 pkg/engine/context/deferred.go.
 */
import type { EvaluationError } from "../evaluation-error.ts";
import { compileMention } from "./mention.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

/** A context entry, compiled. Its own texts see the entries before it only. */
export type EntryProgram = {
  readonly name: string;
  /** Puts the value into the context; the error where there is none. Tried once in a scope. */
  readonly load: (context: EvaluationContext) => EvaluationError | undefined;
  /**
   * Names the entry's lookup ahead of its use, so that one pass collects all that do not depend on each other; absent
   * where there is no lookup, or it must not be made before it is needed (a POST).
   */
  readonly foresee?: (context: EvaluationContext) => void;
};

export type DeclaredEntry = EntryProgram & {
  /** How many foreach are around the declaration: 0 for an entry of the rule. */
  readonly depth: number;
  readonly isNamedIn: (text: string) => boolean;
};

export class Scope {
  readonly entries: readonly DeclaredEntry[];
  /** Namespace of a namespaced policy: its lookups may not leave it. */
  readonly namespace: string | undefined;
  readonly depth: number;

  constructor(namespace: string | undefined, depth = 0, entries: readonly DeclaredEntry[] = []) {
    this.entries = entries;
    this.namespace = namespace;
    this.depth = depth;
  }

  with(entry: EntryProgram): Scope {
    const declared = { ...entry, depth: this.depth, isNamedIn: compileMention(entry.name) };
    return new Scope(this.namespace, this.depth, [...this.entries, declared]);
  }

  /** The scope of a foreach in this one. */
  inner(): Scope {
    return new Scope(this.namespace, this.depth + 1, this.entries);
  }

  /** Entries that a query of this text loads, in the order of their declaration. */
  triggeredBy(text: string): readonly DeclaredEntry[] {
    return this.entries.filter((entry) => entry.isNamedIn(text));
  }
}
