/**
 * One scalar of a pattern against one value, both with the Go types that the vectors name: where there is no type, a
 * literal's own is taken.
 */
import { matchTyped } from "#engine";
import { isArray, type Json, type TypedJson } from "#json";

import { readRows } from "../rows.ts";
import type { Suite } from "../suite.ts";

type GoNumber = "int64" | "float64";

type Vector = {
  readonly id: string;
  readonly value: Json;
  readonly valueType?: GoNumber;
  readonly pattern: Json;
  readonly patternType?: GoNumber;
  readonly expect: boolean;
};

export const suite: Suite = {
  name: "scalar",
  bar: 99,
  data: "vectors/engine/scalar.jsonl",
  deviations: [],
  *run(path) {
    for (const vector of readRows<Vector>(path)) {
      const got = matchTyped(
        typed(vector.value, vector.valueType),
        typed(vector.pattern, vector.patternType),
      );
      yield { id: vector.id, passed: got === vector.expect, want: vector.expect, got, input: vector };
    }
  },
};

function typed(value: Json, type: GoNumber | undefined): TypedJson {
  if (typeof value === "number") return type === "int64" ? BigInt(value) : value;
  if (isArray(value)) return value.map((item) => typed(item, type));
  return value;
}
