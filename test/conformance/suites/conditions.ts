/**
 * Conditions: single ones, whose Go types are as the vectors name them or, where they do not, as a policy's JSON has
 * them (float64 for a scalar, int64 for whole numbers inside of lists and maps); and blocks with a context, as rules
 * evaluate them. Where upstream panics, any error is right.
 */
import { compileOperator, probeDocument } from "#engine";
import { isArray, isObject, type Json, type JsonObject, type TypedJson } from "#json";

import { numberToken, readRows, readWrittenRows, writtenNumber } from "../rows.ts";
import { sameAnswer } from "../same-answer.ts";
import type { Row, Suite } from "../suite.ts";

type GoNumber = "int64" | "float64";

type Failure = { readonly error: string };

/** Numbers are as `readWrittenRows` has them. */
type Single = {
  readonly id: string;
  readonly key: Json;
  readonly keyType?: GoNumber;
  readonly operator: string;
  readonly value: Json;
  readonly valueType?: GoNumber;
  readonly expect: boolean | Failure | { readonly panic: string };
};

type Block = {
  readonly id: string;
  readonly context?: JsonObject;
  readonly conditions: Json;
  readonly expect: Failure | { readonly result: boolean; readonly message: string };
};

export const suite: Suite = {
  name: "conditions",
  bar: 99,
  data: "vectors/engine/conditions.jsonl",
  deviations: [],
  *run(path) {
    for (const vector of readWrittenRows<Single>(path))
      if (!("conditions" in vector)) yield runSingle(vector);
    for (const vector of readRows<Block>(path)) if ("conditions" in vector) yield runBlock(vector);
  },
};

function runSingle(vector: Single): Row {
  const got = compareSingle(vector);
  return { id: vector.id, want: vector.expect, got, passed: isSame(got, vector.expect), input: vector };
}

function compareSingle(vector: Single): boolean | Failure {
  const operator = compileOperator(vector.operator);
  if ("error" in operator) return { error: operator.error };
  const got = operator.compare(typed(vector.key, vector.keyType), typed(vector.value, vector.valueType));
  return typeof got === "boolean" ? got : { error: got.message };
}

function isSame(got: boolean | Failure, want: Single["expect"]): boolean {
  if (typeof want === "boolean") return got === want;
  if (typeof got === "boolean") return false;
  return "panic" in want || got.error === want.error;
}

function typed(value: Json, type: GoNumber | undefined): TypedJson {
  const token = numberToken(value);
  if (token !== undefined && type === undefined) return Number(token);
  return typedItem(value, type ?? "int64");
}

function typedItem(value: Json, type: GoNumber): TypedJson {
  const token = numberToken(value);
  if (token !== undefined) return type === "int64" ? writtenNumber(token) : Number(token);
  if (isArray(value)) return value.map((item) => typedItem(item, type));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typedItem(item, type)]));
}

function runBlock(vector: Block): Row {
  const answer = probeDocument({ root: vector.context ?? {}, document: vector.conditions, as: "conditions" });
  const got = "error" in answer ? answer : answer.value;
  const wanted = "error" in vector.expect ? vector.expect : { value: vector.expect };
  return { id: vector.id, want: vector.expect, got, passed: sameAnswer(wanted, answer), input: vector };
}
