/**
 * Expressions and their answers as Kyverno's own packages gave them. Its numbers may be int64 or float64 and the two
 * are never equal; ours are all float64 (contracts: numbers), which is what most deviations are about.
 */
import { Budget, Interruption } from "#diag";
import { QueryError, compileQuery, isSyntaxError } from "#jmespath";
import type { QueryRun } from "#jmespath";
import type { Json } from "#json";
import { isArray, isObject, printJson } from "#json";
import { readRows } from "../rows.ts";
import type { AnsweredRow, Deviation, Question, Row } from "../suite.ts";
import { hangsOnInt64 } from "./jmespath-int64.ts";

export type QueryVector = {
  readonly id: string;
  readonly expr: string;
  readonly data: Json;
  readonly numbers?: string;
  readonly expect: {
    readonly value?: Json;
    readonly error?: string;
    readonly panic?: string;
    readonly stage?: string;
    readonly class?: string;
    readonly offset?: number;
    readonly go_types?: Readonly<Record<string, string>>;
  };
};

export function* answerVectors(path: string): Generator<Row> {
  for (const vector of readRows<QueryVector>(path)) yield answerVector(vector);
}

function answerVector(vector: QueryVector): AnsweredRow {
  const { id, expect } = vector;
  const got = evaluate(vector.expr, vector.data);
  if (expect.panic !== undefined) {
    return { id, passed: "error" in got, want: "some error", got, input: vector };
  }
  const want = expect.error === undefined ? { value: expect.value ?? null } : wantedError(vector);
  return { id, passed: printJson(toJson(got)) === printJson(toJson(want)), want, got, input: vector };
}

function wantedError({ expect }: QueryVector): Answer {
  return {
    error: expect.error ?? "",
    stage: expect.stage ?? "search",
    ...(expect.class === "NotFoundError" ? { class: expect.class } : {}),
    ...(expect.offset === undefined ? {} : { offset: expect.offset }),
  };
}

export type Answer =
  | { readonly value: Json }
  | {
      readonly error: string;
      readonly stage: string;
      readonly class?: string;
      readonly offset?: number;
    };

function toJson(answer: Answer): Json {
  return JSON.parse(JSON.stringify(answer)) as Json;
}

export function evaluate(expression: string, data: Json): Answer {
  const compiled = compileQuery(expression);
  if (isSyntaxError(compiled)) {
    const { message, offset } = compiled;
    return { error: message, stage: "compile", ...(offset === undefined ? {} : { offset }) };
  }
  const value = compiled.evaluate(data, createRun());
  if (!(value instanceof QueryError)) return { value: marked(value) };
  const { kind, message } = value;
  return { error: message, stage: "search", ...(kind === "unknown-key" ? { class: "NotFoundError" } : {}) };
}

/** A fixed present and fixed random numbers; no name resolves. */
function createRun(): QueryRun {
  let state = 1;
  return {
    budget: new Budget(10_000_000),
    nowMs: Date.parse("2026-12-01T00:00:00Z"),
    random: () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    },
    externalHost: () => {
      throw new Interruption("pending");
    },
  };
}

/** Values that JSON lacks, as the vectors write them. */
function marked(value: Json): Json {
  if (typeof value === "number" && !Number.isFinite(value)) return { $float: floatName(value) };
  if (isArray(value)) return value.map(marked);
  if (!isObject(value)) return value;
  if (Object.getOwnPropertySymbols(value).length > 0) return { $expref: true };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, marked(item)]));
}

function floatName(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

export function vectorOf({ input }: Question): QueryVector {
  return input as QueryVector;
}

export const floatsOnly: Deviation = {
  id: "floats-only",
  reason:
    "the answer hangs on whether a number is an int64 or a float64; there are only float64 numbers here",
  covers: (question) => hangsOnInt64(vectorOf(question)),
};
