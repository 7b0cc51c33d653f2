/**
 * The texts of validate rules. They are upstream's to the letter: people grep for them, and denials carry them.
 * SPEC: Kyverno 1.19 pkg/engine/handlers/validation/validate_resource.go; kyverno-surface.md section 1.5.
 */
import { plainText } from "#json";
import type { EvaluationContext } from "../context/evaluation-context.ts";
import { isEvaluationError } from "../evaluation-error.ts";
import { resolveReferences } from "../pattern/references.ts";
import type { Scope } from "../context/scope.ts";
import { compileTemplate, type Template } from "../variables/template.ts";

/** The author's message of a rule, compiled; absent where there is none. */
export type MessageProgram = { readonly source: string; readonly template: Template };

/** An empty message counts as none. */
export function compileMessage(message: string | undefined, scope: Scope): MessageProgram | undefined {
  if (message === undefined || message === "") return undefined;
  return { source: message, template: compileText(message, scope) };
}

/** What a pattern found: where, and what; without a path it is an error of the rule. */
export type PatternFailure = { readonly path?: string; readonly message: string };

/** `validation error: <message>. rule <name> failed at path <path>`, or its form without a path for an error. */
export function patternFailure(
  rule: string,
  message: MessageProgram | undefined,
  context: EvaluationContext,
  { path, message: found }: PatternFailure,
): string {
  const tail = path === undefined ? `execution error: ${found}` : `failed at path ${path}`;
  if (message === undefined) return `validation error: rule ${rule} ${tail}`;
  const text = message.template.render(context);
  if (isEvaluationError(text)) {
    return `validation error: variables substitution error in rule ${rule} execution error: ${found}`;
  }
  return `validation error: ${withPeriod(plainText(text))} rule ${rule} ${tail}`;
}

/** All failures of an anyPattern in one text. */
export function anyPatternFailure(
  message: MessageProgram | undefined,
  context: EvaluationContext,
  failures: readonly string[],
): string {
  const list = failures.join(" ");
  if (message === undefined) return `validation error: ${list}`;
  const text = message.template.render(context);
  return `validation error: ${withPeriod(isEvaluationError(text) ? message.source : plainText(text))} ${list}`;
}

/** The author's message and those of the conditions that held, as written where a variable in them fails. */
export function denyFailure(
  setting: { readonly rule: string; readonly message: MessageProgram | undefined; readonly scope: Scope },
  context: EvaluationContext,
  conditions: string,
): string {
  const { rule, message, scope } = setting;
  if (conditions === "") {
    if (message === undefined) return `validation error: rule ${rule} failed`;
    return renderedOr(message.template, message.source, context);
  }
  const text = message === undefined ? conditions : `${message.source}; ${conditions}`;
  return renderedOr(compileText(text, scope), text, context);
}

/** A text whose variables cannot be resolved comes out empty, as upstream has it. */
function renderedOr(template: Template, text: string, context: EvaluationContext): string {
  const rendered = template.render(context);
  if (isEvaluationError(rendered)) return "";
  return typeof rendered === "string" ? rendered : text;
}

/** References are resolved in messages too; there is nothing that they could point at. */
function compileText(text: string, scope: Scope): Template {
  const resolved = resolveReferences(text);
  if (isEvaluationError(resolved)) return { constant: false, render: () => resolved };
  return compileTemplate(resolved, scope);
}

function withPeriod(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
