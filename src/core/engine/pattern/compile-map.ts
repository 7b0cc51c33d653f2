/**
 * A map of a pattern. Leading anchors come first, in the order of their keys, and may skip the map; then the other
 * keys, of which those with anchors below come first, in reverse order.
 * SPEC: Kyverno 1.19 pkg/engine/validate/validate.go (validateMap); kyverno-surface.md section 3.3.
 */
import type { Budget } from "#diag";
import { isObject, sortedKeys, type JsonObject, type TypedJson, type TypedObject } from "#json";

import { anchorHandlers, type AnchorHandler } from "./anchor-handlers.ts";
import { parseAnchor, type Anchor } from "./anchor.ts";
import {
  holdsAnchor,
  isInherited,
  readMember,
  type Check,
  type CompilePart,
  type KeyCheck,
  type Ledger,
} from "./check.ts";
import { allSkipped, Failure, isSkip, mismatchSite } from "./failure.ts";
import { goType } from "./go-text.ts";

/** How the value of a key is compiled: keys below `metadata` have rules of their own. */
export type PartOf = (key: string, pattern: TypedJson) => CompilePart;

export function compileMap(pattern: TypedObject, place: string, partOf: PartOf): Check {
  const keys = sortedKeys(pattern).map((text) => readKey(text, pattern));
  const leading = keys.filter(isLeading).map((key) => compileKey(key, place, partOf));
  const others = inOrder(keys.filter((key) => !isLeading(key))).map((key) => compileKey(key, place, partOf));
  const expected = keys
    .filter(isExpected)
    .map(({ text, bare }) => ({ text, bare, inherited: isInherited(bare) }));
  const notMap = mismatchSite(
    place,
    (at, failure) =>
      `pattern and resource have different structures. Path: ${at}. Expected map[string]interface {}, found ${goType(failure.value)}`,
  );
  return (value, budget, ledger) => {
    budget.charge(1);
    if (!isObject(value)) return new Failure(notMap, value);
    if (ledger !== undefined) enter(ledger, expected, value);
    if (leading.length > 0) {
      const failure = matchLeading(leading, value, budget, ledger);
      if (failure !== undefined) return failure;
    }
    for (const check of others) {
      const failure = check(value, budget, ledger);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
}

type Key = {
  /** As written. */
  readonly text: string;
  /** Without the anchor. */
  readonly bare: string;
  readonly anchor: Anchor | undefined;
  readonly pattern: TypedJson;
};

function readKey(text: string, map: TypedObject): Key {
  const anchor = parseAnchor(text);
  return { text, bare: anchor?.key ?? text, anchor, pattern: map[text] ?? null };
}

function handlerOf({ anchor }: Key): AnchorHandler | undefined {
  return anchor === undefined ? undefined : anchorHandlers.get(anchor.name);
}

function isLeading(key: Key): boolean {
  return handlerOf(key)?.leads === true;
}

function isExpected(key: Key): boolean {
  return handlerOf(key)?.expected === true;
}

/** Keys that can skip, or hold what can, are put in front one by one. */
function inOrder(keys: readonly Key[]): readonly Key[] {
  const ordered: Key[] = [];
  for (const key of keys) {
    if (handlerOf(key) !== undefined || holdsAnchor(key.pattern)) ordered.unshift(key);
    else ordered.push(key);
  }
  return ordered;
}

function compileKey(key: Key, place: string, partOf: PartOf): KeyCheck {
  const { text, bare, pattern } = key;
  const handler = handlerOf(key);
  if (handler !== undefined) {
    return handler.compile({ key: bare, pattern, place: `${place}${bare}/` }, partOf(text, pattern));
  }
  return pattern === "*"
    ? compilePresence(text, place)
    : compilePlain(text, pattern, `${place}${text}/`, partOf);
}

/** An ordinary key; a missing one is matched as null. */
function compilePlain(text: string, pattern: TypedJson, place: string, partOf: PartOf): KeyCheck {
  const inherited = isInherited(text);
  const check = partOf(text, pattern)(pattern, place);
  const step = `${text}/`;
  return (map, budget, ledger) =>
    check(readMember(map, text, inherited) ?? null, budget, ledger)?.under(step);
}

/** `*`: whatever it is, it is there. The failure's place is the map. */
function compilePresence(text: string, place: string): KeyCheck {
  const inherited = isInherited(text);
  const absent = mismatchSite(place, (at) => `${at}/${text} not found`);
  return (map) =>
    (readMember(map, text, inherited) ?? null) === null ? new Failure(absent, null) : undefined;
}

type ExpectedKey = { readonly text: string; readonly bare: string; readonly inherited: boolean };

function enter(ledger: Ledger, expected: readonly ExpectedKey[], map: JsonObject): void {
  for (const { text, bare, inherited } of expected) {
    ledger.set(text, ledger.get(text) === true || readMember(map, bare, inherited) !== undefined);
  }
}

/**
 * All leading anchors are asked. A skip wins over a later failure when it is an anchor's own; skips from deeper down
 * are forgiven where another anchor applied.
 */
function matchLeading(
  checks: readonly KeyCheck[],
  map: JsonObject,
  budget: Budget,
  ledger: Ledger | undefined,
): Failure | undefined {
  let applied = false;
  let own = false;
  let skipped: Failure[] | undefined;
  for (const check of checks) {
    const failure = check(map, budget, ledger);
    if (failure === undefined) applied = true;
    else if (isSkip(failure)) {
      (skipped ??= []).push(failure);
      own ||= failure.site.kind !== "skips";
    } else if (!own) return failure;
  }
  return skipped === undefined || (applied && !own) ? undefined : allSkipped(skipped);
}
