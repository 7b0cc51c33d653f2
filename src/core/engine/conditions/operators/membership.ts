/**
 * What a text is compared with when it is looked for among the values of a condition: a list, where wildcards count on
 * both sides, or a text that may be a wildcard, a range or a list in JSON.
 */
import { isTypedArray, type TypedJson } from "#json";
import { compileWildcard, hasWildcard, matchWildcard, type TextTest } from "#text";

import { typedText } from "./typed-text.ts";

/** Whether a text matches one of `values`, as the text or as the pattern. */
export function compileTwoWay(values: readonly string[]): TextTest {
  const exact = new Set(values);
  const patterns = values.filter(hasWildcard).map(compileWildcard);
  return (text) => {
    if (exact.has(text)) return true;
    for (const matches of patterns) if (matches(text)) return true;
    return hasWildcard(text) && values.some((value) => matchWildcard(text, value));
  };
}

/** The texts of a key that is one scalar or a list; undefined for null and maps, in which nothing is ever found. */
export function keyTexts(key: TypedJson): string | readonly string[] | undefined {
  if (key === null) return undefined;
  if (isTypedArray(key)) return key.map(typedText);
  return typeof key === "object" ? undefined : typedText(key);
}
