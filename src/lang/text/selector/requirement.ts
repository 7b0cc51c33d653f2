/**
 * One condition of a label selector: checked once, compiled to a test of a label map. Errors are collected and printed
 * as Kubernetes aggregates them.
 * SPEC: k8s.io/apimachinery pkg/labels `NewRequirement`, `Requirement.Matches`, `Requirement.String`.
 */
import { compareKeys, printJson } from "#json";
import { quoteGo } from "../go-quote.ts";
import { parseInt64 } from "../int64.ts";
import { labelKeyError, labelValueError } from "./label-syntax.ts";

export type Labels = Readonly<Record<string, string>>;

export type LabelsTest = (labels: Labels) => boolean;

export type SelectorError = { readonly error: string };

/** As the text form spells them; `exists` and `!` have no spelling between key and values. */
export type SelectorOperator = "in" | "notin" | "=" | "==" | "!=" | "gt" | "lt" | "exists" | "!";

export type Requirement = {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values: readonly string[];
};

type Definition = {
  /** What is wrong with the values as a whole. */
  readonly count?: { readonly allows: (count: number) => boolean; readonly rule: string };
  readonly integers?: boolean;
  readonly compile: (key: string, values: readonly string[]) => LabelsTest;
  readonly print: (key: string, values: string) => string;
};

const some = {
  allows: (count: number): boolean => count > 0,
  rule: "for 'in', 'notin' operators, values set can't be empty",
};
const none = {
  allows: (count: number): boolean => count === 0,
  rule: "values set must be empty for exists and does not exist",
};
const one = {
  allows: (count: number): boolean => count === 1,
  rule: "exact-match compatibility requires one single value",
};
const bound = {
  allows: (count: number): boolean => count === 1,
  rule: "for 'Gt', 'Lt' operators, exactly one value is required",
};

const definitions: Readonly<Record<SelectorOperator, Definition>> = {
  in: { count: some, compile: isIn, print: (key, values) => `${key} in (${values})` },
  notin: { count: some, compile: isNotIn, print: (key, values) => `${key} notin (${values})` },
  "=": { count: one, compile: isIn, print: (key, values) => `${key}=${values}` },
  "==": { count: one, compile: isIn, print: (key, values) => `${key}==${values}` },
  "!=": { count: one, compile: isNotIn, print: (key, values) => `${key}!=${values}` },
  gt: {
    count: bound,
    integers: true,
    compile: (key, values) => comparing(key, values, (label, limit) => label > limit),
    print: (key, values) => `${key}>${values}`,
  },
  lt: {
    count: bound,
    integers: true,
    compile: (key, values) => comparing(key, values, (label, limit) => label < limit),
    print: (key, values) => `${key}<${values}`,
  },
  exists: { count: none, compile: (key) => (labels) => Object.hasOwn(labels, key), print: (key) => key },
  "!": {
    count: none,
    compile: (key) => (labels) => !Object.hasOwn(labels, key),
    print: (key) => `!${key}`,
  },
};

/** Everything that is wrong with it, in upstream's order and words; `undefined` for a valid one. */
export function requirementError(requirement: Requirement): string | undefined {
  const { key, operator, values } = requirement;
  const definition = definitions[operator];
  const keyError = labelKeyError(key);
  const errors = keyError === undefined ? [] : [invalid("key", quoteGo(key), keyError)];
  if (definition.count?.allows(values.length) === false) {
    errors.push(invalid("values", values.length === 0 ? "null" : printList(values), definition.count.rule));
  }
  values.forEach((value, index) => {
    if (definition.integers === true && parseInt64(value) === undefined) {
      errors.push(
        invalid(`values[${index}]`, quoteGo(value), "for 'Gt', 'Lt' operators, the value must be an integer"),
      );
    }
  });
  values.forEach((value, index) => {
    const valueError = labelValueError(value);
    if (valueError !== undefined)
      errors.push(invalid(`values[${index}][${key}]`, quoteGo(value), valueError));
  });
  return aggregate(errors);
}

/** SPEC: field.Error's text. */
export function invalid(path: string, value: string, rule: string): string {
  return `${path}: Invalid value: ${value}: ${rule}`;
}

export function compileRequirement({ key, operator, values }: Requirement): LabelsTest {
  return definitions[operator].compile(key, values);
}

/** All of them must hold. */
export function compileRequirements(requirements: readonly Requirement[]): LabelsTest {
  const tests = requirements.map(compileRequirement);
  const [first] = tests;
  if (first === undefined) return () => true;
  return tests.length === 1 ? first : (labels) => tests.every((test) => test(labels));
}

/** The canonical text: sorted by key, values sorted. */
export function printRequirements(requirements: readonly Requirement[]): string {
  return requirements
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ key, operator, values }) =>
      definitions[operator].print(key, values.toSorted(compareKeys).join(",")),
    )
    .join(",");
}

function isIn(key: string, values: readonly string[]): LabelsTest {
  const [only] = values;
  if (values.length === 1) return (labels) => Object.hasOwn(labels, key) && labels[key] === only;
  const set = new Set(values);
  return (labels) => Object.hasOwn(labels, key) && set.has(labels[key] ?? "");
}

function isNotIn(key: string, values: readonly string[]): LabelsTest {
  const inside = isIn(key, values);
  return (labels) => !inside(labels);
}

function comparing(
  key: string,
  values: readonly string[],
  holds: (label: bigint, limit: bigint) => boolean,
): LabelsTest {
  const limit = parseInt64(values[0] ?? "");
  return (labels) => {
    const label = Object.hasOwn(labels, key) ? parseInt64(labels[key] ?? "") : undefined;
    return label !== undefined && limit !== undefined && holds(label, limit);
  };
}

function printList(values: readonly string[]): string {
  return printJson(values, { escapeHtml: true });
}

function aggregate(errors: readonly string[]): string | undefined {
  const distinct = [...new Set(errors)];
  return distinct.length > 1 ? `[${distinct.join(", ")}]` : distinct[0];
}
