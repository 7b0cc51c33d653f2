/**
 * `match` and `exclude`: `any`, `all`, or the deprecated direct form. Empty lists are kept: an empty `subjects` in an
 * exclude block means something.
 */
import type { JsonObject } from "#json";
import { field, objectField, objectsField, optional, textField, textMapField, textsField } from "./fields.ts";
import type {
  LabelSelectorSpec,
  MatchBlock,
  ResourceDescription,
  ResourceFilter,
  Subject,
} from "./policy.ts";

export function decodeMatch(block: JsonObject): MatchBlock {
  const any = objectsField(block, "any");
  const all = objectsField(block, "all");
  return {
    ...(any === undefined || any.length === 0 ? {} : { any: any.map(decodeFilter) }),
    ...(all === undefined || all.length === 0 ? {} : { all: all.map(decodeFilter) }),
    ...(hasFilters(any) || hasFilters(all) ? {} : { direct: decodeFilter(block) }),
  };
}

function hasFilters(filters: readonly JsonObject[] | undefined): boolean {
  return filters !== undefined && filters.length > 0;
}

function decodeFilter(filter: JsonObject): ResourceFilter {
  const resources = objectField(filter, "resources");
  return {
    ...optional("resources", resources === undefined ? undefined : decodeResources(resources)),
    ...optional("roles", textsField(filter, "roles")),
    ...optional("clusterRoles", textsField(filter, "clusterRoles")),
    ...optional("subjects", objectsField(filter, "subjects")?.map(decodeSubject)),
  };
}

function decodeSubject(subject: JsonObject): Subject {
  return {
    kind: textField(subject, "kind") ?? "",
    name: textField(subject, "name") ?? "",
    ...optional("namespace", textField(subject, "namespace")),
  };
}

function decodeResources(resources: JsonObject): ResourceDescription {
  return {
    ...optional("kinds", textsField(resources, "kinds")),
    ...optional("name", textField(resources, "name")),
    ...optional("names", textsField(resources, "names")),
    ...optional("namespaces", textsField(resources, "namespaces")),
    ...optional("annotations", textMapField(resources, "annotations")),
    ...optional("selector", decodeSelectorField(resources, "selector")),
    ...optional("namespaceSelector", decodeSelectorField(resources, "namespaceSelector")),
    ...optional("operations", textsField(resources, "operations")),
  };
}

/** A metav1 label selector below `key`; the empty selector selects everything and is not the same as none. */
export function decodeSelectorField(object: JsonObject, key: string): LabelSelectorSpec | undefined {
  const selector = objectField(object, key);
  if (selector === undefined) return undefined;
  const expressions = objectsField(selector, "matchExpressions");
  return {
    ...optional("matchLabels", textMapField(selector, "matchLabels")),
    ...optional("matchExpressions", expressions?.map(decodeExpression)),
  };
}

type Expression = NonNullable<LabelSelectorSpec["matchExpressions"]>[number];

function decodeExpression(expression: JsonObject): Expression {
  return {
    key: textField(expression, "key") ?? "",
    operator: textField(expression, "operator") ?? "",
    ...(field(expression, "values") === undefined ? {} : { values: textsField(expression, "values") ?? [] }),
  };
}
