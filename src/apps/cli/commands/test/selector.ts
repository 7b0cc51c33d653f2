/**
 * `-t policy=*,rule=*,resource=*`: which expectations to run. A part that is not named selects everything; an
 * expectation without a policy, rule or resources passes that part, as upstream's does.
 * SPEC: reference/kyverno-surface.md section 8.2 (selector).
 */
import { matchWildcard } from "#text";

import type { Expectation } from "./expectation.ts";

export type TestSelector = (expectation: Expectation) => Expectation | undefined;

const parts = ["policy", "rule", "resource"] as const;
type Part = (typeof parts)[number];

/** A selector, or a sentence that says what is wrong with it. */
export function parseTestSelector(text: string): TestSelector | string {
  const patterns = new Map<Part, string>();
  for (const item of text.split(",")) {
    const equals = item.indexOf("=");
    const part = parts.find((name) => name === item.slice(0, equals).trim());
    if (equals < 0 || part === undefined) {
      return `\`${item}\` is not a selector: write policy=NAME,rule=NAME,resource=NAME, wildcards allowed`;
    }
    patterns.set(part, item.slice(equals + 1).trim());
  }
  const pattern = (part: Part): string => patterns.get(part) ?? "*";
  return (expectation) => select(expectation, pattern("policy"), pattern("rule"), pattern("resource"));
}

function select(
  expectation: Expectation,
  policy: string,
  rule: string,
  resource: string,
): Expectation | undefined {
  if (expectation.policy !== "" && !matchWildcard(policy, expectation.policy)) return undefined;
  if (expectation.rule !== "" && !matchWildcard(rule, expectation.rule)) return undefined;
  const { resources, resourceSpecs } = expectation;
  if (resource === "*" || resources.length + resourceSpecs.length === 0) return expectation;
  const selected = {
    ...expectation,
    resources: resources.filter((name) => matchWildcard(resource, name)),
    resourceSpecs: resourceSpecs.filter(({ name }) => name === undefined || matchWildcard(resource, name)),
  };
  return selected.resources.length + selected.resourceSpecs.length === 0 ? undefined : selected;
}
