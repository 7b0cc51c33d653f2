/**
 * A document with variables in its strings and keys, compiled. Parts without variables are the document's own, shared by
 * all evaluations; a template without any is `constant`.
 * SPEC: Kyverno 1.19 pkg/engine/variables/vars.go (substituteAll, substituteVars).
 */
import { isTypedArray, isTypedObject, type TypedJson, type TypedObject } from "#json";

import type { EvaluationContext } from "../context/evaluation-context.ts";
import type { Scope } from "../context/scope.ts";
import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import { compileString, hasVariables } from "./string-template.ts";

export type Template = {
  readonly constant: boolean;
  readonly render: (context: EvaluationContext) => TypedJson | EvaluationError;
};

type Node = Template["render"];

/**
 * Compiles a document. The result of rendering is never changed afterwards: it shares parts with the document.
 * @param path of the document in its rule, for `{{@}}` and error texts
 */
export function compileTemplate(document: TypedJson, scope: Scope, path = ""): Template {
  const node = compileNode(document, path, scope);
  return node === undefined ? { constant: true, render: () => document } : { constant: false, render: node };
}

/** Undefined where there is nothing to substitute. */
function compileNode(value: TypedJson, path: string, scope: Scope): Node | undefined {
  if (typeof value === "string") return compileText(value, path, scope);
  if (isTypedArray(value)) return compileList(value, path, scope);
  if (isTypedObject(value)) return compileMap(value, path, scope);
  return undefined;
}

/** What a variable yields may hold variables itself, in lists and maps; a string is kept as it is. */
function compileText(text: string, path: string, scope: Scope): Node | undefined {
  if (!hasVariables(text)) return undefined;
  const template = compileString(text, path, scope);
  return (context) => {
    const value = template(context);
    if (typeof value !== "object" || value === null || isEvaluationError(value)) return value;
    if (!holdsVariables(value, context)) return value;
    return compileTemplate(value, scope, path).render(context);
  };
}

function holdsVariables(value: TypedJson, context: EvaluationContext): boolean {
  if (typeof value === "string") return hasVariables(value);
  context.budget.charge(1);
  if (isTypedArray(value)) return value.some((item) => holdsVariables(item, context));
  if (!isTypedObject(value)) return false;
  return Object.entries(value).some(([key, item]) => hasVariables(key) || holdsVariables(item, context));
}

function compileList(list: readonly TypedJson[], path: string, scope: Scope): Node | undefined {
  const nodes = list.map((item, index) => compileNode(item, `${path}/${index}`, scope));
  if (nodes.every((node) => node === undefined)) return undefined;
  return (context) => {
    const items: TypedJson[] = [];
    for (let index = 0; index < list.length; index += 1) {
      const node = nodes[index];
      const item = node === undefined ? (list[index] ?? null) : node(context);
      if (isEvaluationError(item)) return item;
      items.push(item);
    }
    return items;
  };
}

type Member = {
  readonly key: string;
  readonly keyNode: Node | undefined;
  readonly value: TypedJson;
  readonly node: Node | undefined;
};

function compileMap(map: TypedObject, path: string, scope: Scope): Node | undefined {
  const members = Object.entries(map).map(([key, value]): Member => {
    const inner = `${path}/${key.replaceAll("/", "\\/")}`;
    return { key, keyNode: compileText(key, path, scope), value, node: compileNode(value, inner, scope) };
  });
  if (members.every(({ keyNode, node }) => keyNode === undefined && node === undefined)) return undefined;
  return (context) => {
    const result: Record<string, TypedJson> = {};
    for (const { key, keyNode, value, node } of members) {
      const name = keyNode === undefined ? key : renderKey(key, keyNode, context);
      if (isEvaluationError(name)) return name;
      const item = node === undefined ? value : node(context);
      if (isEvaluationError(item)) return item;
      result[name] = item;
    }
    return result;
  };
}

/** A key that comes out as null stays as it was written. */
function renderKey(key: string, node: Node, context: EvaluationContext): string | EvaluationError {
  const name = node(context);
  if (typeof name === "string" || isEvaluationError(name)) return name;
  if (name === null) return key;
  return new EvaluationError(`expected string after substituting variables in key "${key}"`);
}
