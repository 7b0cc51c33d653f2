/**
 * What a compiled pattern is made of. A check answers nothing where the value matches, and allocates nothing then.
 */
import type { Budget } from "#diag";
import { isArray, isObject, type Json, type JsonObject, type TypedJson, type TypedObject } from "#json";

import { parseAnchor } from "./anchor.ts";
import type { Failure } from "./failure.ts";

/**
 * Anchored keys by whether a resource had them, wherever in the pattern they stand: upstream counts them by name. It is
 * kept only when a failure has to be judged, in a second walk.
 */
export type Ledger = Map<string, boolean>;

/** Null stands for a missing value, too: upstream sees no difference, but for keys of maps. */
export type Check = (value: Json, budget: Budget, ledger: Ledger | undefined) => Failure | undefined;

/** The same, of a value that is known to be a list. */
export type ListCheck = (
  list: readonly Json[],
  budget: Budget,
  ledger: Ledger | undefined,
) => Failure | undefined;

/** One key of a pattern against the map that may hold it. */
export type KeyCheck = (map: JsonObject, budget: Budget, ledger: Ledger | undefined) => Failure | undefined;

/**
 * Compiles a part of a pattern. Handed down to the files that compile maps, lists and anchors, as they need each other.
 * @param place static path from the root with a slash at its end, indices as `0`
 */
export type CompilePart = (pattern: TypedJson, place: string) => Check;

/**
 * The member of a map as a pattern sees it: own keys only; undefined where there is none.
 * @param inherited of `isInherited(key)`
 */
export function readMember(map: JsonObject, key: string, inherited: boolean): Json | undefined {
  return inherited && !Object.hasOwn(map, key) ? undefined : map[key];
}

/** PERF: names that no object inherits, nearly all, are plain loads: a third of the cost of asking for own ones. */
export function isInherited(key: string): boolean {
  return key in Object.prototype;
}

export function isPatternMap(pattern: TypedJson): pattern is TypedObject {
  return isObject(pattern);
}

export function isPatternList(pattern: TypedJson): pattern is readonly TypedJson[] {
  return typeof pattern === "object" && isArray(pattern);
}

/** True where an anchor, `+( )` aside, is a key anywhere in `pattern`. */
export function holdsAnchor(pattern: TypedJson | undefined): boolean {
  if (pattern === undefined) return false;
  if (isPatternList(pattern)) return pattern.some(holdsAnchor);
  if (!isPatternMap(pattern)) return false;
  return Object.keys(pattern).some((key) => {
    const anchor = parseAnchor(key);
    return (anchor !== undefined && anchor.name !== "addition") || holdsAnchor(pattern[key]);
  });
}
