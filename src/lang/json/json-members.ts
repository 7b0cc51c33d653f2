/**
 * Whether a JSON text gives a key twice, which JSON.parse does not say: it has more members than the value that came of
 * it. One pass over the text, from string to string.
 *
 * INVARIANT: the text is valid JSON, as JSON.parse has taken it.
 */
import type { Json } from "./json.ts";

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

export function repeatsKey(text: string, value: Json): boolean {
  return membersOf(text) !== countMembers(value);
}

/** Every colon outside of a string belongs to a member. */
function membersOf(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === COLON) members++;
    else if (unit === QUOTE) at = endOfString(text, at);
  }
  return members;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}

function countMembers(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const items = Object.values<Json>(value);
  let members = Array.isArray(value) ? 0 : items.length;
  for (const item of items) members += countMembers(item);
  return members;
}
