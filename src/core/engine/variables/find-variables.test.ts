/** Where variables are, beside the regular expression of upstream's grammar. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { findVariables } from "./find-variables.ts";

test.each<[text: string, found: readonly string[]]>([
  ["", []],
  ["{{a}}", ["{{a}}"]],
  ["x {{ a }} y {{ b }}", ["{{ a }}", "{{ b }}"]],
  ["{{a}}{{b}}", ["{{a}}"]],
  ["{{a}} {{b}}", ["{{a}}", "{{b}}"]],
  ["\\{{a}}", []],
  ["{{ {x: a} }}", ["{{ {x: a} }}"]],
  ["{{ {x: {y: a}} }}", []],
  ["{{ a.{{ b }} }}", ["{{ b }}"]],
  ["{{{a}}", ["{{a}}"]],
  ["{{{a}}}", ["{{{a}}}"]],
  ["{{a}", []],
  ["{{ a\nb }}", ["{{ a\nb }}"]],
])("%j", (text, found) => {
  expect(findVariables(text)).toEqual(found);
});

test("any text: what the grammar as a regular expression finds", () => {
  const grammar = /(^|[^\\])(\{\{(?:\{[^{}]*\}|[^{}])*\}\})/g;
  const texts = fc.string({ unit: fc.constantFrom("{", "{{", "}", "}}", "\\", "a", "\n"), maxLength: 24 });
  fc.assert(
    fc.property(texts, (text) => {
      expect(findVariables(text)).toEqual(Array.from(text.matchAll(grammar), (match) => match[2]));
    }),
    { numRuns: 2000 },
  );
});

test("time is linear in the text", () => {
  const size = 2_000_000;
  for (const part of ["{{", "{{ {", "{{a{{", "{{ {x}"]) {
    expect(findVariables(part.repeat(size / part.length))).toEqual([]);
  }
});
