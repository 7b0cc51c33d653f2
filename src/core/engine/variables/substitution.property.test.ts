/** Whatever a document and a context are: substitution answers, the budget ends it, and nothing is changed by it. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { Budget, Interruption } from "#diag";
import type { Json, JsonObject } from "#json";
import { noFacts, requestFor } from "../../../../test/support/policies.ts";
import { declareEntries, ruleScope } from "../context/compile-entries.ts";
import { EvaluationContext } from "../context/evaluation-context.ts";
import { EvaluationRun } from "../context/evaluation-run.ts";
import { isEvaluationError } from "../evaluation-error.ts";
import { compileTemplate } from "./template.ts";

const names = ["a", "b", "request", "object", "v", "__proto__", "toString"];
const queries = fc.oneof(
  fc.constantFrom(...names, "@", "a.b", "a[0]", "a || 'x'", "to_string(@)", "request.object", "{x: a}", "!a"),
  fc.string({ unit: fc.constantFrom(..."ab.@[]{}'|-` \\".split("")), maxLength: 8 }),
);
const texts = fc.oneof(
  queries.map((query) => `{{ ${query} }}`),
  queries.map((query) => `x{{${query}}}{{- ${query} }}`),
  queries.map((query) => `{{ {{ ${query} }} }}`),
  fc.string({ unit: fc.constantFrom("{{", "}}", "\\", "{", "}", "a", " ", "$&", "\ud800"), maxLength: 9 }),
);
const scalars = fc.oneof(texts, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));

const documents: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    scalars,
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), texts), tie("node"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).node;

/** Steps that were spent, and the answer: as JSON, as an error, or nothing where the budget was spent. */
function render(
  document: Json,
  root: JsonObject,
  entry: Json,
  steps: number,
): { spent: number; said: unknown } {
  const budget = new Budget(steps);
  const request = requestFor({ apiVersion: "v1", kind: "Pod", metadata: {} });
  const run = new EvaluationRun(request, noFacts, budget, { root });
  const scope = declareEntries(ruleScope([], undefined), [
    { name: "v", source: { kind: "variable", value: entry } },
  ]);
  const context = new EvaluationContext(run, "r", { scope });
  try {
    const value = compileTemplate(document, scope).render(context);
    return { spent: budget.spent, said: isEvaluationError(value) ? value.message : JSON.stringify(value) };
  } catch (thrown) {
    if (!(thrown instanceof Interruption)) throw thrown;
    return { spent: budget.spent, said: thrown.reason };
  }
}

test("any document answers in any context, the same each time, and changes neither", () => {
  let values = 0;
  fc.assert(
    fc.property(documents, documents, documents, (document, a, entry) => {
      const root = { request: { operation: "CREATE", object: a }, a };
      const before = JSON.stringify([document, root, entry]);
      const answer = render(document, root, entry, 20_000);
      if (typeof answer.said === "string" && /^[[{"\d]/.test(answer.said)) values += 1;
      expect(render(document, root, entry, 20_000)).toEqual(answer);
      expect(JSON.stringify([document, root, entry])).toBe(before);
    }),
    { numRuns: 1000 },
  );
  expect(values).toBeGreaterThan(100);
});

test("what cannot be said in a budget is said in none that is smaller", () => {
  fc.assert(
    fc.property(documents, documents, fc.integer({ min: 0, max: 200 }), (document, a, steps) => {
      const root = { request: {}, a };
      const { said, spent } = render(document, root, a, 20_000);
      const less = render(document, root, a, steps);
      expect(less.said).toEqual(spent <= steps ? said : "budget");
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["a text that makes itself", "x{{ loop }}", { loop: "{{ loop }}" }],
  ["a text that grows", "x{{ loop }}", { loop: "{{ loop }}{{ loop }} " }],
  ["two that make each other", "x{{ a }}", { a: "{{ b }}", b: "{{ a }}" }],
])("%s ends with the budget", (_, document, root) => {
  expect(render(document, root, 1, 100_000).said).toBe("budget");
});

test("keys of objects are data, whatever their names", () => {
  const root = { a: "__proto__", request: {} };
  expect(render({ "{{ a }}": { x: 1 } }, root, 1, 1000).said).toBe('{"__proto__":{"x":1}}');
  expect(render("{{ toString }}", root, 1, 1000).said).toContain('Unknown key "toString"');
});
