/**
 * Context entries that need the world: ConfigMaps, API and service calls, global context entries, image data. Each is a
 * lookup with a key that says all that it depends on; the driver answers it, and the entry takes from the answer what it
 * wants. What the driver leaves `unset` declares nothing: then a value that a test gave stands, or the name is unknown.
 * SPEC: Kyverno 1.19 pkg/engine/context/loaders, pkg/engine/apicall; kyverno-surface.md section 4.2.
 */
import { Interruption } from "#diag";
import { isObject, plainText, printJson, type Json, type JsonObject } from "#json";
import type { ContextSource } from "#policy";

import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import type { Fact, Lookup, LookupKind } from "../request.ts";
import { compileScopedQuery } from "../variables/scoped-query.ts";
import { compileTemplate } from "../variables/template.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import type { EntryProgram, Scope } from "./scope.ts";
import { applyQuery, renderJson } from "./variable-entry.ts";

type LookupSource = Exclude<ContextSource, { readonly kind: "variable" }>;

/** How one kind of source becomes a lookup, and an answer becomes the entry's value. */
type SourceProgram = {
  readonly kind: LookupKind;
  /** What the lookup is asked with; variables are substituted in all of it. */
  readonly args: JsonObject;
  readonly jmesPath: string | undefined;
  readonly fallback: Json | undefined;
  /** It may be made before anything needs it. */
  readonly foreseeable: boolean;
  readonly failure: (args: JsonObject, message: string) => string;
  readonly shape: (value: Json) => Json;
};

export function compileLookupEntry(name: string, source: LookupSource, scope: Scope): EntryProgram {
  const program = sourceProgram(name, source, scope);
  const lookupOf = compileLookup(name, program, scope);
  const take = compileTake(name, program, scope);
  return {
    name,
    load(context) {
      const lookup = lookupOf(context);
      if (isEvaluationError(lookup)) return context.isGiven(name) ? undefined : lookup;
      const value = take(context, lookup.args, knownFact(context, lookup));
      if (value === undefined) return undefined;
      return isEvaluationError(value) ? value : context.declare(name, value);
    },
    ...(program.foreseeable ? { foresee: (context) => foresee(context, lookupOf) } : {}),
  };
}

/** When an answer is missing, the lookups of the other entries are named in the same pass. */
function knownFact(context: EvaluationContext, lookup: NamedLookup): Fact {
  try {
    return context.run.factOf(lookup);
  } catch (thrown) {
    if (thrown instanceof Interruption && thrown.reason === "pending") context.foresee();
    throw thrown;
  }
}

function foresee(
  context: EvaluationContext,
  lookupOf: (context: EvaluationContext) => NamedLookup | EvaluationError,
): void {
  try {
    const lookup = lookupOf(context);
    if (!isEvaluationError(lookup)) context.run.factOf(lookup);
  } catch (thrown) {
    // It hangs on a lookup that is not answered yet: its turn comes in a later pass.
    if (!(thrown instanceof Interruption && thrown.reason === "pending")) throw thrown;
  }
}

type NamedLookup = Lookup & { readonly args: JsonObject };

function compileLookup(
  name: string,
  program: SourceProgram,
  scope: Scope,
): (context: EvaluationContext) => NamedLookup | EvaluationError {
  const template = compileTemplate(program.args, scope);
  return (context) => {
    const args = renderJson(template, context);
    if (isEvaluationError(args)) {
      return new EvaluationError(`failed to substitute variables in context entry ${name}: ${args.message}`);
    }
    const asked = isObject(args) ? args : {};
    const refused = program.kind === "apiCall" ? foreignNamespace(asked, scope.namespace) : undefined;
    if (refused !== undefined) return new EvaluationError(program.failure(asked, refused));
    return { kind: program.kind, key: `${program.kind} ${printJson(asked)}`, args: asked };
  };
}

function compileTake(
  name: string,
  program: SourceProgram,
  scope: Scope,
): (context: EvaluationContext, args: JsonObject, fact: Fact) => Json | EvaluationError | undefined {
  const fallback = program.fallback === undefined ? undefined : compileTemplate(program.fallback, scope);
  const path = program.jmesPath === undefined ? undefined : compileTemplate(program.jmesPath, scope);
  return (context, args, fact) => {
    if (fact.kind === "unset") return undefined;
    if (fact.kind === "error") {
      if (fallback !== undefined) return renderJson(fallback, context);
      return new EvaluationError(program.failure(args, fact.message));
    }
    const value = program.shape(fact.value);
    if (path === undefined) return value;
    const text = renderJson(path, context);
    if (isEvaluationError(text)) return text;
    const found = applyQuery(compileScopedQuery(plainText(text), scope), value, context);
    if (!isEvaluationError(found)) return found;
    return new EvaluationError(
      `failed to apply JMESPath ${plainText(text)} for context entry ${name}: ${found.message}`,
    );
  };
}

function sourceProgram(name: string, source: LookupSource, scope: Scope): SourceProgram {
  const plain = {
    jmesPath: undefined,
    fallback: undefined,
    foreseeable: true,
    shape: (value: Json) => value,
  };
  switch (source.kind) {
    case "configMap":
      return {
        ...plain,
        kind: "configMap",
        args: { namespace: source.namespace ?? scope.namespace ?? "default", name: source.name },
        failure: (args, message) =>
          `failed to retrieve config map for context entry ${name}: failed to get configmap ${plainText(args["namespace"] ?? "")}/${plainText(args["name"] ?? "")} : ${message}`,
        shape: configMapValue,
      };
    case "apiCall":
      return {
        ...plain,
        kind: "apiCall",
        args: callArgs(source),
        jmesPath: source.jmesPath,
        fallback: source.default ?? undefined,
        foreseeable: source.method === "GET",
        failure: (_args, message) => `failed to fetch data for APICall: ${message}`,
      };
    case "globalReference":
      return {
        ...plain,
        kind: "globalReference",
        args: { name: source.name },
        jmesPath: source.jmesPath,
        failure: (_args, message) => `failed to fetch data for global context entry: ${message}`,
      };
    case "imageRegistry":
      return {
        ...plain,
        kind: "imageData",
        args: { reference: source.reference },
        jmesPath: source.jmesPath,
        failure: (args, message) =>
          `failed to fetch image data for ${plainText(args["reference"] ?? "")} in context entry ${name}: ${message}`,
      };
  }
}

function callArgs(source: Extract<LookupSource, { readonly kind: "apiCall" }>): JsonObject {
  return {
    method: source.method,
    ...(source.urlPath === undefined ? {} : { urlPath: source.urlPath }),
    ...(source.service === undefined ? {} : { service: source.service }),
    ...(source.data === undefined ? {} : { data: source.data }),
  };
}

function configMapValue(value: Json): Json {
  if (!isObject(value)) return value;
  return { data: value["data"] ?? {}, metadata: value["metadata"] ?? {} };
}

/** Policies of a namespace may ask for that namespace only; a service has no namespace, so they may ask none. */
function foreignNamespace(args: JsonObject, namespace: string | undefined): string | undefined {
  if (namespace === undefined) return undefined;
  const path = typeof args["urlPath"] === "string" ? args["urlPath"] : ".";
  const found = /^\/apis?\/.*?\/namespaces\/([^/]+)\/?.*$/.exec(path)?.[1];
  if (found === undefined) return `path ${path} does not contain a namespace segment`;
  if (found === namespace) return undefined;
  return `path ${path} refers to namespace ${found}, which is different from the policy namespace ${namespace}`;
}
