/**
 * What an operator of conditions is: a name, and a program for a value that is made once where the value is constant.
 * Everything else about conditions (variables, any and all, messages) lies around operators and is unknown to them.
 */
import type { TypedJson } from "#json";

import type { EvaluationError } from "../evaluation-error.ts";

/** Whether a condition with a certain value holds for a key. A bigint is an int64, a number a float64. */
export type KeyTest = (key: TypedJson) => boolean;

/** The same for operators that some keys are an error for. */
export type KeyAnswer = (key: TypedJson) => boolean | EvaluationError;

export type OperatorDefinition = {
  /** As it is written in policies. Any spelling in upper and lower case selects the operator. */
  readonly name: string;
  /**
   * Another spelling than `name` is taken and never holds.
   * SPEC: Kyverno 1.19 pkg/engine/variables/operator (numeric.go, duration.go): the operator is compared as written.
   */
  readonly exactSpelling: boolean;
  readonly compileValue: (value: TypedJson) => KeyAnswer;
};
