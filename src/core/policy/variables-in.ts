/**
 * The variables in a text: `{{ query }}`, not `\{{ … }}`. Where variables are nested the innermost are found, which is
 * what is resolved first.
 * SPEC: pkg/engine/variables/regex RegexVariables.
 */
const VARIABLE = /(?<!\\)\{\{((?:\{[^{}]*\}|[^{}])*)\}\}/g;

/** The queries between the braces, trimmed, in order of writing; `{{- x }}` is `x`. */
export function variablesIn(text: string): readonly string[] {
  if (!text.includes("{{")) return [];
  return [...text.matchAll(VARIABLE)].map((found) => (found[1] ?? "").replace(/^-/, "").trim());
}
