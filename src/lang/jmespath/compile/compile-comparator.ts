/**
 * `==` and `!=` on anything, deep; `<` and its kin on numbers, null for everything else. A comparison with a literal,
 * which is the usual one, is a single identity test.
 */
import type { Json } from "#json";
import { equalJson } from "#json";
import { QueryError } from "../query-error.ts";
import type { Evaluate, QueryRun } from "../query-run.ts";
import type { AstNode } from "../syntax/ast.ts";
import type { Comparison } from "../syntax/token.ts";
import { chargeValue } from "../values/charge-value.ts";
import type { CompileNode } from "./compile-node.ts";

type Comparator = Extract<AstNode, { readonly kind: "comparator" }>;

export function compileComparator(node: Comparator, compile: CompileNode): Evaluate {
  const left = compile(node.left, true);
  const scalar = scalarOf(node.right);
  if (scalar !== undefined && (node.operator === "tEQ" || node.operator === "tNE")) {
    return compareWith(left, scalar, node.operator === "tEQ");
  }
  const right = compile(node.right, true);
  const compare = comparisons[node.operator];
  return (value, run) => {
    run.budget.charge(1);
    const first = left(value, run);
    if (first instanceof QueryError) return first;
    const second = right(value, run);
    return second instanceof QueryError ? second : compare(first, second, run);
  };
}

/** A literal that is equal to nothing but itself. */
function scalarOf(node: AstNode): Exclude<Json, object> | undefined {
  if (node.kind !== "literal") return undefined;
  return typeof node.value === "object" ? undefined : node.value;
}

function compareWith(left: Evaluate, scalar: Json, wanted: boolean): Evaluate {
  return (value, run) => {
    run.budget.charge(1);
    const found = left(value, run);
    return found instanceof QueryError ? found : (found === scalar) === wanted;
  };
}

type Compare = (left: Json, right: Json, run: QueryRun) => Json;

const comparisons: Readonly<Record<Comparison, Compare>> = {
  tEQ: equal,
  tNE: (left, right, run) => !equal(left, right, run),
  tLT: ordered((left, right) => left < right),
  tLTE: ordered((left, right) => left <= right),
  tGT: ordered((left, right) => left > right),
  tGTE: ordered((left, right) => left >= right),
};

function ordered(compare: (left: number, right: number) => boolean): Compare {
  return (left, right) =>
    typeof left === "number" && typeof right === "number" ? compare(left, right) : null;
}

function equal(left: Json, right: Json, run: QueryRun): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  chargeValue(left, run.budget);
  return equalJson(left, right);
}
