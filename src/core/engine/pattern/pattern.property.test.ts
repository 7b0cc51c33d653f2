/** Whatever a pattern and a resource are: matching answers, the budget ends it, and answers do not depend on history. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { Budget, Interruption } from "#diag";
import { withInt64, type Json } from "#json";

import { isEvaluationError } from "../evaluation-error.ts";
import { compilePattern, type PatternOutcome } from "./compile-pattern.ts";
import { resolveReferences } from "./references.ts";

const names = ["a", "b", "metadata", "labels", "a*", "toString", "__proto__"];
const symbols = ["", "(", "<(", "X(", "+(", "=(", "^("];
const keys = fc
  .tuple(fc.constantFrom(...symbols), fc.constantFrom(...names))
  .map(([symbol, name]) => (symbol === "" ? name : `${symbol}${name})`));
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(..."0159.-+!<>=|&*?xGimhs $()/\\".split("")) }),
  fc.constantFrom(
    "x",
    "*",
    "?*",
    "!x",
    ">1",
    "1-5",
    "5!-9",
    "1Gi",
    "1h",
    "x|y",
    "conditional anchor mismatch",
  ),
);
const scalars = fc.oneof(
  texts,
  fc.integer({ min: -9, max: 9 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

function documents(key: fc.Arbitrary<string>): fc.Arbitrary<Json> {
  return fc.letrec<{ node: Json }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      scalars,
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(key, tie("node"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).node;
}

const patterns = documents(keys);
const resources = documents(fc.constantFrom(...names));

function match(pattern: Json, resource: Json, steps = 1_000_000): PatternOutcome {
  return compilePattern(withInt64(pattern)).match(resource, new Budget(steps));
}

test("any pattern answers on any resource, and says why it does not match", () => {
  fc.assert(
    fc.property(patterns, resources, (pattern, resource) => {
      const outcome = match(pattern, resource);
      if (outcome.kind === "pass") return;
      expect(outcome.message).not.toBe("");
      if (outcome.kind === "fail") expect(outcome.path).toMatch(/^\/(?:[^]*\/)?$/);
    }),
    { numRuns: 2000 },
  );
});

test("a spent budget interrupts, and nothing else is ever thrown", () => {
  fc.assert(
    fc.property(patterns, resources, fc.nat({ max: 6 }), (pattern, resource, steps) => {
      const budget = new Budget(steps);
      try {
        compilePattern(withInt64(pattern)).match(resource, budget);
        expect(budget.spent).toBeLessThanOrEqual(steps);
      } catch (error) {
        expect(error).toBeInstanceOf(Interruption);
      }
    }),
    { numRuns: 1000 },
  );
});

test("work is bounded by the sizes of both", () => {
  const size = (value: Json): number => JSON.stringify(value).length;
  fc.assert(
    fc.property(patterns, resources, (pattern, resource) => {
      const budget = new Budget(Number.MAX_SAFE_INTEGER);
      compilePattern(withInt64(pattern)).match(resource, budget);
      expect(budget.spent).toBeLessThanOrEqual(4 * size(pattern) * size(resource));
    }),
    { numRuns: 1000 },
  );
});

test("a program answers alike the second time, whatever it saw between", () => {
  fc.assert(
    fc.property(patterns, fc.array(resources, { minLength: 1, maxLength: 5 }), (pattern, list) => {
      const program = compilePattern(withInt64(pattern));
      const answers = [...list, ...list].map((resource) => program.match(resource, new Budget(1_000_000)));
      expect(answers.slice(list.length)).toEqual(answers.slice(0, list.length));
      expect(answers[0]).toEqual(match(pattern, list[0] ?? null));
    }),
    { numRuns: 500 },
  );
});

test("a map of plain scalars matches itself, and whatever has more keys", () => {
  const plain = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.string({ unit: fc.constantFrom("p", "q"), minLength: 1 }),
  );
  const maps = fc.dictionary(fc.constantFrom("p", "q", "r"), plain, { noNullPrototype: true });
  fc.assert(
    fc.property(maps, (map) => {
      expect(match(map, map).kind).toBe("pass");
      expect(match(map, { ...map, more: 1 }).kind).toBe("pass");
      for (const key of Object.keys(map)) {
        const { [key]: _, ...rest } = map;
        expect(match(map, rest)).toMatchObject({ kind: "fail", path: `/${key}/` });
      }
    }),
  );
});

test("references end in a document or an error", () => {
  fc.assert(
    fc.property(patterns, (pattern) => {
      const resolved = resolveReferences(pattern);
      if (isEvaluationError(resolved)) expect(resolved.message).toMatch(/\$\(/);
      else expect(JSON.stringify(resolved)).toBeTypeOf("string");
    }),
    { numRuns: 1000 },
  );
});
