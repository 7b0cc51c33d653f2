/**
 * Reads the operator's ConfigMap. Every key stands alone: one that cannot be read counts as not set and is named, and
 * the others hold, because half a configuration is better than none while somebody is editing it.
 * SPEC: Kyverno 1.19 pkg/config/configuration.go, filter.go; kyverno-surface.md section 7.7.
 */
import type { Json, JsonObject } from "#json";
import { isArray, isObject, loadOne } from "#json";
import type { LabelSelectorSpec } from "#policy";
import type { GateConfiguration, MatchCondition, ResourceFilterEntry } from "./configuration.ts";

/** @param configMap the object; `undefined` where there is none: then nothing is set */
export function decodeConfiguration(configMap: JsonObject | undefined): GateConfiguration {
  const data = isObject(configMap?.["data"]) ? configMap["data"] : {};
  const reader = new KeyReader(data);
  const selectors = reader.json("webhooks", decodeWebhooks, {});
  return {
    resourceFilters: decodeFilters(reader.text("resourceFilters")),
    excludeGroups: listOf(reader.text("excludeGroups")),
    excludeUsernames: listOf(reader.text("excludeUsernames")),
    excludeRoles: listOf(reader.text("excludeRoles")),
    excludeClusterRoles: listOf(reader.text("excludeClusterRoles")),
    ...selectors,
    matchConditions: reader.json("matchConditions", decodeConditions, []),
    webhookAnnotations: reader.json("webhookAnnotations", decodeTexts, {}),
    webhookLabels: reader.json("webhookLabels", decodeTexts, {}),
    problems: reader.problems,
    data,
  };
}

class KeyReader {
  readonly problems: string[] = [];
  readonly #data: JsonObject;

  constructor(data: JsonObject) {
    this.#data = data;
  }

  text(key: string): string {
    const value = this.#data[key];
    if (value === undefined || typeof value === "string") return value ?? "";
    this.problems.push(`${key}: a ConfigMap's values are text`);
    return "";
  }

  /** A key whose text is JSON (or YAML); `decode` answers with a sentence where the shape is wrong. */
  json<T>(key: string, decode: (value: Json) => T | string, otherwise: T): T {
    const text = this.text(key);
    if (text.trim() === "") return otherwise;
    const { value, diagnostics } = loadOne(text, key);
    const error = diagnostics.find(({ severity }) => severity === "error");
    const decoded = error === undefined ? decode(value) : error.message;
    if (typeof decoded !== "string") return decoded;
    this.problems.push(`${key}: ${decoded}`);
    return otherwise;
  }
}

/** `[kind,namespace,name]` as often as wanted, with anything between; what is missing is `*`. */
function decodeFilters(text: string): readonly ResourceFilterEntry[] {
  return [...text.matchAll(/\[([^\]]*)\]/g)].map(([, inner = ""]) => {
    const [kind, namespace, name] = inner.split(",").map((part) => part.trim());
    return { kind: kind || "*", namespace: namespace || "*", name: name || "*" };
  });
}

function listOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "" && entry !== "!");
}

/** An object with both selectors; a list of such, as old installations have it, counts by its first. */
function decodeWebhooks(
  value: Json,
): Pick<GateConfiguration, "namespaceSelector" | "objectSelector"> | string {
  const given = isArray(value) ? (value[0] ?? {}) : value;
  if (!isObject(given)) return "it must be an object with `namespaceSelector` and `objectSelector`";
  const namespaceSelector = decodeSelector(given["namespaceSelector"]);
  const objectSelector = decodeSelector(given["objectSelector"]);
  if (namespaceSelector === "wrong" || objectSelector === "wrong") {
    return "a selector has `matchLabels` with texts and `matchExpressions` with key, operator and values";
  }
  return {
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
  };
}

function decodeSelector(value: Json | undefined): LabelSelectorSpec | "wrong" | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return "wrong";
  const { matchLabels, matchExpressions } = value;
  const labels = matchLabels === undefined ? {} : decodeTexts(matchLabels);
  const expressions = matchExpressions === undefined ? [] : decodeExpressions(matchExpressions);
  if (typeof labels === "string" || expressions === undefined) return "wrong";
  return {
    ...(Object.keys(labels).length === 0 ? {} : { matchLabels: labels }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  };
}

type Expressions = NonNullable<LabelSelectorSpec["matchExpressions"]>;

function decodeExpressions(value: Json): Expressions | undefined {
  if (!isArray(value)) return undefined;
  const decoded: Expressions[number][] = [];
  for (const entry of value) {
    if (!isObject(entry)) return undefined;
    const { key, operator, values } = entry;
    if (typeof key !== "string" || typeof operator !== "string") return undefined;
    const texts = isArray(values) ? values.filter((text) => typeof text === "string") : [];
    decoded.push({ key, operator, ...(values === undefined ? {} : { values: texts }) });
  }
  return decoded;
}

function decodeConditions(value: Json): readonly MatchCondition[] | string {
  const wrong = "it must be a list of conditions, each with a `name` and an `expression`";
  if (!isArray(value)) return wrong;
  const conditions: MatchCondition[] = [];
  for (const entry of value) {
    if (!isObject(entry)) return wrong;
    const { name, expression } = entry;
    if (typeof name !== "string" || typeof expression !== "string") return wrong;
    conditions.push({ name, expression });
  }
  return conditions;
}

function decodeTexts(value: Json): Readonly<Record<string, string>> | string {
  if (!isObject(value)) return "it must be an object of texts";
  const entries: [string, string][] = [];
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") return `\`${key}\` must be a text`;
    entries.push([key, text]);
  }
  return Object.fromEntries(entries);
}
