/**
 * What a function is: its name, what it takes and gives, a sentence for people, and its body. Everything else (the
 * check of arguments, `postern jp function`, the reference page) is made from these definitions; nothing outside tests
 * for a particular function.
 */
import { invariant } from "#diag";
import type { Json, JsonObject } from "#json";
import { isArray } from "#json";
import type { QueryError } from "../query-error.ts";
import { failed } from "../query-error.ts";
import type { QueryRun } from "../query-run.ts";
import type { Expression } from "../values/expression.ts";
import { expressionOf, isPlainObject } from "../values/expression.ts";
import { goText } from "../values/go-text.ts";

/** Upstream's names of types; its messages show them. */
export type ParameterType =
  | "any"
  | "array"
  | "array[number]"
  | "array[string]"
  | "expref"
  | "number"
  | "object"
  | "string";

/** The types that one argument may have. */
export type Parameter = readonly ParameterType[];

/** Arguments have been checked against the parameters; their number too. */
export type FunctionBody = (args: readonly Json[], run: QueryRun) => Json | QueryError;

export type FunctionDefinition = {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The last parameter may be repeated, and no argument is checked. */
  readonly variadic?: boolean;
  readonly returns: readonly (ParameterType | "boolean" | "null")[];
  /** For people: one or two sentences. */
  readonly note: string;
  readonly call: FunctionBody;
  /** A body for arguments that are already known when the expression is compiled; `undefined` in their place if not. */
  readonly specialise?: (constants: readonly (Json | undefined)[]) => FunctionBody;
};

export const ANY: Parameter = ["any"];
export const ARRAY: Parameter = ["array"];
export const EXPRESSION: Parameter = ["expref"];
export const NUMBER: Parameter = ["number"];
export const OBJECT: Parameter = ["object"];
export const STRING: Parameter = ["string"];
export const STRING_OR_NUMBER: Parameter = ["string", "number"];

/** `replace(string, string, string, number) string`. */
export function signatureOf(definition: FunctionDefinition): string {
  const parameters = definition.parameters.map((types) => types.join("|"));
  const dots = definition.variadic === true ? "..." : "";
  return `${definition.name}(${parameters.join(", ")}${dots}) ${definition.returns.join("|")}`;
}

const accepted: Readonly<Record<ParameterType, (value: Json) => boolean>> = {
  any: () => true,
  array: isArray,
  "array[number]": (value) => isArray(value) && value.every((item) => typeof item === "number"),
  "array[string]": (value) => isArray(value) && value.every((item) => typeof item === "string"),
  expref: (value) => expressionOf(value) !== undefined,
  number: (value) => typeof value === "number",
  object: isPlainObject,
  string: (value) => typeof value === "string",
};

/** One test for a parameter, chosen when the expression is compiled. */
export function acceptor(parameter: Parameter): (value: Json) => boolean {
  const tests = parameter.map((type) => accepted[type]);
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (value) => tests.some((test) => test(value));
}

/** Go prints the list of types with `%#v`. */
export function typeError(value: Json, parameter: Parameter): QueryError {
  return failed(() => {
    const types = parameter.map((type) => `"${type}"`).join(", ");
    return `Invalid type for: ${goText(value)}, expected: []jmespath.JpType{${types}}`;
  });
}

/** An error of one of the functions that Kyverno adds. */
export function functionError(name: string, text: string): QueryError {
  return failed(`JMESPath function '${name}': ${text}`);
}

export function argument(args: readonly Json[], index: number): Json {
  const value = args[index];
  invariant(value !== undefined, "a function got fewer arguments than it takes");
  return value;
}

export function textAt(args: readonly Json[], index: number): string {
  const value = args[index];
  invariant(typeof value === "string", "a text argument is no text");
  return value;
}

export function numberAt(args: readonly Json[], index: number): number {
  const value = args[index];
  invariant(typeof value === "number", "a number argument is no number");
  return value;
}

export function listAt(args: readonly Json[], index: number): readonly Json[] {
  const value = argument(args, index);
  invariant(isArray(value), "a list argument is no list");
  return value;
}

export function objectAt(args: readonly Json[], index: number): JsonObject {
  const value = argument(args, index);
  invariant(isPlainObject(value), "an object argument is no object");
  return value;
}

export function expressionAt(args: readonly Json[], index: number): Expression {
  const value = expressionOf(argument(args, index));
  invariant(value !== undefined, "an expression argument is no expression");
  return value;
}
