/**
 * What each anchor does with the map that may hold its key: one definition an anchor.
 * SPEC: Kyverno 1.19 pkg/engine/anchor/handlers.go; kyverno-surface.md section 3.3.
 */
import { isArray, type TypedJson } from "#json";

import type { AnchorName } from "./anchor.ts";
import {
  isInherited,
  isPatternList,
  isPatternMap,
  type Check,
  type CompilePart,
  readMember,
  type KeyCheck,
  type ListCheck,
} from "./check.ts";
import {
  anchorSite,
  CONDITION_WORDS,
  describeFailure,
  Failure,
  GLOBAL_WORDS,
  mismatchSite,
  NEGATION_WORDS,
} from "./failure.ts";
import { goType } from "./go-text.ts";

/** A key of a pattern, its anchor taken off. */
export type PatternKey = {
  readonly key: string;
  readonly pattern: TypedJson;
  /** Static path of the key's value. */
  readonly place: string;
};

export type AnchorHandler = {
  readonly name: AnchorName;
  /** Evaluated before the other keys of its map, and able to skip the map. */
  readonly leads: boolean;
  /** A failure of the pattern becomes an error where no map of the resource had the key. */
  readonly expected: boolean;
  readonly compile: (entry: PatternKey, compilePart: CompilePart) => KeyCheck;
};

/** `(key)`: the rest applies only where the key is there and matches. */
const condition: AnchorHandler = {
  name: "condition",
  leads: true,
  expected: true,
  compile: ({ key, pattern, place }, compilePart) => {
    const inherited = isInherited(key);
    const check = compilePart(pattern, place);
    const step = `${key}/`;
    return (map, budget, ledger) => {
      const value = readMember(map, key, inherited);
      if (value === undefined) return new Failure(ABSENT, null);
      const cause = check(value, budget, ledger);
      return cause === undefined ? undefined : new Failure(CONDITION, null, [cause.under(step)]);
    };
  },
};

/** `<(key)`: where the key is there and does not match, nothing of the whole pattern applies. */
const global: AnchorHandler = {
  name: "global",
  leads: false,
  expected: false,
  compile: ({ key, pattern, place }, compilePart) => {
    const inherited = isInherited(key);
    const check = compilePart(pattern, place);
    const step = `${key}/`;
    return (map, budget, ledger) => {
      const value = readMember(map, key, inherited);
      const cause = value === undefined ? undefined : check(value, budget, ledger);
      return cause === undefined ? undefined : new Failure(GLOBAL, null, [cause.under(step)]);
    };
  },
};

/** `=(key)`: where the key is there, it must match. */
const equality: AnchorHandler = {
  name: "equality",
  leads: true,
  expected: false,
  compile: ({ key, pattern, place }, compilePart) => {
    const inherited = isInherited(key);
    const check = compilePart(pattern, place);
    const step = `${key}/`;
    return (map, budget, ledger) => {
      const value = readMember(map, key, inherited);
      return value === undefined ? undefined : check(value, budget, ledger)?.under(step);
    };
  },
};

/** `X(key)`: the key must not be there. */
const negation: AnchorHandler = {
  name: "negation",
  leads: true,
  expected: false,
  compile: ({ key }) => {
    const inherited = isInherited(key);
    const step = `${key}/`;
    return (map) =>
      readMember(map, key, inherited) === undefined ? undefined : new Failure(FORBIDDEN, null).under(step);
  },
};

/** `^(key)`: where the key is there it is a list, and each map of the pattern matches at least one element of it. */
const existence: AnchorHandler = {
  name: "existence",
  leads: true,
  expected: true,
  compile: ({ key, pattern, place }, compilePart) => {
    const inherited = isInherited(key);
    const check = compileExistence(pattern, place, compilePart);
    const step = `${key}/`;
    return (map, budget, ledger) => {
      const value = readMember(map, key, inherited);
      return value === undefined ? undefined : check(value, budget, ledger)?.under(step);
    };
  },
};

/** Anchors that mean something to a validating pattern; `+(key)` is an ordinary key to it. */
export const anchorHandlers: ReadonlyMap<AnchorName, AnchorHandler> = new Map(
  [condition, global, equality, negation, existence].map((handler) => [handler.name, handler]),
);

const ABSENT = anchorSite(
  "condition",
  () => `${CONDITION_WORDS}: conditional anchor key doesn't exist in the resource`,
);
const CONDITION = anchorSite("condition", (place, failure) => causeText(CONDITION_WORDS, place, failure));
const GLOBAL = anchorSite("global", (place, failure) => causeText(GLOBAL_WORDS, place, failure));
const FORBIDDEN = anchorSite("negation", (place) => `${NEGATION_WORDS}: ${place} is not allowed`);

function causeText(words: string, place: string, failure: Failure): string {
  return failure.causes.reduce((text, cause) => text + describeFailure(cause, place), `${words}: `);
}

function compileExistence(pattern: TypedJson, place: string, compilePart: CompilePart): Check {
  const noList = mismatchSite(
    place,
    (_, failure) =>
      `invalid resource type ${goType(failure.value)}: Existence ^ () anchor can be used only on list/array type resource`,
  );
  const items = isPatternList(pattern)
    ? pattern.map((item) => compileItem(item, place, compilePart))
    : undefined;
  const noListPattern = mismatchSite(
    place,
    () => `invalid pattern type ${goType(pattern)}: Pattern has to be of list to compare against resource`,
  );
  return (value, budget, ledger) => {
    if (!isArray(value)) return new Failure(noList, value);
    if (items === undefined) return new Failure(noListPattern, null);
    for (const item of items) {
      const failure = item(value, budget, ledger);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
}

/** One map of the pattern: some element of the list must match it. */
function compileItem(item: TypedJson, place: string, compilePart: CompilePart): ListCheck {
  if (!isPatternMap(item)) {
    const noMap = mismatchSite(
      place,
      () =>
        "invalid pattern type []interface {}: Pattern has to be of type map to compare against items in resource",
    );
    return () => new Failure(noMap, null);
  }
  const check = compilePart(item, `${place}0/`);
  const none = mismatchSite(place, (at) => `existence anchor validation failed at path ${at}`);
  return (list, budget, ledger) => {
    for (const element of list) if (check(element, budget, ledger) === undefined) return undefined;
    return new Failure(none, null);
  };
}
