/**
 * The small language of text patterns: `a | b & !c`, `>= 1Gi`, `10-20`, `10!-20`. It is read once, into alternatives of
 * conditions that must all hold; ranges become pairs of comparisons.
 * SPEC: Kyverno 1.19 pkg/engine/operator/operator.go, pkg/engine/pattern/pattern.go; kyverno-surface.md section 3.7.
 */
export type Operator = "" | ">=" | "<=" | ">" | "<" | "!" | "-" | "!-";

/** One comparison. A range is inside when all of its comparisons hold, outside when one holds. */
export type Comparison = { readonly operator: "" | ">=" | "<=" | ">" | "<" | "!"; readonly operand: string };

export type Condition = { readonly join: "all" | "any"; readonly comparisons: readonly Comparison[] };

/** Alternatives of conditions: one alternative must hold, with all of its conditions. */
export function parseConditions(pattern: string): readonly (readonly Condition[])[] {
  return pattern
    .split("|")
    .map((alternative) => trimSpaces(alternative).split("&").map(trimSpaces).map(parseCondition));
}

/** The operator that a condition begins with, or that it is by its shape. */
export function operatorOf(condition: string): Operator {
  if (condition.length < 2) return "";
  const prefix = PREFIXES.find((operator) => condition.startsWith(operator));
  if (prefix !== undefined) return prefix;
  if (RANGE.test(condition)) return "-";
  return NOT_RANGE.test(condition) ? "!-" : "";
}

function parseCondition(text: string): Condition {
  const operator = operatorOf(text);
  if (operator !== "-" && operator !== "!-") {
    return { join: "all", comparisons: [{ operator, operand: text.slice(operator.length).trim() }] };
  }
  const inside = operator === "-";
  const [, low = "", high = ""] = (inside ? RANGE : NOT_RANGE).exec(text) ?? [];
  return {
    join: inside ? "all" : "any",
    comparisons: [
      { operator: inside ? ">=" : "<", operand: low },
      { operator: inside ? "<=" : ">", operand: high },
    ],
  };
}

/** Longer ones first; `!` swallows what a range from `!` on would be. */
const PREFIXES = [">=", "<=", ">", "<", "!"] as const;

const RANGE = /^([-|+]?\d+(?:\.\d+)?[A-Za-z]*)-([-|+]?\d+(?:\.\d+)?[A-Za-z]*)$/;
const NOT_RANGE = /^([-|+]?\d+(?:\.\d+)?[A-Za-z]*)!-([-|+]?\d+(?:\.\d+)?[A-Za-z]*)$/;

function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 32) start += 1;
  while (end > start && text.charCodeAt(end - 1) === 32) end -= 1;
  return text.slice(start, end);
}
