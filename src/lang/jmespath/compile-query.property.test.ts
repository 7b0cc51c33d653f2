import fc from "fast-check";
import { expect, test } from "vitest";
import { Budget, Interruption } from "#diag";
import type { Json } from "#json";
import { compileQuery, isSyntaxError } from "./compile-query.ts";
import { functionTable } from "./functions/table.ts";
import { QueryError } from "./query-error.ts";
import type { QueryRun } from "./query-run.ts";

function createRun(): QueryRun {
  return { budget: new Budget(20_000), nowMs: 0, random: () => 0.3, externalHost: () => true };
}

const atom = fc.constantFrom(
  "a",
  "b",
  '"c d"',
  "@",
  "`1`",
  "`-2.5`",
  "`null`",
  '`{"a":[1,{}]}`',
  "'x'",
  "'1h'",
  "'2024-03-10T15:04:05Z'",
  "'^a+$'",
  "[0]",
  "[1:]",
  "*",
  "[*]",
  "&a",
);

const call = fc.tuple(
  fc.constantFrom(...functionTable.map(({ name }) => name)),
  fc.array(atom, { maxLength: 4 }),
);

const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    atom,
    call.map(([name, args]) => `${name}(${args.join(", ")})`),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `${left} || ${right}`),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `${left} == ${right}`),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `${left} | ${right}`),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `[${left}, {x: ${right}}]`),
    tie("node").map((inner) => `!(${inner})`),
    tie("node").map((inner) => `a[?${inner}]`),
    tie("node").map((inner) => `map(&(${inner}), to_array(@))`),
  ),
})).node;

const document = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);

test("an expression gives a value, an error or runs out of budget, and leaves the document as it was", () => {
  let answered = 0;
  fc.assert(
    fc.property(expression, document, (source, data) => {
      const compiled = compileQuery(source);
      if (isSyntaxError(compiled)) return;
      const before = JSON.stringify(data);
      try {
        const answer = compiled.evaluate(data, createRun());
        if (answer instanceof QueryError) expect(answer.message).not.toBe("");
        else expect(answer).not.toBeUndefined();
        answered++;
      } catch (error) {
        expect(error).toBeInstanceOf(Interruption);
      }
      expect(JSON.stringify(data)).toBe(before);
    }),
    { numRuns: 3000 },
  );
  expect(answered).toBeGreaterThan(500);
});

test("any text compiles or has a syntax error", () => {
  const noise = fc.string({ unit: fc.constantFrom(..."ab01.[]{}()*|&!<>=,:@?'\"`\\ \n-é🙂_") });
  fc.assert(
    fc.property(noise, (source) => {
      const compiled = compileQuery(source);
      if (isSyntaxError(compiled)) expect(compiled.message).not.toBe("");
      else expect(compiled.source).toBe(source);
    }),
    { numRuns: 5000 },
  );
});
