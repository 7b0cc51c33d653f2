/**
 * Why a pattern does not match. Nothing here is made while a resource matches: a failure is created where matching
 * stops, and grows its path on the way back up. Its text is rendered only when somebody reads it.
 *
 * Upstream tells skips from failures by the error's type for errors of anchors, and by words in the text for all
 * others. A value of the resource can hold those words, so what shows a value may turn into a skip. What the rest of
 * the text says is known when the pattern is compiled (`saysSkip`, `saysNegation`).
 * SPEC: Kyverno 1.19 pkg/engine/anchor/error.go, pkg/engine/validate/validate.go (skip, fail); surface 3.5.
 */
import type { Json } from "#json";

import { goText } from "./go-text.ts";

export const CONDITION_WORDS = "conditional anchor mismatch";
export const GLOBAL_WORDS = "global anchor mismatch";
export const NEGATION_WORDS = "negation anchor matched in resource";

/**
 * - `condition`, `global`, `negation`: errors of anchors, told by their kind;
 * - `skips`: a map or a list all of whose parts were skipped;
 * - `mismatch`: everything else, told by its text.
 */
export type FailureKind = "condition" | "global" | "negation" | "skips" | "mismatch";

/** What is known of a failure before any resource is seen: one per place in a pattern where matching can stop. */
export type FailureSite = {
  readonly kind: FailureKind;
  /** `place` is the path of the failure, from the root, with a slash at its end. */
  readonly render: (place: string, failure: Failure) => string;
  readonly showsValue: boolean;
  readonly saysSkip: boolean;
  readonly saysNegation: boolean;
  /** Some failures upstream has no path for; a rule then ends in an error. */
  readonly hasPath: boolean;
};

export class Failure {
  readonly site: FailureSite;
  readonly value: Json;
  readonly causes: readonly Failure[];
  /** From where the failure has been handed up to, down to its place: `containers/0/image/`. */
  path = "";

  constructor(site: FailureSite, value: Json, causes: readonly Failure[] = NONE) {
    this.site = site;
    this.value = value;
    this.causes = causes;
  }

  /** Hands the failure up by one step (`containers/`). */
  under(step: string): this {
    this.path = step + this.path;
    return this;
  }
}

const NONE: readonly Failure[] = [];

/**
 * A site whose text says `render(place)`, followed nowhere by a value of the resource.
 * @param place the static path of the site, indices as `0`: keys of a pattern can hold the telling words, too
 */
export function mismatchSite(
  place: string,
  render: (place: string, failure: Failure) => string,
  options: { readonly showsValue?: boolean; readonly hasPath?: boolean } = {},
): FailureSite {
  const { showsValue = false, hasPath = true } = options;
  const probe: FailureSite = { ...OPEN_SITE, render };
  const text = render(place, new Failure(probe, ""));
  return {
    ...probe,
    showsValue,
    hasPath,
    saysSkip: hasSkipWords(text),
    saysNegation: text.includes(NEGATION_WORDS),
  };
}

/** A site of a kind that is told by the kind alone. */
export function anchorSite(
  kind: "condition" | "global" | "negation",
  render: (place: string, failure: Failure) => string,
): FailureSite {
  return { ...OPEN_SITE, kind, render };
}

const OPEN_SITE: FailureSite = {
  kind: "mismatch",
  render: () => "",
  showsValue: false,
  saysSkip: false,
  saysNegation: false,
  hasPath: true,
};

const SKIPS_SITE: FailureSite = {
  ...OPEN_SITE,
  kind: "skips",
  render: (place, failure) => failure.causes.map((cause) => describeFailure(cause, place)).join("; "),
};

/** All parts of a map or list were skipped: so is the whole. */
export function allSkipped(causes: readonly Failure[]): Failure {
  return new Failure(SKIPS_SITE, null, causes);
}

/** True where the failure means that the pattern does not apply, so that the resource neither passes nor fails. */
export function isSkip(failure: Failure): boolean {
  switch (failure.site.kind) {
    case "condition":
    case "global":
    case "skips":
      return true;
    case "negation":
      return false;
    case "mismatch":
      return failure.site.saysSkip || (failure.site.showsValue && valueHas(failure.value, hasSkipWords));
  }
}

/** True where a forbidden key is there: a failure, whatever other anchors miss. */
export function isNegation(failure: Failure): boolean {
  const { kind, saysNegation, showsValue } = failure.site;
  if (kind !== "mismatch") return kind === "negation";
  return saysNegation || (showsValue && valueHas(failure.value, hasNegationWords));
}

/**
 * Upstream's text of the failure.
 * @param base where the failure has been handed up to; `/` at the root
 */
export function describeFailure(failure: Failure, base: string): string {
  return failure.site.render(base + failure.path, failure);
}

function valueHas(value: Json, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  return typeof value === "object" && value !== null && test(goText(value));
}

function hasSkipWords(text: string): boolean {
  return text.includes(CONDITION_WORDS) || text.includes(GLOBAL_WORDS);
}

function hasNegationWords(text: string): boolean {
  return text.includes(NEGATION_WORDS);
}
