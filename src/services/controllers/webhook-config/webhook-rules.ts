/**
 * Rules of a webhook from what policies reach: the union, each resource with the operations that anybody asks for, in
 * one order whatever the order of the policies, so that nothing is written when nothing changed.
 */
import type { Json } from "#json";
import type { Operation } from "#policy";
import type { Target } from "./resources.ts";

/** What one webhook is called for. */
export type RuleSet = {
  readonly add: (target: Target, operations: Iterable<Operation>) => void;
  readonly isEmpty: () => boolean;
  /** Plural names, without subresource. */
  readonly has: (resource: string) => boolean;
  readonly rules: () => readonly Json[];
};

const order: readonly Operation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

export function createRuleSet(): RuleSet {
  const entries = new Map<string, { readonly target: Target; readonly operations: Set<Operation> }>();
  return {
    add(target, operations) {
      const key = `${target.group}/${target.version}/${target.resource}`;
      const entry = entries.get(key) ?? { target, operations: new Set<Operation>() };
      for (const operation of operations) entry.operations.add(operation);
      entries.set(key, entry);
    },
    isEmpty: () => entries.size === 0,
    has: (resource) => [...entries.values()].some(({ target }) => target.resource.split("/")[0] === resource),
    rules: () => rulesOf([...entries.values()]),
  };
}

type Entry = { readonly target: Target; readonly operations: ReadonlySet<Operation> };

function rulesOf(entries: readonly Entry[]): readonly Json[] {
  const groups = new Map<string, { readonly of: Entry; readonly resources: string[] }>();
  for (const entry of entries) {
    const { group, version, namespaced, resource } = entry.target;
    const key = JSON.stringify([group, version, namespaced, operationsIn(entry)]);
    const found = groups.get(key) ?? { of: entry, resources: [] };
    found.resources.push(resource);
    groups.set(key, found);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { of, resources }]) => ({
      apiGroups: [of.target.group],
      apiVersions: [of.target.version],
      operations: operationsIn(of),
      resources: resources.sort(),
      scope: of.target.namespaced ? "Namespaced" : "Cluster",
    }));
}

function operationsIn({ operations }: Entry): readonly Operation[] {
  return order.filter((operation) => operations.has(operation));
}
