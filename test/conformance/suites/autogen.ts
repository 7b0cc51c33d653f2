/**
 * The rules that autogen makes: all names in order, and every rule that is not an authored one. Generated rules are
 * compared in the form that Go's encoder gives them, which writes out some empty fields.
 */
import type { Json, JsonObject } from "#json";
import { equalJson, isArray, isObject } from "#json";
import { autogenRules, decodePolicyDocument } from "#policy";
import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type Vector = {
  readonly id: string;
  readonly policy: JsonObject;
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
  const got = generate(vector);
  const want: Json = { names: vector.expect.names, generated: vector.expect.generated.map(tidy) };
  return { id: vector.id, passed: equalJson(got, want), want, got, input: vector };
}

function generate(vector: Vector): Json {
  const { policies, diagnostics } = decodePolicyDocument(vector.policy, { file: "vector", document: 0 });
  const policy = policies[0];
  if (policy === undefined) return diagnostics.map((diagnostic) => diagnostic.message);
  const rules = autogenRules(policy, vector.kind);
  const generated = rules.filter((rule) => rule.generatedFrom !== undefined);
  return { names: rules.map((rule) => rule.name), generated: generated.map((rule) => tidy(rule.raw)) };
}

/** Without empty maps and lists and without `false`: what Go writes for a field that is not set, or leaves out. */
function tidy(value: Json): Json {
  if (isArray(value)) return value.map(tidy);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, tidy(item)] as const)
      .filter(([, item]) => item !== false && !isEmpty(item)),
  );
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
