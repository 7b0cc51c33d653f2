/** Whole patterns on whole resources: the outcome, the path and the text of what did not match. */
import { Budget } from "#diag";
import { compilePattern, matchTyped } from "#engine";
import { isArray, isObject, withInt64, type Json, type TypedJson } from "#json";
import { formatFloatV } from "#text";

import { readRows } from "../rows.ts";
import type { AnsweredRow, Suite } from "../suite.ts";

type Vector = {
  readonly id: string;
  readonly resource: Json;
  readonly pattern: Json;
  readonly patternNumbers?: "float64";
  readonly resourceNumbers?: "float64";
  readonly expect: { readonly status: string; readonly path?: string; readonly message?: string };
};

export const suite: Suite = {
  name: "pattern",
  bar: 99,
  data: "vectors/engine/pattern.jsonl",
  deviations: [
    {
      id: "resource-float64",
      reason:
        "numbers have one type for resources: a whole one is an integer, in texts and against wildcards",
      covers: ({ input }) => dependsOnFloat(input as Vector),
    },
  ],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield answer(vector);
  },
};

function answer(vector: Vector): AnsweredRow {
  const { id, resource, pattern, patternNumbers, expect: want } = vector;
  const typed = patternNumbers === "float64" ? pattern : withInt64(pattern);
  const { kind, ...rest } = compilePattern(typed).match(resource, new Budget(1_000_000));
  const got: Vector["expect"] = { status: kind, ...rest };
  const passed =
    got.status === want.status && got.path === want.path && (got.message ?? "") === (want.message ?? "");
  return { id, passed, want, got, input: vector };
}

/** The resource was loaded with floats only, and a whole one shows: in the text of the failure or to a pattern. */
function dependsOnFloat({ resource, pattern, resourceNumbers, expect }: Vector): boolean {
  if (resourceNumbers !== "float64") return false;
  const shown = (expect.message ?? "").startsWith("resource value '");
  return wholeNumbers(resource, pattern).some(
    ([value, wanted]) =>
      (shown && formatFloatV(value) !== BigInt(value).toString()) ||
      matchTyped(value, wanted) !== matchTyped(BigInt(value), wanted),
  );
}

/** The whole numbers of the resource, each with what the pattern has in its place. */
function wholeNumbers(resource: Json, pattern: Json): readonly (readonly [number, TypedJson])[] {
  if (typeof resource === "number") return Number.isInteger(resource) ? [[resource, pattern]] : [];
  if (isArray(resource)) {
    const first = isArray(pattern) ? (pattern[0] ?? null) : pattern;
    return resource.flatMap((item) => wholeNumbers(item, first));
  }
  if (!isObject(resource)) return [];
  return Object.entries(resource).flatMap(([key, value]) =>
    wholeNumbers(value, isObject(pattern) ? (pattern[key] ?? null) : null),
  );
}
