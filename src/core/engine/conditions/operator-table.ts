/**
 * All operators of conditions, by name. An operator is chosen whatever the case of its letters; those that compare by
 * their own name hold for nothing when they are spelled otherwise, as upstream has it.
 * SPEC: Kyverno 1.19 pkg/engine/variables/operator/operator.go (CreateOperatorHandler).
 */
import type { TypedJson } from "#json";

import type { EvaluationError } from "../evaluation-error.ts";
import type { KeyAnswer, KeyTest, OperatorDefinition } from "./operator.ts";
import { comparisons } from "./operators/comparison.ts";
import { durations } from "./operators/duration.ts";
import { equal, equals, notEqual, notEquals } from "./operators/equality.ts";
import { formerSets } from "./operators/former-sets.ts";
import { sets } from "./operators/sets.ts";

export type OperatorProgram = {
  /** As the policy spells it. */
  readonly name: string;
  readonly compare: (key: TypedJson, value: TypedJson) => boolean | EvaluationError;
  /** The test of keys for a value that does not change. */
  readonly compileValue: (value: TypedJson) => KeyAnswer;
};

/** Every operator, in the order of upstream's documentation. */
export const operators: readonly OperatorDefinition[] = [
  equals,
  notEquals,
  ...sets,
  ...comparisons,
  ...durations,
  equal,
  notEqual,
  ...formerSets,
];

const byName: ReadonlyMap<string, OperatorDefinition> = new Map(
  operators.map((definition) => [definition.name.toLowerCase(), definition]),
);

/** @returns the operator, or what upstream says when a condition with an unknown one is evaluated */
export function compileOperator(operator: string): OperatorProgram | { readonly error: string } {
  const definition = byName.get(operator.toLowerCase());
  if (definition === undefined) {
    return { error: "failed to create handler for condition operator: %!w(<nil>)" };
  }
  const misspelled = definition.exactSpelling && operator !== definition.name;
  const compileValue = misspelled ? neverHolds : definition.compileValue;
  return { name: operator, compileValue, compare: (key, value) => compileValue(value)(key) };
}

function neverHolds(): KeyTest {
  return () => false;
}
