/**
 * The conditions that a `resources` block may hold, one definition each, in the order in which upstream reports them.
 * Rules and statements (exceptions, cleanup policies) share them and differ in three of them, which `Dialect` names.
 * SPEC: Kyverno 1.19 pkg/engine/utils/match.go, pkg/utils/match; kyverno-surface.md section 1.2.
 */
import type { LabelSelectorSpec, ResourceDescription } from "#policy";
import { compileLabelTest, compileWildcard } from "#text";
import type { Check } from "./check.ts";
import { anyOf } from "./check.ts";
import { compileKinds } from "./kinds.ts";
import type { StringMap } from "./resource.ts";
import { annotationsOf, kindOf, labelsOf, matchedNamespaceOf, nameOf } from "./resource.ts";

export type Dialect = "rule" | "statement";

type Definition = (block: ResourceDescription, dialect: Dialect) => Check | undefined;

const NO_LABELS: StringMap = {};

const kinds: Definition = ({ kinds: list = [] }, dialect) => {
  if (list.length === 0) return undefined;
  const test = compileKinds(list, dialect === "rule");
  return {
    passes: (_resource, request) => test(request.kind, request.subresource),
    reason: () => `kind does not match [${list.join(" ")}]`,
  };
};

const name: Definition = (block) => {
  if (block.name === undefined || block.name === "") return undefined;
  const test = compileWildcard(block.name);
  return { passes: (resource) => test(nameOf(resource)), reason: () => "name does not match" };
};

const names: Definition = ({ names: list = [] }) => {
  if (list.length === 0) return undefined;
  const tests = list.map((pattern) => compileWildcard(pattern));
  return { passes: (resource) => anyOf(tests, nameOf(resource)), reason: () => "none of the names match" };
};

const namespaces: Definition = ({ namespaces: list = [] }) => {
  if (list.length === 0) return undefined;
  const tests = list.map((pattern) => compileWildcard(pattern));
  return {
    passes: (resource) => anyOf(tests, matchedNamespaceOf(resource)),
    reason: () => "namespace does not match",
  };
};

const annotations: Definition = (block) => {
  const pairs = Object.entries(block.annotations ?? {}).map(
    ([key, value]) => [compileWildcard(key), compileWildcard(value)] as const,
  );
  if (pairs.length === 0) return undefined;
  return {
    passes: (resource) => {
      const actual = annotationsOf(resource);
      return pairs.every(([key, value]) => hasPair(actual, key, value));
    },
    reason: () => "annotations does not match",
  };
};

function hasPair(map: StringMap, key: (text: string) => boolean, value: (text: string) => boolean): boolean {
  for (const actual in map) if (key(actual) && value(map[actual] ?? "")) return true;
  return false;
}

const selector: Definition = (block) => {
  if (block.selector === undefined) return undefined;
  const test = compileLabelTest(block.selector);
  return {
    passes: (resource) => test.matches(labelsOf(resource)),
    reason: (resource) =>
      prefixed("failed to parse selector", test.error(labelsOf(resource)), "selector does not match"),
  };
};

const namespaceSelector: Definition = (block, dialect) => {
  if (block.namespaceSelector === undefined) return undefined;
  return dialect === "rule"
    ? ruleNamespaceSelector(block.namespaceSelector, block.kinds?.includes("*") ?? false)
    : statementNamespaceSelector(block.namespaceSelector);
};

/** A Namespace never fits; an object without kind is let through unless the block is for all kinds. */
function ruleNamespaceSelector(spec: LabelSelectorSpec, allKinds: boolean): Check {
  const test = compileLabelTest(spec);
  return {
    passes: (resource, _request, facts) => {
      const kind = kindOf(resource);
      if (kind === "Namespace") return false;
      return (kind === "" && !allKinds) || test.matches(facts.namespaceLabels ?? NO_LABELS);
    },
    reason: (resource, _request, facts) =>
      kindOf(resource) === "Namespace"
        ? "namespace selector is not applicable for namespace resource"
        : prefixed(
            "failed to parse namespace selector",
            test.error(facts.namespaceLabels ?? NO_LABELS),
            "namespace selector does not match labels",
          ),
  };
}

/** Not looked at for a Namespace and for an object without kind. */
function statementNamespaceSelector(spec: LabelSelectorSpec): Check {
  const test = compileLabelTest(spec);
  return {
    passes: (resource, _request, facts) => {
      const kind = kindOf(resource);
      return kind === "Namespace" || kind === "" || test.matches(facts.namespaceLabels ?? NO_LABELS);
    },
    reason: (_resource, _request, facts) =>
      prefixed(
        "failed to parse namespace selector",
        test.error(facts.namespaceLabels ?? NO_LABELS),
        "namespace selector does not match",
      ),
  };
}

function prefixed(step: string, error: string | undefined, otherwise: string): string {
  return error === undefined ? otherwise : `${step}: ${error}`;
}

const definitions: readonly Definition[] = [
  kinds,
  name,
  names,
  namespaces,
  annotations,
  selector,
  namespaceSelector,
];

/** The checks of a block; operations are not among them, because only rules look at these, and before all else. */
export function compileResourceChecks(block: ResourceDescription, dialect: Dialect): readonly Check[] {
  return definitions.flatMap((define) => define(block, dialect) ?? []);
}

/** A block that says nothing; lists and maps without entries count as absent, selectors do not. */
export function isEmptyDescription(block: ResourceDescription | undefined): boolean {
  if (block === undefined) return true;
  const lists = [block.kinds, block.names, block.namespaces, block.operations];
  return (
    lists.every((list) => list === undefined || list.length === 0) &&
    (block.name ?? "") === "" &&
    Object.keys(block.annotations ?? {}).length === 0 &&
    block.selector === undefined &&
    block.namespaceSelector === undefined
  );
}
