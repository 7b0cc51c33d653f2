/**
 * Whether an answer is the wanted one. Where the original panics, any evaluation error will do; numbers are compared by
 * value, so `1.0` is `1`.
 */
import { equalJson, type Json } from "#json";

export type Answer = { readonly document?: Json; readonly value?: Json; readonly error?: string };

export function sameAnswer(
  want: Answer & { readonly panic?: string },
  got: { readonly value: Json } | { readonly error: string },
): boolean {
  if (want.panic !== undefined) return "error" in got;
  if (want.error !== undefined) return "error" in got && got.error === want.error;
  const value = want.document ?? want.value ?? null;
  return "value" in got && equalJson(value, got.value);
}
