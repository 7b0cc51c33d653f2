/**
 * A text that holds a JSON list of texts, as a ConfigMap gives it. Whether a text is JSON at all, and whether that is a
 * list of texts, is told apart: upstream takes the one as it is and refuses the other.
 * SPEC: Go encoding/json `Valid`, and `Unmarshal` into `[]string` (null is an empty list, in a list an empty text).
 */
import { isArray, type Json } from "#json";

/** The texts, or what the text is instead. */
export function parseTextList(text: string): readonly string[] | "no-json" | "no-list" {
  if (!/^[\t\n\r ]*["\d[{tfn-]/.test(text)) return "no-json";
  const parsed = decodeJson(text);
  if (parsed === undefined) return "no-json";
  if (parsed === null) return [];
  if (!isArray(parsed)) return "no-list";
  const texts: string[] = [];
  for (const item of parsed) {
    if (item !== null && typeof item !== "string") return "no-list";
    texts.push(item ?? "");
  }
  return texts;
}

function decodeJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
