/**
 * `context`: named values that a rule may load. An entry has exactly one source (checked in `check-context.ts`); where
 * an author wrote several, the first in upstream's order of looking is taken.
 * SPEC: pkg/engine/context/loaders.
 */
import type { JsonObject } from "#json";
import { field, objectField, objectsField, optional, textField } from "./fields.ts";
import type { ContextEntry, ContextSource } from "./policy.ts";

/** The entries below `key`; without the field, none. An entry without a source is left out: it is an error. */
export function decodeContext(owner: JsonObject): readonly ContextEntry[] {
  const entries: ContextEntry[] = [];
  for (const entry of objectsField(owner, "context") ?? []) {
    const source = decodeSource(entry);
    if (source !== undefined) entries.push({ name: textField(entry, "name") ?? "", source });
  }
  return entries;
}

/** The fields that hold a source, with what reads each, in upstream's order. */
const sources: readonly (readonly [string, (value: JsonObject) => ContextSource])[] = [
  ["configMap", decodeConfigMap],
  ["apiCall", decodeApiCall],
  ["globalReference", decodeGlobalReference],
  ["imageRegistry", decodeImageRegistry],
  ["variable", decodeVariable],
];

/** The names of the fields of which an entry has exactly one. */
export const contextSourceNames: readonly string[] = sources.map(([name]) => name);

function decodeSource(entry: JsonObject): ContextSource | undefined {
  for (const [name, decode] of sources) {
    const value = objectField(entry, name);
    if (value !== undefined) return decode(value);
  }
  return undefined;
}

function decodeConfigMap(value: JsonObject): ContextSource {
  return {
    kind: "configMap",
    name: textField(value, "name") ?? "",
    ...optional("namespace", textField(value, "namespace")),
  };
}

function decodeApiCall(value: JsonObject): ContextSource {
  return {
    kind: "apiCall",
    method: textField(value, "method") === "POST" ? "POST" : "GET",
    ...optional("urlPath", textField(value, "urlPath")),
    ...optional("service", objectField(value, "service")),
    ...optional("data", objectsField(value, "data")),
    ...optional("jmesPath", textField(value, "jmesPath")),
    ...optional("default", field(value, "default")),
  };
}

function decodeGlobalReference(value: JsonObject): ContextSource {
  return {
    kind: "globalReference",
    name: textField(value, "name") ?? "",
    ...optional("jmesPath", textField(value, "jmesPath")),
  };
}

function decodeImageRegistry(value: JsonObject): ContextSource {
  return {
    kind: "imageRegistry",
    reference: textField(value, "reference") ?? "",
    ...optional("jmesPath", textField(value, "jmesPath")),
    ...optional("credentials", objectField(value, "imageRegistryCredentials")),
  };
}

function decodeVariable(value: JsonObject): ContextSource {
  return {
    kind: "variable",
    ...optional("value", field(value, "value")),
    ...optional("jmesPath", textField(value, "jmesPath")),
    ...optional("default", field(value, "default")),
  };
}
