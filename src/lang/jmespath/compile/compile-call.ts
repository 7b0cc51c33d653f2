/**
 * Calls. The function is looked up, the number of arguments compared and literal arguments checked when the expression
 * is compiled; what is wrong there is reported when the call is reached, after its arguments, as upstream does.
 */
import { plainText, type Json } from "#json";
import type { FunctionBody, FunctionDefinition } from "../functions/definition.ts";
import { acceptor, typeError } from "../functions/definition.ts";
import { findFunction } from "../functions/table.ts";
import { QueryError, failed } from "../query-error.ts";
import type { Evaluate, QueryRun } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";
import type { CompileNode } from "./compile-node.ts";

type Call = Extract<AstNode, { readonly kind: "call" }>;

export function compileCall(node: Call, compile: CompileNode): Evaluate {
  const args = node.args.map((arg) => compile(arg, true));
  const definition = typeof node.name === "string" ? findFunction(node.name) : undefined;
  if (definition === undefined)
    return failing(args, failed(`unknown function: ${plainText(node.name ?? null)}`));
  if (!takes(definition, args.length)) return failing(args, failed(arityText(definition)));
  const body = bodyOf(definition, node.args);
  const checks = checksOf(definition, node.args);
  const cost = args.length + 1;
  return (value, run) => {
    run.budget.charge(cost);
    const values: Json[] = [];
    for (const arg of args) {
      const result = arg(value, run);
      if (result instanceof QueryError) return result;
      values.push(result);
    }
    return refusal(values, checks) ?? body(values, run);
  };
}

function failing(args: readonly Evaluate[], error: QueryError): Evaluate {
  return (value, run) => firstError(args, value, run) ?? error;
}

function firstError(args: readonly Evaluate[], value: Json, run: QueryRun): QueryError | undefined {
  for (const arg of args) {
    const result = arg(value, run);
    if (result instanceof QueryError) return result;
  }
  return undefined;
}

/** A function without parameters takes anything. */
function takes({ parameters, variadic }: FunctionDefinition, count: number): boolean {
  if (parameters.length === 0) return true;
  return variadic === true ? count >= parameters.length : count === parameters.length;
}

function arityText({ variadic }: FunctionDefinition): string {
  return variadic === true ? "invalid arity" : "incorrect number of args";
}

function bodyOf(definition: FunctionDefinition, args: readonly AstNode[]): FunctionBody {
  if (definition.specialise === undefined) return definition.call;
  return definition.specialise(args.map((arg) => (arg.kind === "literal" ? arg.value : undefined)));
}

/** The error of an argument of a wrong type, by position; `undefined` where any will do or it is known to fit. */
type Check = ((value: Json) => QueryError | undefined) | undefined;

function checksOf({ parameters, variadic }: FunctionDefinition, args: readonly AstNode[]): readonly Check[] {
  if (variadic === true) return [];
  return parameters.map((parameter, index) => {
    const accepts = acceptor(parameter);
    const arg = args[index];
    const fits = parameter.includes("any") || (arg?.kind === "literal" && accepts(arg.value));
    return fits ? undefined : (value) => (accepts(value) ? undefined : typeError(value, parameter));
  });
}

function refusal(values: readonly Json[], checks: readonly Check[]): QueryError | undefined {
  for (let index = 0; index < checks.length; index++) {
    const error = checks[index]?.(values[index] ?? null);
    if (error !== undefined) return error;
  }
  return undefined;
}
