/**
 * Blocks of conditions, as preconditions, deny rules and exceptions have them: `any` and `all`, or the old list, which
 * means all. Nothing at all is true; an empty `any` is false.
 * SPEC: Kyverno 1.19 pkg/engine/variables/evaluate.go; kyverno-surface.md sections 0 and 1.4.
 */
import { isArray, isObject, member, withInt64, type Json, type JsonObject, type TypedJson } from "#json";

import type { EvaluationContext } from "../context/evaluation-context.ts";
import type { Scope } from "../context/scope.ts";
import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import { resolveReferences } from "../pattern/references.ts";
import { compileTemplate, type Template } from "../variables/template.ts";
import { compileOperator } from "./operator-table.ts";
import { areConditions } from "./shape.ts";

/** The messages of the conditions that decided, as they are written. */
export type ConditionsAnswer = { readonly result: boolean; readonly message: string };

export type ConditionsProgram = {
  readonly evaluate: (context: EvaluationContext) => ConditionsAnswer | EvaluationError;
};

type ConditionProgram = {
  readonly message: string;
  readonly evaluate: (context: EvaluationContext) => boolean | EvaluationError;
};

type Block = {
  readonly any: readonly ConditionProgram[] | undefined;
  readonly all: readonly ConditionProgram[];
};

const HOLDS: ConditionsAnswer = { result: true, message: "" };
const FAILS: ConditionsAnswer = { result: false, message: "" };

/** @param spec null for none; a list of conditions, a list of blocks, or one block */
export function compileConditions(spec: Json, scope: Scope): ConditionsProgram {
  if (!areConditions(spec)) return { evaluate: () => new EvaluationError("failed to unmarshal Conditions") };
  const blocks = blocksOf(spec, scope);
  const [only] = blocks;
  if (only === undefined) return { evaluate: () => HOLDS };
  if (blocks.length === 1) return { evaluate: (context) => evaluateBlock(only, context) };
  return {
    evaluate(context) {
      const messages: string[] = [];
      for (const block of blocks) {
        const answer = evaluateBlock(block, context);
        if (isEvaluationError(answer) || !answer.result) return answer;
        if (answer.message !== "") messages.push(answer.message);
      }
      return { result: true, message: messages.join(";") };
    },
  };
}

function blocksOf(spec: Json, scope: Scope): readonly Block[] {
  if (isObject(spec)) return [compileBlock(spec, scope)];
  if (!isArray(spec) || spec.length === 0) return [];
  const items = spec.filter(isObject);
  if (items.some((item) => member(item, "any") !== undefined || member(item, "all") !== undefined)) {
    return items.map((item) => compileBlock(item, scope));
  }
  return items.map((item) => ({ any: undefined, all: [compileCondition(item, scope)] }));
}

function compileBlock(block: JsonObject, scope: Scope): Block {
  const any = member(block, "any");
  const all = member(block, "all");
  const compile = (list: Json): readonly ConditionProgram[] =>
    isArray(list) ? list.filter(isObject).map((item) => compileCondition(item, scope)) : [];
  return { any: isArray(any) ? compile(any) : undefined, all: compile(all ?? null) };
}

function evaluateBlock(block: Block, context: EvaluationContext): ConditionsAnswer | EvaluationError {
  let met = "";
  if (block.any !== undefined) {
    const answer = evaluateAny(block.any, context);
    if (isEvaluationError(answer)) return answer;
    if (!answer.result) {
      // Upstream looks at `all` too, and an error there counts.
      const rest = evaluateAll(block.all, context, "");
      return isEvaluationError(rest) ? rest : joined(answer.message, rest.result ? "" : rest.message);
    }
    met = answer.message;
  }
  return evaluateAll(block.all, context, met);
}

function joined(...messages: readonly string[]): ConditionsAnswer {
  const message = messages.filter((text) => text !== "").join("; ");
  return message === "" ? FAILS : { result: false, message };
}

function evaluateAny(
  conditions: readonly ConditionProgram[],
  context: EvaluationContext,
): ConditionsAnswer | EvaluationError {
  let missed = "";
  for (const condition of conditions) {
    const held = condition.evaluate(context);
    if (isEvaluationError(held)) return held;
    if (held) return condition.message === "" ? HOLDS : { result: true, message: condition.message };
    missed = append(missed, condition.message);
  }
  return missed === "" ? FAILS : { result: false, message: missed };
}

function evaluateAll(
  conditions: readonly ConditionProgram[],
  context: EvaluationContext,
  before: string,
): ConditionsAnswer | EvaluationError {
  let met = before;
  for (const condition of conditions) {
    const held = condition.evaluate(context);
    if (isEvaluationError(held)) return held;
    if (!held) return condition.message === "" ? FAILS : { result: false, message: condition.message };
    met = append(met, condition.message);
  }
  return met === "" ? HOLDS : { result: true, message: met };
}

function append(messages: string, message: string): string {
  if (message === "") return messages;
  return messages === "" ? message : `${messages}; ${message}`;
}

function compileCondition(condition: JsonObject, scope: Scope): ConditionProgram {
  const key = compileOperand(member(condition, "key") ?? null, "key", scope);
  const value = compileOperand(member(condition, "value") ?? null, "value", scope);
  const message = member(condition, "message");
  return {
    message: typeof message === "string" ? message : "",
    evaluate: compileComparison(key, value, condition["operator"]),
  };
}

type Operand = Template & { readonly literal: TypedJson | undefined };

function compileComparison(
  key: Operand,
  value: Operand,
  operatorName: Json | undefined,
): ConditionProgram["evaluate"] {
  const operator = compileOperator(typeof operatorName === "string" ? operatorName : "");
  const literal = value.literal;
  const ready = "error" in operator || literal === undefined ? undefined : operator.compileValue?.(literal);
  return (context) => {
    context.budget.charge(1);
    const left = key.render(context);
    if (isEvaluationError(left)) return left;
    if (ready !== undefined) return ready(left);
    const right = value.render(context);
    if (isEvaluationError(right)) return right;
    if ("error" in operator) return new EvaluationError(operator.error);
    return operator.compare(left, right);
  };
}

/**
 * Scalars of a policy are float64 here, numbers inside of lists and maps int64, and what a variable yields float64.
 * SPEC: design.md, contracts: numbers.
 */
function compileOperand(operand: Json, side: "key" | "value", scope: Scope): Operand {
  const typed: TypedJson = typeof operand === "number" ? operand : withInt64(operand);
  const resolved = resolveReferences(typed);
  if (isEvaluationError(resolved)) {
    const failure = sideError(side, resolved);
    return { constant: false, literal: undefined, render: () => failure };
  }
  const template = compileTemplate(resolved, scope);
  if (template.constant) return { ...template, literal: resolved };
  return {
    constant: false,
    literal: undefined,
    render(context) {
      const value = template.render(context);
      return isEvaluationError(value) ? sideError(side, value) : value;
    },
  };
}

function sideError(side: "key" | "value", cause: EvaluationError): EvaluationError {
  return new EvaluationError(`failed to substitute variables in condition ${side}: ${cause.message}`);
}
