/**
 * Lists of `kinds`, compiled: which requested kinds and subresources an entry of the grammar selects. All four parts
 * may hold wildcards; a missing part of an entry is one, but for the subresource: `*` is every kind and none of their
 * subresources.
 * SPEC: Kyverno 1.19 pkg/utils/match CheckKind; kyverno-surface.md section 1.3.
 */
import type { GroupVersionKind, KindSelector } from "#k8s";
import { parseKindSelector } from "#k8s";
import { compileWildcard } from "#text";

/** Tests a requested kind and subresource (empty for the object itself). */
export type KindTest = (gvk: GroupVersionKind, subresource: string) => boolean;

/**
 * Compiles a list of `kinds`; one entry that fits is enough.
 * @param ephemeralContainers whether an entry for `Pod` also stands for its `ephemeralcontainers`, as in rules
 */
export function compileKinds(kinds: readonly string[], ephemeralContainers: boolean): KindTest {
  const key = `${ephemeralContainers} ${kinds.join(" ")}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const test = compileList(kinds, ephemeralContainers);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, test);
  return test;
}

/** PERF: policies name the same kinds, autogen's rules above all: 500 policies hold a tenth less memory for it. */
const compiled = new Map<string, KindTest>();
const MAX_COMPILED = 1000;

function compileList(kinds: readonly string[], ephemeralContainers: boolean): KindTest {
  const tests = kinds.map((kind) => compileKind(parseKindSelector(kind), ephemeralContainers));
  const only = tests[0];
  if (only !== undefined && tests.length === 1) return only;
  return (gvk, subresource) => {
    for (const test of tests) if (test(gvk, subresource)) return true;
    return false;
  };
}

function compileKind(selector: KindSelector, ephemeralContainers: boolean): KindTest {
  const group = compilePart(selector.group);
  const version = compilePart(selector.version);
  const kind = compilePart(selector.kind);
  const sub = compilePart(selector.subresource);
  return (gvk, subresource) =>
    kind(gvk.kind) &&
    (sub(subresource) || (ephemeralContainers && isEphemeralContainers(gvk, subresource))) &&
    group(gvk.group) &&
    version(gvk.version);
}

function compilePart(pattern: string): (text: string) => boolean {
  return pattern === "*" ? anything : compileWildcard(pattern);
}

function anything(): boolean {
  return true;
}

function isEphemeralContainers(gvk: GroupVersionKind, subresource: string): boolean {
  return (
    subresource === "ephemeralcontainers" && gvk.kind === "Pod" && gvk.group === "" && gvk.version === "v1"
  );
}
