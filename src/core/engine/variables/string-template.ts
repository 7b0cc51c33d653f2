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
import { findVariables } from "./find-variables.ts";
import { compileScopedQuery, type ScopedQuery } from "./scoped-query.ts";

const escapedPattern = /\\\{\{/g;

export type StringTemplate = (context: EvaluationContext) => Json | EvaluationError;

type Variable = {
  readonly shallow: boolean;
  readonly query: ScopedQuery;
  /** On DELETE the old object stands for the object. */
  readonly onDelete: ScopedQuery | undefined;
  /** Where there is a target, `{{@}}` is a place in it. */
  readonly onTarget: ScopedQuery | undefined;
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
  return (context) => renderText({ text, found, path, cache }, context);
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
  const current = source === "@";
  const query = current ? currentPath("request.object", path) : source;
  return {
    shallow,
    query: compileScopedQuery(query, scope),
    onDelete: query.includes("request.object")
      ? compileScopedQuery(query.replaceAll("request.object", "request.oldObject"), scope)
      : undefined,
    onTarget: current ? compileScopedQuery(currentPath("target", path), scope) : undefined,
  };
}

/** The same place in the resource as this string has in the rule: behind the names of the rule's own parts. */
function currentPath(root: string, path: string): string {
  const segments = splitPath(path);
  const foreach = segments.indexOf("foreach");
  return segments.slice(foreach < 0 ? 3 : foreach + 3).reduce((query, segment) => {
    if (/^\d+$/.test(segment)) return `${query}[${segment}]`;
    return /^[A-Za-z_]\w*$/.test(segment) ? `${query}.${segment}` : `${query}."${segment}"`;
  }, root);
}

function splitPath(path: string): readonly string[] {
  return path.split(/(?<!\\)\//).map((segment) => segment.replaceAll("\\/", "/"));
}

function resolve(variable: Variable, path: string, context: EvaluationContext): Json | EvaluationError {
  const query = queryOf(variable, context);
  const value = context.query(query);
  if (!isEvaluationError(value)) return value;
  return new EvaluationError(`failed to resolve ${query.source} at path ${path}: ${value.message}`);
}

function queryOf({ query, onDelete, onTarget }: Variable, context: EvaluationContext): ScopedQuery {
  if (onTarget !== undefined && context.isGiven("target")) return onTarget;
  return onDelete !== undefined && context.isDelete() ? onDelete : query;
}

type TextTemplate = {
  readonly text: string;
  readonly found: readonly string[];
  readonly path: string;
  readonly cache: VariableCache;
};

/** What comes out of a text is searched again, until there is nothing more to find. */
function renderText(template: TextTemplate, context: EvaluationContext): Json | EvaluationError {
  const { path, cache } = template;
  let { text, found } = template;
  while (found.length > 0) {
    let shallow = false;
    for (const variableText of found) {
      context.budget.charge(1 + (text.length >> 4));
      const variable = cache.get(variableText);
      const value = resolve(variable, path, context);
      if (isEvaluationError(value) || text === variableText) return value;
      const shown = variable.shallow ? shallowText(variable, value, path) : textOf(value);
      if (isEvaluationError(shown)) return shown;
      text = replaceFirst(text, variableText, shown);
      shallow ||= variable.shallow;
    }
    found = shallow ? [] : findVariables(text);
  }
  return unescape(text);
}

/** What a shallow variable yields is not looked at again: its braces are escaped until the end. */
function shallowText({ query }: Variable, value: Json, path: string): string | EvaluationError {
  if (value === null || typeof value === "string") return textOf(value).replaceAll("{{", "\\{{");
  return new EvaluationError(
    `failed to resolve ${query.source} at path ${path}: a shallow variable inside of text must be a string`,
  );
}

/** The first one that is not escaped. Not `replace`: what is put in is data, `$&` in it means nothing. */
function replaceFirst(text: string, old: string, next: string): string {
  let at = text.indexOf(old);
  while (at > 0 && text.charAt(at - 1) === "\\") at = text.indexOf(old, at + 1);
  return at < 0 ? text : `${text.slice(0, at)}${next}${text.slice(at + old.length)}`;
}

/** Numbers alone keep Go's two digits of an exponent. */
function textOf(value: Json): string {
  if (typeof value === "string") return value;
  const text = printJson(value, { escapeHtml: true });
  return typeof value === "number" ? text.replace(/e([+-])(\d)$/, "e$10$2") : text;
}

function unescape(text: string): string {
  return text.replaceAll(escapedPattern, "{{");
}
