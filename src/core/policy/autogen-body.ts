/**
 * The bodies of generated rules: patterns and patches move below the pod template; the other checks stay as they are,
 * because they name their places in texts, which `autogen-paths.ts` rewrites. Of several checks the first is taken.
 * SPEC: pkg/autogen generateRule of Kyverno 1.19.
 */
import type { Json, JsonObject } from "#json";
import { isArray } from "#json";
import { field, objectsField, textField } from "./fields.ts";
import { shiftReferences } from "./autogen-references.ts";

function wrap(value: Json, path: readonly string[]): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const picked: Record<string, Json> = {};
  for (const key of keys) {
    const value = field(object, key);
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

/** `undefined` where there is nothing to patch. */
export function generateMutate(mutate: JsonObject, path: readonly string[]): JsonObject | undefined {
  const patch = field(mutate, "patchStrategicMerge");
  if (patch !== undefined) return { patchStrategicMerge: wrap(patch, path) };
  const foreach = objectsField(mutate, "foreach");
  if (foreach === undefined || foreach.length === 0) return undefined;
  return {
    foreach: foreach.map((entry) => ({
      ...pick(entry, ["list", "context", "preconditions"]),
      patchStrategicMerge: wrap(field(entry, "patchStrategicMerge") ?? null, path),
    })),
  };
}

const anyAction = ["failureAction", "failureActionOverrides", "allowExistingViolations"] as const;

type Carry = (check: Json, path: readonly string[]) => Json;

const asItIs: Carry = (check) => check;

/** The checks in upstream's order, with how each is carried over and where its message's references begin. */
const checks: readonly { readonly key: string; readonly pivot: string; readonly carry: Carry }[] = [
  { key: "pattern", pivot: "pattern", carry: wrap },
  { key: "deny", pivot: "deny", carry: asItIs },
  { key: "podSecurity", pivot: "podSecurity", carry: asItIs },
  { key: "anyPattern", pivot: "anyPattern", carry: wrapEach },
  { key: "foreach", pivot: "pattern", carry: asItIs },
  { key: "cel", pivot: "cel", carry: asItIs },
];

/** An empty list becomes nothing at all, as Go writes one that was never appended to. */
function wrapEach(patterns: Json, path: readonly string[]): Json {
  if (!isArray(patterns) || patterns.length === 0) return null;
  return patterns.map((pattern) => wrap(pattern, path));
}

/** `undefined` where there is no check that can be carried over. */
export function generateValidate(validate: JsonObject, path: readonly string[]): JsonObject | undefined {
  for (const { key, pivot, carry } of checks) {
    const check = field(validate, key);
    if (check === undefined) continue;
    const message = textField(validate, "message");
    return {
      ...(message === undefined ? {} : { message: shiftReferences(message, path.join("/"), pivot) }),
      ...pick(validate, anyAction),
      [key]: carry(check, path),
    };
  }
  return undefined;
}
