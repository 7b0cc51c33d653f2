/**
 * A context entry of kind variable: a value, a query on it or on the context, and a default for a query that fails or
 * finds nothing.
 * SPEC: Kyverno 1.19 pkg/engine/context/loaders/variable.go.
 */
import type { Json, TypedJson } from "#json";
import { QueryError } from "#jmespath";
import type { ContextSource } from "#policy";

import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import { goText } from "../pattern/go-text.ts";
import { resolveReferences } from "../pattern/references.ts";
import { compileScopedQuery } from "../variables/scoped-query.ts";
import { compileTemplate, type Template } from "../variables/template.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import type { EntryProgram, Scope } from "./scope.ts";

type VariableSource = Extract<ContextSource, { readonly kind: "variable" }>;

export function compileVariableEntry(name: string, source: VariableSource, scope: Scope): EntryProgram {
  const read = compileSource(name, source, scope);
  return {
    name,
    load(context) {
      const value = read(context);
      if (isEvaluationError(value)) return value;
      if (value !== null) return context.declare(name, value);
      return new EvaluationError(
        `failed to add context entry for variable ${name} since it evaluated to nil`,
      );
    },
  };
}

type Reader = (context: EvaluationContext) => Json | EvaluationError;

const absent: Reader = () => null;

function compileSource(name: string, source: VariableSource, scope: Scope): Reader {
  const value = part(name, source.value, scope);
  const readDefault = part(name, source.default, scope) ?? absent;
  const path = part(name, source.jmesPath === "" ? undefined : source.jmesPath, scope);
  const findPath = path === undefined ? undefined : compilePath(name, path, source.jmesPath ?? "", scope);
  const written: Written = { value, path: findPath };
  return (context) => {
    const fallback = readDefault(context);
    return isEvaluationError(fallback) ? fallback : readWritten(written, fallback, context);
  };
}

/** The entry without its default. */
type Written = { readonly value: Reader | undefined; readonly path: PathReader | undefined };

/** The default stands for a query that fails, and for one on the context that finds nothing; never for a value. */
function readWritten(
  { value, path }: Written,
  fallback: Json,
  context: EvaluationContext,
): Json | EvaluationError {
  const given = value?.(context);
  if (isEvaluationError(given)) return given;
  if (path === undefined) return given ?? (value === undefined ? fallback : null);
  const answer = path(context, given);
  if (isEvaluationError(answer)) return answer;
  if (isEvaluationError(answer.found)) return fallback ?? answer.found;
  return given === undefined ? (answer.found ?? fallback) : answer.found;
}

/** One text or document of the entry; its failure names the entry and what was written. */
function part(name: string, document: Json | undefined, scope: Scope): Reader | undefined {
  if (document === undefined || document === null) return undefined;
  const resolved = resolveReferences(document);
  if (isEvaluationError(resolved)) return () => resolved;
  const template = compileTemplate(resolved, scope);
  return (context) => {
    const value = renderJson(template, context);
    if (!isEvaluationError(value)) return value;
    const written = goText(document);
    return new EvaluationError(
      `failed to substitute variables in context entry ${name} ${written}: ${value.message}`,
    );
  };
}

type PathReader = (
  context: EvaluationContext,
  value: Json | undefined,
) => { readonly found: Json | EvaluationError } | EvaluationError;

/** A query that may itself have variables, on the entry's value or on the whole context. */
function compilePath(name: string, path: Reader, written: string, scope: Scope): PathReader {
  const fixed = written.includes("{{") ? undefined : compileScopedQuery(written, scope);
  return (context, value) => {
    const text = path(context);
    if (isEvaluationError(text)) return text;
    if (typeof text !== "string") {
      return new EvaluationError(`jmespath value must be a string ${name} ${written}: <nil>`);
    }
    const scoped = fixed ?? compileScopedQuery(text, scope);
    const found = value === undefined ? context.query(scoped) : applyQuery(scoped, value, context);
    if (!isEvaluationError(found)) return { found };
    const message = `failed to apply jmespath ${scoped.source} to variable <nil>: ${found.message}`;
    return { found: new EvaluationError(message) };
  };
}

/** A query on a value instead of the context. */
export function applyQuery(
  scoped: ReturnType<typeof compileScopedQuery>,
  value: Json,
  context: EvaluationContext,
): Json | EvaluationError {
  if (scoped.query instanceof EvaluationError) return notCompiled(scoped.source, scoped.query);
  const found = scoped.query.evaluate(value, context.run.queryRun());
  return found instanceof QueryError ? new EvaluationError(found.message) : found;
}

/** Upstream's words differ from those for a query on the context. */
function notCompiled(source: string, failure: EvaluationError): EvaluationError {
  const cause = failure.message.replace(`incorrect query ${source}: `, "");
  return new EvaluationError(`failed to compile JMESPath: ${source}, error: ${cause}`);
}

/** Documents of context entries hold no int64: what comes out is plain JSON. */
export function renderJson(template: Template, context: EvaluationContext): Json | EvaluationError {
  return decodeJson(template.render(context));
}

function decodeJson(value: TypedJson | EvaluationError): Json | EvaluationError {
  return value as Json | EvaluationError;
}
