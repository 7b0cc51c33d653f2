/**
 * `validate.pattern` and `validate.anyPattern`. A pattern without variables is compiled with the policy; one with
 * variables is rendered and compiled for each evaluation, because a variable may decide what is compared how.
 * SPEC: Kyverno 1.19 pkg/engine/handlers/validation/validate_resource.go (validateResourceWithRule, validatePatterns).
 */
import { withInt64, type Json, type TypedJson } from "#json";

import type { EvaluationContext } from "../context/evaluation-context.ts";
import { isEvaluationError, type EvaluationError } from "../evaluation-error.ts";
import { compilePattern, type PatternProgram } from "../pattern/compile-pattern.ts";
import { resolveReferences } from "../pattern/references.ts";
import type { CheckProgram } from "../program.ts";
import type { Scope } from "../context/scope.ts";
import { compileTemplate } from "../variables/template.ts";
import { anyPatternFailure, patternFailure, type MessageProgram } from "./message.ts";
import { errored, failed, passed, skipped } from "./outcome.ts";

/** What the checks of one rule share. */
export type CheckSetting = {
  readonly rule: string;
  readonly message: MessageProgram | undefined;
  readonly scope: Scope;
};

type PatternSource = (context: EvaluationContext) => PatternProgram | EvaluationError;

export function compilePatternCheck(pattern: Json, setting: CheckSetting): CheckProgram {
  const source = compileSource(withInt64(pattern), setting.scope);
  const pass = passed(`validation rule '${setting.rule}' passed.`);
  return (context) => {
    const resource = context.patternSubject();
    if (resource === undefined) return undefined;
    const program = source(context);
    if (isEvaluationError(program)) return errored("variable substitution failed", program.message);
    const outcome = program.match(resource, context.budget);
    switch (outcome.kind) {
      case "pass":
        return pass;
      case "skip":
        return skipped(outcome.message);
      case "error":
        return errored(patternFailure(setting.rule, setting.message, context, { message: outcome.message }));
      case "fail":
        return failed(patternFailure(setting.rule, setting.message, context, outcome), outcome.path);
    }
  };
}

/** The first pattern that passes decides; else any that failed make a failure; else all were skipped. */
export function compileAnyPatternCheck(patterns: readonly Json[], setting: CheckSetting): CheckProgram {
  const sources = patterns.map((pattern) => compileSource(pattern, setting.scope));
  const passes = patterns.map((_, index) =>
    passed(`validation rule '${setting.rule}' anyPattern[${index}] passed.`),
  );
  return (context) => {
    const resource = context.patternSubject();
    if (resource === undefined) return undefined;
    const programs = renderAll(sources, context);
    if (isEvaluationError(programs)) return errored("variable substitution failed", programs.message);
    const failures: string[] = [];
    const skips: string[] = [];
    let path: string | undefined;
    for (let index = 0; index < programs.length; index += 1) {
      const outcome = programs[index]?.match(resource, context.budget);
      if (outcome === undefined) continue;
      const name = `rule ${setting.rule}[${index}]`;
      if (outcome.kind === "pass") return passes[index];
      if (outcome.kind === "skip") skips.push(`${name} skipped: ${outcome.message}`);
      else if (outcome.kind === "error") failures.push(`${name} failed: ${outcome.message}`);
      else {
        failures.push(`${name} failed at path ${outcome.path}`);
        path ??= outcome.path;
      }
    }
    if (failures.length > 0) return failed(anyPatternFailure(setting.message, context, failures), path);
    return skipped(skips.join(" "));
  };
}

/** Constant patterns are one program for all; others are rendered first. */
function compileSource(pattern: TypedJson, scope: Scope): PatternSource {
  const resolved = resolveReferences(pattern);
  if (isEvaluationError(resolved)) return () => resolved;
  const template = compileTemplate(resolved, scope);
  if (template.constant) {
    const program = compilePattern(resolved);
    return () => program;
  }
  return (context) => {
    const document = template.render(context);
    return isEvaluationError(document) ? document : compilePattern(document);
  };
}

function renderAll(
  sources: readonly PatternSource[],
  context: EvaluationContext,
): readonly PatternProgram[] | EvaluationError {
  const programs: PatternProgram[] = [];
  for (const source of sources) {
    const program = source(context);
    if (isEvaluationError(program)) return program;
    programs.push(program);
  }
  return programs;
}
