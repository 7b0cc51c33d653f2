/**
 * A string with variables. `{{ query }}` alone gives the query's value with its type; inside other text the value's text,
 * and the result is searched again, so that variables may make variables (`{{ a.{{ b }} }}`), except for shallow ones
 * (`{{- query }}`). `\{{` stands for `{{`.
 * SPEC: Kyverno 1.19 pkg/engine/variables/vars.go (substituteVariablesIfAny); kyverno-surface.md section 4.1.
 */
import { printJson, type Json } from "#json";

import type { EvaluationContext } from "../context/evaluation-context.ts";
import type { Scope } from "../context/scope.ts";
import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import { compileScopedQuery, type ScopedQuery } from "./scoped-query.ts";

const variablePattern = /(^|[^\\])(\{\{(?:\{[^{}]*\}|[^{}])*\}\})/g;
const escapedPattern = /\\\{\{/g;

export type StringTemplate = (context: EvaluationContext) => Json | EvaluationError;

type Variable = {
  readonly shallow: boolean;
  readonly query: ScopedQuery;
  /** On DELETE the old object stands for the object. */
  readonly onDelete: ScopedQuery | undefined;
};

/** Whether a text has anything to substitute. */
export function hasVariables(text: string): boolean {
  return text.includes("{{");
}

/**
 * Compiles a string that has `{{` in it.
 * @param path of the string in its document, for `{{@}}` and for error texts
 */
export function compileString(text: string, path: string, scope: Scope): StringTemplate {
  const found = findVariables(text);
  const [only] = found;
  if (only === undefined) {
    const plain = unescape(text);
    return () => plain;
  }
  const cache = new VariableCache(path, scope);
  for (const variable of found) cache.get(variable);
  if (only === text) {
    const variable = cache.get(only);
    return (context) => resolve(variable, path, context);
  }
  return (context) => renderText(text, path, cache, context);
}

/** Variables by their text; those that only evaluation makes are kept too, up to a bound. */
class VariableCache {
  readonly #path: string;
  readonly #scope: Scope;
  readonly #known = new Map<string, Variable>();

  constructor(path: string, scope: Scope) {
    this.#path = path;
    this.#scope = scope;
  }

  get(text: string): Variable {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const variable = compileVariable(text, this.#path, this.#scope);
    if (this.#known.size < 64) this.#known.set(text, variable);
    return variable;
  }
}

function compileVariable(text: string, path: string, scope: Scope): Variable {
  const inner = text.slice(2, -2).trim();
  const shallow = inner.startsWith("-");
  const source = shallow ? inner.slice(1).trim() : inner;
  const query = source === "@" ? currentPath(path, scope) : source;
  return {
    shallow,
    query: compileScopedQuery(query, scope),
    onDelete: query.includes("request.object")
      ? compileScopedQuery(query.replaceAll("request.object", "request.oldObject"), scope)
      : undefined,
  };
}

/** The same place in the resource as this string has in the rule. */
function currentPath(path: string, scope: Scope): string {
  const segments = splitPath(path).slice(path.includes("foreach") ? 5 : 3);
  const root = scope.entries.some((entry) => entry.name === "target") ? "target" : "request.object";
  return segments.reduce((query, segment) => {
    if (/^\d+$/.test(segment)) return `${query}[${segment}]`;
    return /^[A-Za-z_]\w*$/.test(segment) ? `${query}.${segment}` : `${query}."${segment}"`;
  }, root);
}

function splitPath(path: string): readonly string[] {
  return path.split(/(?<!\\)\//).map((segment) => segment.replaceAll("\\/", "/"));
}

function resolve(variable: Variable, path: string, context: EvaluationContext): Json | EvaluationError {
  const query = variable.onDelete !== undefined && context.isDelete() ? variable.onDelete : variable.query;
  const value = context.query(query);
  if (!isEvaluationError(value)) return value;
  return new EvaluationError(`failed to resolve ${query.source} at path ${path}: ${value.message}`);
}

function renderText(
  text: string,
  path: string,
  cache: VariableCache,
  context: EvaluationContext,
): Json | EvaluationError {
  let value = text;
  let found = findVariables(value);
  while (found.length > 0) {
    let shallow = false;
    for (const variableText of found) {
      context.budget.charge(1 + (value.length >> 4));
      const variable = cache.get(variableText);
      const resolved = resolve(variable, path, context);
      if (isEvaluationError(resolved)) return resolved;
      if (value === variableText) return resolved;
      shallow ||= variable.shallow;
      if (variable.shallow && resolved !== null && typeof resolved !== "string") {
        return new EvaluationError(
          `failed to resolve ${variable.query.source} at path ${path}: a shallow variable inside of text must be a string`,
        );
      }
      value = replaceFirst(value, variableText, textOf(resolved));
    }
    found = shallow ? [] : findVariables(value);
  }
  return unescape(value);
}

function findVariables(text: string): readonly string[] {
  return Array.from(text.matchAll(variablePattern), (match) => match[2] ?? "");
}

/** Not `replace`: what is put in is data, `$&` in it means nothing. */
function replaceFirst(text: string, old: string, next: string): string {
  const at = text.indexOf(old);
  return at < 0 ? text : `${text.slice(0, at)}${next}${text.slice(at + old.length)}`;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : printJson(value, { escapeHtml: true });
}

function unescape(text: string): string {
  return text.replaceAll(escapedPattern, "{{");
}
