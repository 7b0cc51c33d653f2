/**
 * Parts of the engine on their own, for those who try things out and for the conformance suites: a document with
 * variables, conditions, context entries and queries against a root that is given instead of a request. What runs here is
 * what rules run.
 */
import { Budget, Interruption } from "#diag";
import { plainText, type Json, type JsonObject } from "#json";
import type { ContextEntry } from "#policy";

import { DEFAULT_BUDGET } from "./compile-policy.ts";
import { compileConditions } from "./conditions/conditions.ts";
import { declareEntries, ruleScope } from "./context/compile-entries.ts";
import { EvaluationContext } from "./context/evaluation-context.ts";
import { EvaluationRun } from "./context/evaluation-run.ts";
import type { Scope } from "./context/scope.ts";
import { EvaluationError, isEvaluationError } from "./evaluation-error.ts";
import { resolveReferences } from "./pattern/references.ts";
import type { EvaluationRequest, Facts } from "./request.ts";
import { compileScopedQuery } from "./variables/scoped-query.ts";
import { compileTemplate } from "./variables/template.ts";

export type ProbeAnswer = { readonly value: Json } | { readonly error: string };

export type ProbeElement = { readonly data: Json; readonly index: number; readonly nesting: number };

export type ProbeStart = {
  /** The root document as it is; absent, it is made of the request as for a rule. */
  readonly root?: JsonObject;
  readonly request?: EvaluationRequest;
  readonly facts?: Facts;
  /** The object that images are taken from. */
  readonly images?: JsonObject;
  readonly element?: ProbeElement;
  readonly maxBytes?: number;
};

export type DocumentProbe = ProbeStart & {
  readonly document: Json;
  /** Conditions are evaluated, to `{ result, message }`. */
  readonly as: "document" | "conditions";
};

export function probeDocument(probe: DocumentProbe): ProbeAnswer {
  return createProbe(probe).document(probe.document, probe.as);
}

/** A context that steps are taken in, one after another. */
export type Probe = {
  readonly load: (entries: readonly ContextEntry[]) => void;
  readonly query: (text: string) => ProbeAnswer;
  readonly document: (document: Json, as: "document" | "conditions") => ProbeAnswer;
  /** Everything that is put in after this is taken out by `restore`. */
  readonly checkpoint: () => void;
  readonly restore: () => void;
  /** Back to the last checkpoint, which stays. */
  readonly reset: () => void;
  readonly element: (element: ProbeElement) => void;
};

export function createProbe(start: ProbeStart): Probe {
  const request = start.request ?? emptyRequest(start.images);
  const run = new EvaluationRun(request, start.facts ?? NO_FACTS, new Budget(DEFAULT_BUDGET), {
    root: start.root,
  });
  let scope: Scope = ruleScope([], undefined);
  const context = new EvaluationContext(run, "", { scope, maxBytes: start.maxBytes });
  const scopes: { readonly scope: Scope; readonly mark: ReturnType<EvaluationContext["mark"]> }[] = [];
  if (start.element !== undefined) enter(start.element);

  function enter({ data, index, nesting }: ProbeElement): void {
    context.enterElement(data, index, nesting, false);
  }

  function returnTo(last: (typeof scopes)[number] | undefined, stays: boolean): void {
    if (last === undefined) return;
    context.leave(last.mark);
    scope = stays ? last.scope.inner() : last.scope;
  }

  return {
    load(entries) {
      scope = declareEntries(scope, entries);
    },
    query: (text) => guarded(() => context.query(compileScopedQuery(text, scope))),
    document: (document, as) => guarded(() => evaluateDocument(document, as, scope, context)),
    checkpoint() {
      scopes.push({ scope, mark: context.mark(scope.depth) });
      scope = scope.inner();
    },
    restore() {
      returnTo(scopes.pop(), false);
    },
    reset() {
      returnTo(scopes.at(-1), true);
    },
    element: enter,
  };
}

function evaluateDocument(
  document: Json,
  as: "document" | "conditions",
  scope: Scope,
  context: EvaluationContext,
): Json | EvaluationError {
  if (as === "conditions") {
    const answer = compileConditions(document, scope).evaluate(context);
    return isEvaluationError(answer) ? answer : { result: answer.result, message: answer.message };
  }
  const resolved = resolveReferences(document);
  if (isEvaluationError(resolved)) return resolved;
  return plain(compileTemplate(resolved, scope).render(context));
}

/** Typed values as JSON. */
function plain(value: unknown): Json | EvaluationError {
  if (value instanceof EvaluationError) return value;
  return decodePlain(
    JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? Number(item) : item))),
  );
}

function decodePlain(value: unknown): Json {
  return value as Json;
}

function guarded(ask: () => Json | EvaluationError): ProbeAnswer {
  try {
    const value = ask();
    return isEvaluationError(value) ? { error: value.message } : { value };
  } catch (thrown) {
    if (!(thrown instanceof Interruption)) throw thrown;
    return { error: thrown.reason === "budget" ? "the budget is spent" : "a lookup has no answer" };
  }
}

function emptyRequest(object: JsonObject | undefined): EvaluationRequest {
  const kind = { group: "", version: "v1", kind: plainText(object?.["kind"] ?? "Pod") };
  return {
    kind,
    subresource: "",
    operation: "CREATE",
    namespace: "",
    name: "",
    object: object ?? null,
    oldObject: null,
    dryRun: false,
  };
}

const NO_FACTS: Facts = { nowMs: 0, seed: 1, roles: [], clusterRoles: [], lookups: new Map() };
