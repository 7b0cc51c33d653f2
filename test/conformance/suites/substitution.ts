/**
 * Variables `{{ }}` and references `$( )` in documents, as Kyverno 1.19's own package substituted them.
 */
import { probeDocument } from "#engine";
import type { Json, JsonObject } from "#json";

import { tellsInt64 } from "../int64.ts";
import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";
import { sameAnswer } from "../same-answer.ts";

type Vector = {
  readonly id: string;
  readonly mode: string;
  readonly document: Json;
  readonly context: JsonObject;
  readonly numbers?: string;
  readonly images?: JsonObject;
  readonly element?: { readonly data: Json; readonly index: number; readonly nesting: number };
  readonly expect: {
    readonly document?: Json;
    readonly error?: string;
    readonly panic?: string;
    readonly go_types?: unknown;
  };
};

/** Modes of upstream's that are other functions: whole rules as Go types, and checks of policies. */
const otherModes: Readonly<Record<string, string>> = {
  conditions: "substitution of typed conditions: Postern evaluates them in one step",
  rule: "whole typed rules: Postern substitutes the parts that it evaluates",
  "rule-without-context": "upstream's check of a rule without a context is `#policy`'s",
  "foreach-element-check": "a check of policies: `policy/misplaced-variable`",
  "shift-references": "a part of autogen, which has a suite of its own",
};

export const suite: Suite = {
  name: "substitution",
  bar: 99,
  data: "vectors/jmespath/substitution.jsonl",
  deviations: [
    {
      id: "one-number-type",
      reason: "numbers are float64 to queries, elementIndex included (design.md, contracts: numbers)",
      covers: ({ input }) => dependsOnInt64(input as Vector),
    },
    {
      id: "no-json",
      reason: "an expression reference or bytes that are no text are not values that a document can hold",
      covers: ({ input }) => isNoJson(input as Vector),
    },
  ],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield answer(vector);
  },
};

function answer(vector: Vector): Row {
  const other = otherModes[vector.mode];
  if (other !== undefined) return { id: vector.id, uncovered: other };
  const got = probeDocument({
    root: vector.context,
    document: vector.document,
    as: vector.mode === "evaluate-conditions" ? "conditions" : "document",
    ...(vector.images === undefined ? {} : { images: vector.images }),
    ...(vector.element === undefined ? {} : { element: vector.element }),
  });
  return { id: vector.id, passed: sameAnswer(vector.expect, got), want: vector.expect, got, input: vector };
}

/** A whole number that only the original tells from a float64 meets something that asks for the difference. */
function dependsOnInt64({ numbers, element, document, context }: Vector): boolean {
  const text = JSON.stringify(document);
  const queries = text.match(/\{\{.*?\}\}/g) ?? [];
  return queries.some((query) => {
    const int64 = numbers === "unstructured" || (element !== undefined && query.includes("elementIndex"));
    const shown = !text.includes(`"${query}"`);
    return int64 && (tellsInt64(query) || (shown && namesRounded(query, context)));
  });
}

/** A number of more than 53 bits, by its name: its digits are in a text. */
function namesRounded(query: string, context: JsonObject): boolean {
  return Object.entries(context).some(
    ([name, value]) => Number.isInteger(value) && !Number.isSafeInteger(value) && query.includes(name),
  );
}

/** Expression references and bytes that are no text have no form in JSON, and no way out of a query here. */
function isNoJson({ expect }: Vector): boolean {
  return /\$expref|\$bytes/.test(JSON.stringify(expect));
}
