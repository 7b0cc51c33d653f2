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

/** `depth` counts the values with variables that the document came out of. */
type Setting = { readonly scope: Scope; readonly depth: number };

/** How deep values with variables may lie in each other. Upstream has no end to a variable that holds itself. */
const MAX_DEPTH = 16;

/**
 * Compiles a document. The result of rendering is never changed afterwards: it shares parts with the document.
 * @param path of the document in its rule, for `{{@}}` and error texts
 */
export function compileTemplate(document: TypedJson, scope: Scope, path = ""): Template {
  const node = compileNode(document, path, { scope, depth: 0 });
  return node === undefined ? { constant: true, render: () => document } : { constant: false, render: node };
}

/** Undefined where there is nothing to substitute. */
function compileNode(value: TypedJson, path: string, setting: Setting): Node | undefined {
  if (typeof value === "string") return compileText(value, path, setting);
  if (isTypedArray(value)) return compileList(value, path, setting);
  if (isTypedObject(value)) return compileMap(value, path, setting);
  return undefined;
}

/** What a variable yields may hold variables itself, in lists and maps; a string is kept as it is. */
function compileText(text: string, path: string, setting: Setting): Node | undefined {
  if (!hasVariables(text)) return undefined;
  const template = compileString(text, path, setting.scope);
  return (context) => {
    const value = template(context);
    if (typeof value !== "object" || value === null || isEvaluationError(value)) return value;
    if (!holdsVariables(value, context)) return value;
    const depth = setting.depth + 1;
    if (depth > MAX_DEPTH) {
      return new EvaluationError(`values of variables hold variables more than ${MAX_DEPTH} levels deep`);
    }
    return compileNode(value, path, { scope: setting.scope, depth })?.(context) ?? value;
  };
}

/** PERF: every value that a variable yields is searched. */
function holdsVariables(value: TypedJson, context: EvaluationContext): boolean {
  if (typeof value === "string") return hasVariables(value);
  context.budget.charge(1);
  if (isTypedArray(value)) return value.some((item) => holdsVariables(item, context));
  if (!isTypedObject(value)) return false;
  for (const key of Object.keys(value)) {
    if (hasVariables(key) || holdsVariables(value[key] ?? null, context)) return true;
  }
  return false;
}

function compileList(list: readonly TypedJson[], path: string, setting: Setting): Node | undefined {
  const nodes = list.map((item, index) => compileNode(item, `${path}/${index}`, setting));
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

function compileMap(map: TypedObject, path: string, setting: Setting): Node | undefined {
  const members = Object.entries(map).map(([key, value]): Member => {
    const inner = `${path}/${key.replaceAll("/", "\\/")}`;
    return { key, keyNode: compileText(key, path, setting), value, node: compileNode(value, inner, setting) };
  });
  if (members.every(({ keyNode, node }) => keyNode === undefined && node === undefined)) return undefined;
  return (context) => {
    const result: [string, TypedJson][] = [];
    for (const { key, keyNode, value, node } of members) {
      const name = keyNode === undefined ? key : renderKey(key, keyNode, context);
      if (isEvaluationError(name)) return name;
      const item = node === undefined ? value : node(context);
      if (isEvaluationError(item)) return item;
      result.push([name, item]);
    }
    return Object.fromEntries(result);
  };
}

/** A key that comes out as null stays as it was written. */
function renderKey(key: string, node: Node, context: EvaluationContext): string | EvaluationError {
  const name = node(context);
  if (typeof name === "string" || isEvaluationError(name)) return name;
  if (name === null) return key;
  return new EvaluationError(`expected string after substituting variables in key "${key}"`);
}
