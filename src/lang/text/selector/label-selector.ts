/**
 * Label selectors as objects: `matchLabels` and `matchExpressions`. Kyverno's own reading lets `matchLabels` hold
 * wildcards: a pair stands for the first label that it matches; one that matches none is checked as if each wildcard
 * were `0`, so it can still be an invalid selector.
 * SPEC: metav1 `LabelSelectorAsSelector`; Kyverno 1.19 `CheckSelector`, `ReplaceInSelector`.
 */
import { compareKeys } from "#json";
import { quoteGo } from "../go-quote.ts";
import { compileWildcard, hasWildcard } from "../wildcard.ts";
import type { Selector } from "./parse.ts";
import type { Labels, LabelsTest, Requirement, SelectorError, SelectorOperator } from "./requirement.ts";
import { compileRequirements, printRequirements, requirementError } from "./requirement.ts";

/** As authored. */
export type LabelSelector = {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};

export type LabelTest = {
  readonly matches: LabelsTest;
  /** Why the selector is invalid for these labels; such a selector matches nothing. */
  readonly error: (labels: Labels) => string | undefined;
};

const OPERATORS: ReadonlyMap<string, SelectorOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/** `null` selects nothing, the empty selector everything. */
export function compileLabelSelector(spec: LabelSelector | null): Selector | SelectorError {
  if (spec === null) return { matches: () => false, text: "" };
  const requirements = requirementsOf(spec);
  if ("error" in requirements) return requirements;
  return { matches: compileRequirements(requirements), text: printRequirements(requirements) };
}

/** With wildcards in `matchLabels`. PERF: a selector without them is checked once, here. */
export function compileLabelTest(spec: LabelSelector): LabelTest {
  const pairs = Object.entries(spec.matchLabels ?? {});
  const wild = pairs.filter(([key, value]) => hasWildcard(key) || hasWildcard(value));
  if (wild.length === 0) return fixedTest(spec);
  const plain = pairs.filter(([key, value]) => !hasWildcard(key) && !hasWildcard(value));
  const rest = fixedTest({ ...spec, matchLabels: Object.fromEntries(plain) });
  const tests = wild.map(([key, value]) => pairTest(key, value));
  return {
    matches: (labels) => tests.every((test) => test(labels)) && rest.matches(labels),
    error: (labels) => {
      const matchLabels = Object.fromEntries([
        ...plain,
        ...wild.map(([key, value]) => replaced(key, value, labels)),
      ]);
      const requirements = requirementsOf({ ...spec, matchLabels });
      return "error" in requirements ? requirements.error : undefined;
    },
  };
}

function fixedTest(spec: LabelSelector): LabelTest {
  const selector = compileLabelSelector(spec);
  if ("error" in selector) return { matches: () => false, error: () => selector.error };
  return { matches: selector.matches, error: () => undefined };
}

/** Whether some label matches, and is itself a valid one. */
function pairTest(key: string, value: string): LabelsTest {
  const keyMatches = compileWildcard(key);
  const valueMatches = compileWildcard(value);
  return (labels) => {
    for (const name of Object.keys(labels)) {
      const content = labels[name] ?? "";
      if (keyMatches(name) && valueMatches(content)) return isValidPair(name, content);
    }
    return false;
  };
}

function isValidPair(key: string, value: string): boolean {
  return requirementError({ key, operator: "=", values: [value] }) === undefined;
}

function replaced(key: string, value: string, labels: Labels): readonly [string, string] {
  const keyMatches = compileWildcard(key);
  const valueMatches = compileWildcard(value);
  const found = Object.entries(labels).find(([name, content]) => keyMatches(name) && valueMatches(content));
  return found ?? [key.replace(/[*?]/g, "0"), value.replace(/[*?]/g, "0")];
}

/** The first invalid one is the answer: labels by name, then expressions as written. */
function requirementsOf(spec: LabelSelector): readonly Requirement[] | SelectorError {
  const requirements: Requirement[] = Object.entries(spec.matchLabels ?? {})
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([key, value]) => ({ key, operator: "=", values: [value] }));
  const labelError = firstError(requirements);
  if (labelError !== undefined) return labelError;
  for (const { key, operator, values = [] } of spec.matchExpressions ?? []) {
    const known = OPERATORS.get(operator);
    if (known === undefined) return { error: `${quoteGo(operator)} is not a valid label selector operator` };
    const requirement = { key, operator: known, values };
    const error = firstError([requirement]);
    if (error !== undefined) return error;
    requirements.push(requirement);
  }
  return requirements;
}

function firstError(requirements: readonly Requirement[]): SelectorError | undefined {
  for (const requirement of requirements) {
    const error = requirementError(requirement);
    if (error !== undefined) return { error };
  }
  return undefined;
}
