/** JSON from others. */
import type { Json } from "./json.ts";

/** `undefined` where the text is not JSON. */
export function decodeJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
