/**
 * Operators of conditions with literal keys and values, whose Go types are as the vectors name them or, where they do
 * not, as a policy's JSON has them: float64 for a scalar, int64 for whole numbers inside of lists and maps. Where
 * upstream panics, any answer that is not true is right.
 */
import { compileOperator } from "#engine";
import { isArray, isObject, withInt64, type Json, type TypedJson } from "#json";

import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type GoNumber = "int64" | "float64";

type Answer = boolean | { readonly error: string } | { readonly panic: string };

type Vector = {
  readonly id: string;
  readonly key: Json;
  readonly keyType?: GoNumber;
  readonly operator: string;
  readonly value: Json;
  readonly valueType?: GoNumber;
  readonly expect: Answer;
};

export const suite: Suite = {
  name: "conditions",
  bar: 99,
  data: "vectors/engine/conditions.jsonl",
  deviations: [],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield runRow(vector);
  },
};

function runRow(vector: Vector): Row {
  if ("conditions" in vector) return { id: vector.id, uncovered: "blocks of conditions" };
  const operator = compileOperator(vector.operator);
  const got =
    "error" in operator
      ? { error: operator.error }
      : operator.compare(typed(vector.key, vector.keyType), typed(vector.value, vector.valueType));
  return { id: vector.id, want: vector.expect, got, passed: isSame(got, vector.expect), input: vector };
}

function isSame(got: boolean | { readonly error: string }, want: Answer): boolean {
  if (typeof want === "boolean") return got === want;
  if ("panic" in want) return got !== true;
  return typeof got === "object" && got.error === want.error;
}

function typed(value: Json, type: GoNumber | undefined): TypedJson {
  if (type === undefined) return typeof value === "number" ? value : withInt64(value);
  if (typeof value === "number") return type === "int64" && Number.isInteger(value) ? BigInt(value) : value;
  if (isArray(value)) return value.map((item) => typed(item, type));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typed(item, type)]));
}
