/**
 * Values that a test or a values file gives. A key may be a dotted path (`request.operation`), whose steps may be quoted;
 * what is on the way is kept, what is there is replaced.
 * SPEC: Kyverno 1.19 pkg/engine/context (AddVariable); kyverno-surface.md section 8.2 (Values).
 */
import { isObject, type Json, type JsonObject } from "#json";

/** The root with every given value in its place; the same root where there is none. */
export function givenRoot(root: JsonObject, values: Readonly<Record<string, Json>> | undefined): JsonObject {
  if (values === undefined) return root;
  let result = root;
  for (const [path, value] of Object.entries(values)) result = withValue(result, splitPath(path), value);
  return result;
}

function withValue(target: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key = "", ...rest] = path;
  if (rest.length === 0) return { ...target, [key]: value };
  const inner = target[key];
  return { ...target, [key]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

/** Fields of a line that is divided by dots, where `"` may stand around a field. */
export function splitPath(path: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  for (const char of path) {
    if (char === '"') quoted = !quoted;
    else if (char === "." && !quoted) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  return [...parts, part];
}
