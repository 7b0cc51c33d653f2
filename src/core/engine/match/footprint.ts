/**
 * What a rule can match at all, told by kind, operation and namespace only. It is what the index of programs looks at,
 * and so it must never be narrower than the rule's own match.
 */
import type { GroupVersionKind } from "#k8s";
import { parseKindSelector } from "#k8s";
import type { MatchBlock, Operation, ResourceDescription } from "#policy";
import { compileWildcard, hasWildcard } from "#text";
import { anyOf } from "./check.ts";
import type { KindTest } from "./kinds.ts";
import { compileKinds } from "./kinds.ts";

/** What is known of a request before its object is looked at. */
export type Outline = {
  readonly gvk: GroupVersionKind;
  readonly subresource: string;
  readonly operation: Operation;
  /** That of the object; `undefined` leaves namespaces out of the question. */
  readonly namespace: string | undefined;
};

export type Footprint = {
  /** The only kinds it can match; `undefined` where a pattern, or no kind at all, is given. */
  readonly kinds: readonly string[] | undefined;
  /** Whether the answer depends on the namespace. */
  readonly narrowsNamespaces: boolean;
  readonly mayMatch: (outline: Outline) => boolean;
};

type Part = {
  readonly kindNames: readonly string[] | undefined;
  readonly kinds: KindTest | undefined;
  readonly operations: readonly string[];
  readonly namespaces: readonly ((text: string) => boolean)[];
};

/** The footprint of a match block in a policy of namespace `home` (empty for a cluster policy). */
export function footprintOf(match: MatchBlock, home: string): Footprint {
  const { any = [], all = [] } = match;
  const every = any.length === 0 && all.length > 0;
  const filters = any.length > 0 ? any : every ? all : [match.direct ?? {}];
  const parts = filters.map((filter) => compilePart(filter.resources ?? {}));
  return {
    kinds: every ? parts.find((part) => part.kindNames !== undefined)?.kindNames : unionOfKinds(parts),
    narrowsNamespaces: home !== "" || parts.some((part) => part.namespaces.length > 0),
    mayMatch(outline) {
      if (home !== "" && outline.namespace !== undefined && outline.namespace !== home) return false;
      const test = (part: Part): boolean => fits(part, outline);
      return every ? parts.every(test) : parts.some(test);
    },
  };
}

function compilePart({ kinds = [], operations = [], namespaces = [] }: ResourceDescription): Part {
  const names = kinds.map((kind) => parseKindSelector(kind).kind);
  return {
    kindNames: names.length === 0 || names.some(hasWildcard) ? undefined : names,
    kinds: kinds.length === 0 ? undefined : compileKinds(kinds, true),
    operations,
    namespaces: namespaces.map((pattern) => compileWildcard(pattern)),
  };
}

function fits(part: Part, { gvk, subresource, operation, namespace }: Outline): boolean {
  if (part.kinds !== undefined && !part.kinds(gvk, subresource)) return false;
  if (part.operations.length > 0 && !part.operations.includes(operation)) return false;
  return namespace === undefined || part.namespaces.length === 0 || anyOf(part.namespaces, namespace);
}

function unionOfKinds(parts: readonly Part[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const part of parts) {
    if (part.kindNames === undefined) return undefined;
    names.push(...part.kindNames);
  }
  return names;
}
