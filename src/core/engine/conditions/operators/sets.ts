/**
 * AnyIn, AllIn, AnyNotIn and AllNotIn: whether the texts of a key are among the values. The four differ in how they
 * count, the rest is one. Where a value is nothing that can be looked into, none of the four holds.
 * SPEC: Kyverno 1.19 pkg/engine/variables/operator/{anyin,allin,anynotin,allnotin}.go; kyverno-surface.md section 4.4.
 */
import { isTypedArray, type TypedJson } from "#json";
import { compileWildcard, type TextTest } from "#text";

import { operatorOf } from "../../pattern/operator.ts";
import { compileScalar } from "../../pattern/scalar.ts";
import type { KeyTest, OperatorDefinition } from "../operator.ts";
import { compileTwoWay, keyTexts } from "./membership.ts";
import { parseTextList } from "./text-list.ts";
import { typedText } from "./typed-text.ts";

/** `hit` is for a text that is in, `miss` for one that is out; a range at the edge of the grammar may be neither. */
type Values = { readonly hit: TextTest; readonly miss: TextTest };

/** What a value is to a key that is one scalar, and to one that is a list. Undefined where it is nothing. */
type Membership = {
  readonly scalar: Values | undefined;
  readonly list: Values | undefined;
  /** A list of this text alone is in, whatever else the value is. */
  readonly whole: string | undefined;
};

type Counting = {
  readonly name: string;
  readonly wanted: boolean;
  /** Whether a number or a truth value may stand for a list of one, where the key is a list. */
  readonly takesScalars: boolean;
  readonly count: (keys: readonly string[], values: Values) => boolean;
};

const countings: readonly Counting[] = [
  { name: "AnyIn", wanted: true, takesScalars: true, count: (keys, { hit }) => keys.some((key) => hit(key)) },
  {
    name: "AllIn",
    wanted: true,
    takesScalars: false,
    count: (keys, { hit }) => keys.every((key) => hit(key)),
  },
  {
    name: "AnyNotIn",
    wanted: false,
    takesScalars: true,
    count: (keys, { miss }) => keys.some((key) => miss(key)),
  },
  {
    name: "AllNotIn",
    wanted: false,
    takesScalars: false,
    count: (keys, { hit }) => !keys.some((key) => hit(key)),
  },
];

export const sets: readonly OperatorDefinition[] = countings.map((counting) => ({
  name: counting.name,
  exactSpelling: false,
  compileValue: (value) => compileSet(value, counting),
}));

function compileSet(value: TypedJson, { wanted, takesScalars, count }: Counting): KeyTest {
  const { scalar, list, whole } = compileMembership(value, takesScalars);
  return (key) => {
    const texts = keyTexts(key);
    if (texts === undefined) return false;
    if (typeof texts === "string") return scalar !== undefined && (wanted ? scalar.hit : scalar.miss)(texts);
    if (whole !== undefined && texts.length === 1 && texts[0] === whole) return wanted;
    return list !== undefined && count(texts, list);
  };
}

function compileMembership(value: TypedJson, takesScalars: boolean): Membership {
  if (typeof value === "string") return compileText(value);
  if (isTypedArray(value)) {
    const hit = compileTwoWay(value.map(typedText));
    const values = opposites(hit);
    return { scalar: values, list: values, whole: undefined };
  }
  const one = takesScalars && value !== null && typeof value !== "object";
  const list = one ? opposites(compileTwoWay([typedText(value)])) : undefined;
  return { scalar: undefined, list, whole: undefined };
}

function compileText(value: string): Membership {
  const matches = compileWildcard(value);
  if (operatorOf(value) === "-") {
    const hit = compileScalar(value);
    const miss = compileScalar(value.replace("-", "!-"));
    return { scalar: opposites((key) => matches(key) || hit(key)), list: { hit, miss }, whole: value };
  }
  const texts = parseTextList(value);
  if (texts === "no-json") {
    return { scalar: opposites(matches), list: opposites(compileTwoWay([value])), whole: value };
  }
  // JSON that is no list of texts is still a wildcard to a scalar; one that it does not match is neither in nor out.
  if (texts === "no-list") {
    return { scalar: { hit: matches, miss: () => false }, list: undefined, whole: value };
  }
  const members = new Set(texts);
  return {
    scalar: opposites((key) => matches(key) || members.has(key)),
    list: opposites(compileTwoWay(texts)),
    whole: value,
  };
}

function opposites(hit: TextTest): Values {
  return { hit, miss: (text) => !hit(text) };
}
