/**
 * Labels and annotations: below `metadata`, keys of a pattern may hold wildcards, each standing for a key that the
 * resource has; and whatever of such a pattern is not a string is not compared.
 * SPEC: Kyverno 1.19 pkg/engine/wildcards/wildcards.go (ExpandInMetadata); kyverno-surface.md sections 0 and 3.3.
 */
import { compareKeys, isObject, type JsonObject, type TypedJson, type TypedObject } from "#json";
import { compileWildcard, hasWildcard } from "#text";

import { bareKey, parseAnchor } from "./anchor.ts";
import type { Check } from "./check.ts";

/** Where a map of a pattern stands. */
export type Region = "any" | "metadata" | "tags";

/** The region of the map below `key`. */
export function regionBelow(region: Region, key: string): Region {
  const bare = bareKey(key);
  if (bare === "metadata") return "metadata";
  return region === "metadata" && (bare === "labels" || bare === "annotations") ? "tags" : "any";
}

/**
 * The check of labels or annotations.
 * @param compileConcrete compiles a map whose keys are meant as they stand
 */
export function compileTags(pattern: TypedObject, compileConcrete: (pattern: TypedObject) => Check): Check {
  const texts = Object.entries(pattern).filter(([, value]) => typeof value === "string");
  const asWritten = compileConcrete(pattern);
  const wild = texts.flatMap(([key]) => readWildKey(key));
  if (wild.length === 0) {
    if (texts.length === Object.keys(pattern).length) return asWritten;
    const compared = compileConcrete(Object.fromEntries(texts));
    return (value, budget, ledger) => (isObject(value) ? compared : asWritten)(value, budget, ledger);
  }
  const expand = compileExpansion(texts, wild, compileConcrete);
  return (value, budget, ledger) => {
    if (!isObject(value)) return asWritten(value, budget, ledger);
    budget.charge(1);
    return expand(value)(value, budget, ledger);
  };
}

type WildKey = {
  readonly text: string;
  readonly bare: string;
  readonly symbol: string | undefined;
  readonly matches: (key: string) => boolean;
};

function readWildKey(text: string): readonly WildKey[] {
  if (!hasWildcard(text)) return [];
  const anchor = parseAnchor(text);
  const bare = anchor?.key ?? text;
  return [{ text, bare, symbol: anchor?.symbol, matches: compileWildcard(bare) }];
}

/** Check for the keys that a resource has. What was compiled is kept for the next resource with the same keys. */
function compileExpansion(
  texts: readonly (readonly [string, TypedJson])[],
  wild: readonly WildKey[],
  compileConcrete: (pattern: TypedObject) => Check,
): (map: JsonObject) => Check {
  const known = new Map<string, Check>();
  return (map) => {
    const signature = signatureOf(wild, map);
    const found = known.get(signature);
    if (found !== undefined) return found;
    const names = new Map(wild.map((key) => [key.text, anchored(key, actualKey(key, map))]));
    const check = compileConcrete(
      Object.fromEntries(texts.map(([text, value]) => [names.get(text) ?? text, value])),
    );
    if (known.size >= KEPT) known.clear();
    known.set(signature, check);
    return check;
  };
}

/** Labels of a fleet are much alike; this many expansions of one pattern are kept. */
const KEPT = 32;

/**
 * The key of the resource that a wildcard stands for: the first in Go's order that matches and whose value is a string.
 * Without one the key stands for itself. (Upstream takes any that matches.)
 */
function actualKey(wild: WildKey, map: JsonObject): string {
  let best: string | undefined;
  for (const key in map) {
    if (!Object.hasOwn(map, key) || typeof map[key] !== "string" || !wild.matches(key)) continue;
    if (best === undefined || compareKeys(key, best) < 0) best = key;
  }
  return best ?? wild.bare;
}

/** Tells apart any two choices of actual keys. PERF: of one wildcard, the usual number, it is the key itself. */
function signatureOf(wild: readonly WildKey[], map: JsonObject): string {
  let signature = "";
  for (const key of wild) {
    const actual = actualKey(key, map);
    signature = wild.length === 1 ? actual : `${signature}${actual.length}:${actual}`;
  }
  return signature;
}

function anchored(wild: WildKey, key: string): string {
  return wild.symbol === undefined ? key : `${wild.symbol}(${key})`;
}
