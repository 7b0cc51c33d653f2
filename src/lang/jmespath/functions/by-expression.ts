/** Functions that evaluate an expression reference on every element of a list. An unknown key inside it is null. */
import type { Json } from "#json";
import { compareKeys } from "#json";
import { QueryError, failed } from "../query-error.ts";
import type { QueryRun } from "../query-run.ts";
import type { Expression } from "../values/expression.ts";
import { refusePairs } from "../values/pair-list.ts";
import type { FunctionDefinition } from "./definition.ts";
import { ARRAY, EXPRESSION, expressionAt, listAt } from "./definition.ts";

const map: FunctionDefinition = {
  name: "map",
  parameters: [EXPRESSION, ARRAY],
  returns: ["array"],
  note: "what an expression gives for each element of a list, nulls included",
  call: (args, run) => {
    const expression = expressionAt(args, 0);
    const list = listAt(args, 1);
    const refused = refusePairs(list);
    if (refused !== undefined) return refused;
    run.budget.charge(list.length);
    const results: Json[] = [];
    for (const item of list) {
      const result = expression.evaluate(item, run);
      if (result instanceof QueryError) return result;
      results.push(result);
    }
    return results;
  },
};

const maxBy: FunctionDefinition = {
  name: "max_by",
  parameters: [ARRAY, EXPRESSION],
  returns: ["any"],
  note: "the element for which an expression gives the largest number or text; null for an empty list",
  call: (args, run) => bestBy(listAt(args, 0), expressionAt(args, 1), (order) => order > 0, run),
};

const minBy: FunctionDefinition = {
  name: "min_by",
  parameters: [ARRAY, EXPRESSION],
  returns: ["any"],
  note: "the element for which an expression gives the smallest number or text; null for an empty list",
  call: (args, run) => bestBy(listAt(args, 0), expressionAt(args, 1), (order) => order < 0, run),
};

const sortBy: FunctionDefinition = {
  name: "sort_by",
  parameters: [ARRAY, EXPRESSION],
  returns: ["array"],
  note: "a copy of a list, sorted by the number or text that an expression gives for each element; stable",
  call: (args, run) => {
    const list = listAt(args, 0);
    const refused = refusePairs(list);
    if (refused !== undefined) return refused;
    const [first] = list;
    if (first === undefined || list.length === 1) return list;
    run.budget.charge(list.length * 4);
    const keyed = keysOf(list, expressionAt(args, 1), run, () => failed("error in sort_by comparison"));
    if (keyed instanceof QueryError) return keyed;
    return keyed.toSorted((a, b) => compare(a.key, b.key)).map(({ item }) => item);
  },
};

type Key = number | string;
type Keyed = { readonly key: Key; readonly item: Json };

/** One element is given back without a look at its key, as upstream does. */
function bestBy(
  list: readonly Json[],
  expression: Expression,
  isBetter: (order: number) => boolean,
  run: QueryRun,
): Json | QueryError {
  const refused = refusePairs(list);
  if (refused !== undefined) return refused;
  const [first] = list;
  if (first === undefined) return null;
  if (list.length === 1) return first;
  run.budget.charge(list.length);
  const keyed = keysOf(
    list,
    expression,
    run,
    (type, failure) => failure ?? failed(`invalid type, must be ${type}`),
  );
  if (keyed instanceof QueryError) return keyed;
  return keyed.reduce((best, next) => (isBetter(compare(next.key, best.key)) ? next : best)).item;
}

/** Every key must have the type of the first one; `later` is what upstream says otherwise of all but the first. */
function keysOf(
  list: readonly Json[],
  expression: Expression,
  run: QueryRun,
  later: (type: string, failure: QueryError | undefined) => QueryError,
): readonly Keyed[] | QueryError {
  const keyed: Keyed[] = [];
  let type: string | undefined;
  for (const item of list) {
    const key = expression.evaluate(item, run);
    const failure = key instanceof QueryError ? key : undefined;
    if (type === undefined && failure !== undefined) return failure;
    if (typeof key !== "number" && typeof key !== "string") {
      return type === undefined ? failed("invalid type, must be number of string") : later(type, failure);
    }
    type ??= typeof key;
    if (typeof key !== type) return later(type, undefined);
    keyed.push({ key, item });
  }
  return keyed;
}

function compare(left: Key, right: Key): number {
  if (typeof left === "string" && typeof right === "string") return compareKeys(left, right);
  return Number(left) - Number(right);
}

export const expressionFunctions: readonly FunctionDefinition[] = [map, maxBy, minBy, sortBy];
