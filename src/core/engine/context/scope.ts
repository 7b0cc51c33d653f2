/**
 * What a text may name, known when a policy is compiled: the context entries that are declared around it, in their order.
 * Entries are loaded when the text of a query names them, so the texts are searched here, once.
 * SPEC: Kyverno 1.19 pkg/engine/context/deferred.go: the name stands anywhere but after a dot, a digit or a letter.
 */
import type { EvaluationError } from "../evaluation-error.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

/** A context entry, compiled. Its own texts see the entries before it only. */
export type DeclaredEntry = {
  readonly name: string;
  /** Puts the value into the context; the error where there is none. Tried once in a scope. */
  readonly load: (context: EvaluationContext) => EvaluationError | undefined;
  /**
   * Names the entry's lookup ahead of its use, so that one pass collects all that do not depend on each other; absent
   * where there is no lookup, or it must not be made before it is needed (a POST).
   */
  readonly foresee?: (context: EvaluationContext) => void;
};

export class Scope {
  readonly entries: readonly DeclaredEntry[];
  /** Namespace of a namespaced policy: its lookups may not leave it. */
  readonly namespace: string | undefined;

  constructor(entries: readonly DeclaredEntry[], namespace: string | undefined) {
    this.entries = entries;
    this.namespace = namespace;
  }

  with(entry: DeclaredEntry): Scope {
    return new Scope([...this.entries, entry], this.namespace);
  }

  /** Entries that a query of this text loads, in the order of their declaration. */
  triggeredBy(text: string): readonly DeclaredEntry[] {
    return this.entries.filter((entry) => mentions(text, entry.name));
  }
}

function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = at === 0 ? " " : text.charAt(at - 1);
    const after = text.charAt(at + name.length);
    if (!/[.0-9A-Za-z]/.test(before) && isBoundary(name.charAt(name.length - 1), after)) return true;
  }
  return false;
}

function isBoundary(last: string, next: string): boolean {
  return /\w/.test(last) !== /\w/.test(next);
}
