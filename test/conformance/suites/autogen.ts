/**
 * The rules that autogen makes: all names in order, and every rule that is not an authored one. Generated rules are
 * compared in the form that Go's encoder gives them, which writes out some empty fields.
 */
import type { Json, JsonObject } from "#json";
import { equalJson, isArray, isObject } from "#json";
import { computeRules } from "#policy";
import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type Vector = {
  readonly id: string;
  readonly policy: {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly rules?: readonly JsonObject[] };
  };
  readonly kind?: string;
  readonly expect: { readonly names: readonly string[]; readonly generated: readonly JsonObject[] };
};

export const suite: Suite = {
  name: "autogen",
  bar: 99,
  data: "vectors/engine/autogen.jsonl",
  deviations: [],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield answer(vector);
  },
};

function answer(vector: Vector): Row {
  const got = compute(vector);
  const want: Json = { names: vector.expect.names, generated: vector.expect.generated.map(tidyRule) };
  return { id: vector.id, passed: equalJson(got, want), want, got, input: vector };
}

function compute({ policy, kind }: Vector): Json {
  const { metadata, spec } = policy;
  const rules = computeRules(spec.rules ?? [], metadata.annotations ?? {}, kind);
  const generated = rules.filter((rule) => rule.generated);
  return {
    names: rules.map((rule) => rule.raw["name"] ?? ""),
    generated: generated.map((rule) => tidyRule(rule.raw)),
  };
}

/** A rule without what Go writes for fields of match and verifyImages that are not set. */
function tidyRule(rule: JsonObject): JsonObject {
  const tidied: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rule)) {
    const item = zeroed.has(key) ? tidy(value) : value;
    if (!isZero(item)) tidied[key] = item;
  }
  return tidied;
}

const zeroed: ReadonlySet<string> = new Set(["match", "exclude", "verifyImages"]);

function tidy(value: Json): Json {
  if (isArray(value)) return value.map(tidy);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, tidy(item)] as const)
      .filter(([, item]) => !isZero(item)),
  );
}

function isZero(value: Json): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === false || value === "";
}
