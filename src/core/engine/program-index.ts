/**
 * Which policies a request concerns, found without asking each. Programs are kept by the kinds that they name, those
 * with patterns for kinds in a list of their own; the answer for a kind, operation and namespace is worked out once and
 * remembered, so that a policy that does not match costs a request nothing.
 * The order of the programs is kept: it decides the order of messages, and with mutation the outcome.
 */
import type { GroupVersionKind } from "#k8s";
import type { Operation } from "#policy";
import type { Footprint } from "./match/footprint.ts";
import { kindOf, matchedResource, namespaceOf } from "./match/resource.ts";
import type { EvaluationRequest } from "./request.ts";

/** What the index must know of a program; every `PolicyProgram` is one. */
export type Indexed = { readonly rules: readonly { readonly match: { readonly footprint: Footprint } }[] };

export type ProgramIndex<P extends Indexed> = {
  /** The programs with a rule that may match, in their order; the others certainly do not. */
  readonly candidates: (request: EvaluationRequest) => readonly P[];
};

type Entry<P> = { readonly position: number; readonly program: P; readonly footprints: readonly Footprint[] };

/** All programs for one kind, with the answers that were worked out so far. */
type Bucket<P> = {
  readonly gvk: GroupVersionKind;
  readonly subresource: string;
  readonly entries: readonly Entry<P>[];
  readonly narrowsNamespaces: boolean;
  readonly answers: Map<Operation, Map<string | undefined, readonly P[]>>;
};

/** Bounds on what is remembered: a stranger who invents kinds or namespaces must not fill the memory. */
const MAX_BUCKETS = 1024;
const MAX_NAMESPACES = 4096;

const NONE: readonly never[] = [];

/** Builds the index; it is valid as long as the list of programs is. */
export function createProgramIndex<P extends Indexed>(programs: readonly P[]): ProgramIndex<P> {
  const entries = programs.map((program, position) => ({
    position,
    program,
    footprints: program.rules.map((rule) => rule.match.footprint),
  }));
  const { named, unnamed } = splitByKind(entries);
  let buckets = new Map<string, Bucket<P>[]>();
  let count = 0;

  function bucketOf(gvk: GroupVersionKind, subresource: string): Bucket<P> {
    const siblings = buckets.get(gvk.kind);
    const known = siblings?.find((bucket) => isFor(bucket, gvk, subresource));
    if (known !== undefined) return known;
    if (count >= MAX_BUCKETS) {
      buckets = new Map();
      count = 0;
    }
    const bucket = createBucket(gvk, subresource, [...(named.get(gvk.kind) ?? []), ...unnamed]);
    buckets.set(gvk.kind, [...(buckets.get(gvk.kind) ?? []), bucket]);
    count += 1;
    return bucket;
  }

  return {
    candidates(request) {
      const resource = matchedResource(request);
      if (resource === null) return NONE;
      const bucket = bucketOf(request.kind, request.subresource);
      if (bucket.entries.length === 0) return NONE;
      const narrow = bucket.narrowsNamespaces && kindOf(resource) !== "Namespace";
      return answer(bucket, request.operation, narrow ? namespaceOf(resource) : undefined);
    },
  };
}

function splitByKind<P>(entries: readonly Entry<P>[]): {
  readonly named: ReadonlyMap<string, readonly Entry<P>[]>;
  readonly unnamed: readonly Entry<P>[];
} {
  const named = new Map<string, Entry<P>[]>();
  const unnamed: Entry<P>[] = [];
  for (const entry of entries) {
    const kinds = entry.footprints.map((footprint) => footprint.kinds);
    if (kinds.includes(undefined)) {
      unnamed.push(entry);
      continue;
    }
    for (const kind of new Set(kinds.flatMap((list) => list ?? []))) {
      const list = named.get(kind) ?? [];
      list.push(entry);
      named.set(kind, list);
    }
  }
  return { named, unnamed };
}

function createBucket<P>(
  gvk: GroupVersionKind,
  subresource: string,
  entries: readonly Entry<P>[],
): Bucket<P> {
  return {
    gvk,
    subresource,
    entries: entries.toSorted((a, b) => a.position - b.position),
    narrowsNamespaces: entries.some(({ footprints }) =>
      footprints.some((footprint) => footprint.narrowsNamespaces),
    ),
    answers: new Map(),
  };
}

function isFor<P>(bucket: Bucket<P>, gvk: GroupVersionKind, subresource: string): boolean {
  return (
    bucket.subresource === subresource && bucket.gvk.group === gvk.group && bucket.gvk.version === gvk.version
  );
}

function answer<P>(bucket: Bucket<P>, operation: Operation, namespace: string | undefined): readonly P[] {
  let byNamespace = bucket.answers.get(operation);
  if (byNamespace === undefined) {
    byNamespace = new Map();
    bucket.answers.set(operation, byNamespace);
  }
  const known = byNamespace.get(namespace);
  if (known !== undefined) return known;
  if (byNamespace.size >= MAX_NAMESPACES) byNamespace.clear();
  const outline = { gvk: bucket.gvk, subresource: bucket.subresource, operation, namespace };
  const programs = bucket.entries
    .filter(({ footprints }) => footprints.some((footprint) => footprint.mayMatch(outline)))
    .map((entry) => entry.program);
  byNamespace.set(namespace, programs);
  return programs;
}
