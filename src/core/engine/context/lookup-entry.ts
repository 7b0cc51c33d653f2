/**
 * Context entries that need the world: ConfigMaps, API and service calls, global context entries, image data. Each is a
 * lookup with a key that says all that it depends on; the driver answers it, and the entry takes from the answer what it
 * wants. What the driver leaves `unset` declares nothing: then a value that a test gave stands, or the name is unknown.
 * SPEC: Kyverno 1.19 pkg/engine/context/loaders, pkg/engine/apicall; kyverno-surface.md section 4.2.
 */
import { Interruption } from "#diag";
import { plainText, printJson, type Json, type JsonObject } from "#json";

import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import type { Fact, Lookup } from "../request.ts";
import { compileScopedQuery } from "../variables/scoped-query.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import { describeSource, type LookupSource, type SourceProgram } from "./lookup-source.ts";
import type { EntryProgram, Scope } from "./scope.ts";
import { applyQuery } from "./variable-entry.ts";

export function compileLookupEntry(name: string, source: LookupSource, scope: Scope): EntryProgram {
  const program = describeSource(name, source, scope);
  return {
    name,
    load(context) {
      const lookup = lookupOf(program, context);
      // A test that gives the value need not give what the lookup would be asked with.
      if (isEvaluationError(lookup) && context.isGiven(name)) return undefined;
      const value = loadValue(program, lookup, scope, context);
      if (value === undefined) return undefined;
      return isEvaluationError(value) ? value : context.declare(name, value);
    },
    ...(program.foreseeable ? { foresee: (context) => foresee(program, context) } : {}),
  };
}

/** Undefined where the entry is left undeclared. The default is data: variables in it are not substituted. */
function loadValue(
  program: SourceProgram,
  lookup: NamedLookup | EvaluationError,
  scope: Scope,
  context: EvaluationContext,
): Json | EvaluationError | undefined {
  if (isEvaluationError(lookup)) return program.fallback ?? lookup;
  const fact = knownFact(context, lookup, program.foreseeable);
  if (fact.kind === "unset") return undefined;
  if (fact.kind === "value") return take(program, scope, context, program.shape(fact.value));
  return (
    program.fallback ?? new EvaluationError(program.failure(program.unanswered(lookup.args, fact.message)))
  );
}

/** When an answer is missing, the lookups of the other entries are named in the same pass. */
function knownFact(context: EvaluationContext, lookup: Lookup, foreseeable: boolean): Fact {
  try {
    return context.run.factOf(lookup, foreseeable);
  } catch (thrown) {
    if (thrown instanceof Interruption && thrown.reason === "pending") context.foresee();
    throw thrown;
  }
}

function foresee(program: SourceProgram, context: EvaluationContext): void {
  try {
    const lookup = lookupOf(program, context);
    if (!isEvaluationError(lookup)) context.run.factOf(lookup);
  } catch (thrown) {
    // It hangs on a lookup that is not answered yet: its turn comes in a later pass.
    if (!(thrown instanceof Interruption && thrown.reason === "pending")) throw thrown;
  }
}

type NamedLookup = Lookup & { readonly args: JsonObject };

function lookupOf(program: SourceProgram, context: EvaluationContext): NamedLookup | EvaluationError {
  const args = program.readArgs(context);
  if (isEvaluationError(args)) return new EvaluationError(program.failure(args.message));
  const refused = program.refusal(args);
  if (refused !== undefined) return new EvaluationError(program.failure(refused));
  return { kind: program.kind, key: `${program.kind} ${printJson(args)}`, args };
}

/** What the entry wants of the answer. */
function take(
  program: SourceProgram,
  scope: Scope,
  context: EvaluationContext,
  value: Json,
): Json | EvaluationError {
  if (program.readPath === undefined) return value;
  const path = program.readPath(context);
  if (isEvaluationError(path)) return path;
  const found = applyQuery(compileScopedQuery(plainText(path), scope), value, context);
  if (!isEvaluationError(found)) return found;
  return new EvaluationError(program.notFound(plainText(path), found.message));
}
