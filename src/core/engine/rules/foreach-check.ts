/**
 * `validate.foreach`: a check for each element of a list, nested as deep as authors write it. The first element that
 * does not pass decides; elements that are skipped, null, or whose preconditions cannot be evaluated are passed over;
 * when no element was checked at all, the rule gives no answer.
 * SPEC: Kyverno 1.19 pkg/engine/handlers/validation/validate_resource.go (validateForEach, validateElements).
 */
import { Interruption } from "#diag";
import { isArray, isObject, type Json } from "#json";
import type { ForeachSpec } from "#policy";

import { compileConditions } from "../conditions/conditions.ts";
import { foreachScope } from "../context/compile-entries.ts";
import type { EvaluationContext } from "../context/evaluation-context.ts";
import { isEvaluationError } from "../evaluation-error.ts";
import type { CheckProgram } from "../program.ts";
import { compileScopedQuery, type ScopedQuery } from "../variables/scoped-query.ts";
import { compileDenyCheck } from "./deny-check.ts";
import { errored, passed, type Outcome } from "./outcome.ts";
import { compileAnyPatternCheck, compilePatternCheck, type CheckSetting } from "./pattern-check.ts";

type EntryProgram = {
  readonly list: ScopedQuery;
  readonly elementScope: boolean | undefined;
  readonly precondition: (context: EvaluationContext) => "met" | "unmet" | "unknown";
  readonly check: CheckProgram;
};

/** What became of one entry: how many elements were checked, or the outcome that ends the rule. */
type Progress = { readonly checked: number; readonly end?: Outcome };

const PASSED = passed("rule passed");
const NOTHING: Progress = { checked: 0 };

/** @param nesting depth of this foreach, from 0: elements are also known as `elementN` */
function compileForeachCheck(
  specs: readonly ForeachSpec[],
  setting: CheckSetting,
  nesting: number,
): CheckProgram {
  const entries = specs.map((spec) => compileEntry(spec, setting, nesting));
  return (context) => {
    let checked = 0;
    let listError: string | undefined;
    for (const entry of entries) {
      const list = context.query(entry.list);
      if (isEvaluationError(list)) {
        if (!list.message.includes("Unknown key")) listError ??= list.message;
        continue;
      }
      const progress = runElements(entry, isArray(list) ? list : [list], context, nesting);
      if (progress.end !== undefined) return progress.end;
      checked += progress.checked;
    }
    if (checked > 0) return PASSED;
    return listError === undefined ? undefined : errored("failed to evaluate list", listError);
  };
}

function compileEntry(spec: ForeachSpec, setting: CheckSetting, nesting: number): EntryProgram {
  const scope = foreachScope(setting.scope, spec.context);
  const inner = { ...setting, scope };
  const conditions =
    spec.preconditions === undefined ? undefined : compileConditions(spec.preconditions, scope);
  return {
    list: compileScopedQuery(spec.list, setting.scope),
    elementScope: spec.elementScope,
    precondition(context) {
      const answer = conditions?.evaluate(context);
      if (answer === undefined) return "met";
      if (isEvaluationError(answer)) return "unknown";
      return answer.result ? "met" : "unmet";
    },
    check: compileSubjectCheck(spec.check, inner, nesting + 1),
  };
}

/**
 * The check of a rule or of a foreach entry: both take the same four kinds.
 * @param nesting depth of a foreach that the check itself is
 */
export function compileSubjectCheck(
  check: ForeachSpec["check"],
  setting: CheckSetting,
  nesting: number,
): CheckProgram {
  switch (check.kind) {
    case "pattern":
      return compilePatternCheck(check.pattern, setting);
    case "anyPattern":
      return compileAnyPatternCheck(check.patterns, setting);
    case "deny":
      return compileDenyCheck(check.conditions, setting);
    case "foreach":
      return compileForeachCheck(check.foreach, setting, nesting);
  }
}

/** An element whose lookup has no answer yet ends the rule too, but only after the others have named theirs. */
function runElements(
  entry: EntryProgram,
  elements: readonly Json[],
  context: EvaluationContext,
  nesting: number,
): Progress {
  let checked = 0;
  let pending: Interruption | undefined;
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index];
    if (element === undefined || element === null) continue;
    context.budget.charge(1);
    const outcome = runElement(entry, { element, index, nesting }, context);
    if (outcome === undefined) continue;
    if (outcome instanceof Interruption) pending = outcome;
    else if (pending === undefined) {
      if (outcome.status !== "pass") return { checked, end: outcome };
      checked += 1;
    }
  }
  if (pending !== undefined) throw pending;
  return checked === 0 ? NOTHING : { checked };
}

type Place = { readonly element: Json; readonly index: number; readonly nesting: number };

/** The outcome, nothing where the element is passed over, or the interruption that waits for a lookup. */
function runElement(
  entry: EntryProgram,
  { element, index, nesting }: Place,
  context: EvaluationContext,
): Outcome | Interruption | undefined {
  const isMap = isObject(element);
  if (entry.elementScope === true && !isMap) return notAMap(element);
  const mark = context.enterElement(element, index, nesting, entry.elementScope ?? isMap);
  try {
    if (entry.precondition(context) !== "met") return undefined;
    const outcome = entry.check(context);
    if (outcome === undefined || outcome.status === "skip") return undefined;
    return outcome.status === "pass" ? outcome : prefixed(outcome);
  } catch (thrown) {
    if (!(thrown instanceof Interruption && thrown.reason === "pending")) throw thrown;
    context.run.lookAhead();
    return thrown;
  } finally {
    context.leave(mark);
  }
}

function prefixed(outcome: Outcome): Outcome {
  return { ...outcome, message: `validation failure: ${outcome.message}` };
}

function notAMap(element: Json): Outcome {
  return errored(
    "failed to process foreach",
    `cannot use elementScope=true foreach rules for elements that are not maps, expected type=map got type=${goType(element)}`,
  );
}

function goType(value: Json): string {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "float64";
  return typeof value === "boolean" ? "bool" : "[]interface {}";
}
