/**
 * The values file of the Kyverno CLI (kind Values): what context entries would have given in a cluster, labels of
 * namespaces, and the parents of subresources. Precedence: global values, then those for a policy and resource, then
 * `--set`.
 * SPEC: kyverno-surface.md section 8.2 (Values).
 */
import type { GivenValues } from "#engine";
import type { Json, JsonObject } from "#json";
import { isArray, isObject, member } from "#json";
import type { GroupVersionKind } from "#k8s";
import { InputReader, readInputDocument } from "./document.ts";
import type { Problem, SourceText } from "./problem.ts";

export type PolicyValues = {
  /** By resource name. */
  readonly resources: ReadonlyMap<string, JsonObject>;
  readonly rules: Readonly<Record<string, JsonObject>>;
  readonly foreach: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>;
};

export type Subresource = { readonly kind: string; readonly parent: GroupVersionKind; readonly name: string };

export type Values = {
  readonly globals: JsonObject;
  /** By policy name. */
  readonly policies: ReadonlyMap<string, PolicyValues>;
  /** Labels by namespace name. */
  readonly namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly subresources: readonly Subresource[];
};

export const noValues: Values = {
  globals: {},
  policies: new Map(),
  namespaceLabels: new Map(),
  subresources: [],
};

export type LoadedValues = { readonly values: Values; readonly problems: readonly Problem[] };

export async function loadValues(file: string): Promise<LoadedValues> {
  const { input, problems } = await readInputDocument(file, "Values");
  if (input === undefined) return { values: noValues, problems };
  const decoded = decodeValues(input.value, input.source, input.document);
  return { values: decoded.values, problems: [...problems, ...decoded.problems] };
}

/** Also for values that stand in a test file: `source` and `document` say where, `pointer` where in it. */
export function decodeValues(
  value: JsonObject,
  source: SourceText,
  document: number,
  pointer = "",
): LoadedValues {
  const reader = new InputReader(source, document);
  reader.checkNames(value, pointer, valueNames);
  const policies = new Map<string, PolicyValues>();
  for (const item of reader.objects(value["policies"], `${pointer}/policies`)) {
    reader.checkNames(item.value, item.pointer, ["name", "resources", "rules"]);
    const name = reader.text(item.value["name"], `${item.pointer}/name`);
    policies.set(name, mergePolicyValues(policies.get(name), decodePolicyValues(reader, item)));
  }
  const values: Values = {
    globals: reader.object(value["globalValues"], `${pointer}/globalValues`),
    policies,
    namespaceLabels: decodeNamespaces(reader, value, pointer),
    subresources: reader
      .objects(value["subresources"], `${pointer}/subresources`)
      .flatMap((item) => decodeSubresource(reader, item)),
  };
  return { values, problems: reader.problems };
}

const valueNames: readonly string[] = [
  "apiVersion",
  "kind",
  "metadata",
  "globalValues",
  "policies",
  "namespaceSelector",
  "namespaces",
  "subresources",
];

/** A policy may stand in several entries; the first that names a resource, rule or list counts. */
function mergePolicyValues(first: PolicyValues | undefined, next: PolicyValues): PolicyValues {
  if (first === undefined) return next;
  return {
    resources: new Map([...next.resources, ...first.resources]),
    rules: { ...next.rules, ...first.rules },
    foreach: { ...next.foreach, ...first.foreach },
  };
}

type Item = { readonly value: JsonObject; readonly pointer: string };

function decodePolicyValues(reader: InputReader, { value, pointer }: Item): PolicyValues {
  const resources = new Map<string, JsonObject>();
  for (const item of reader.objects(value["resources"], `${pointer}/resources`)) {
    const name = reader.text(item.value["name"], `${item.pointer}/name`);
    resources.set(name, reader.object(item.value["values"], `${item.pointer}/values`));
  }
  const rules: Record<string, JsonObject> = {};
  const foreach: Record<string, Record<string, readonly Json[]>> = {};
  for (const item of reader.objects(value["rules"], `${pointer}/rules`)) {
    const name = reader.text(item.value["name"], `${item.pointer}/name`);
    rules[name] = reader.object(item.value["values"], `${item.pointer}/values`);
    const lists = Object.entries(reader.object(item.value["foreachValues"], `${item.pointer}/foreachValues`));
    foreach[name] = Object.fromEntries(lists.map(([key, list]) => [key, isArray(list) ? list : [list]]));
  }
  return { resources, rules, foreach };
}

function decodeNamespaces(
  reader: InputReader,
  value: JsonObject,
  pointer: string,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const labels = new Map<string, Readonly<Record<string, string>>>();
  for (const item of reader.objects(value["namespaces"], `${pointer}/namespaces`)) {
    const metadata = reader.object(item.value["metadata"], `${item.pointer}/metadata`);
    const given = reader.object(metadata["labels"], `${item.pointer}/metadata/labels`);
    labels.set(reader.text(metadata["name"], `${item.pointer}/metadata/name`), textMembers(given));
  }
  for (const item of reader.objects(value["namespaceSelector"], `${pointer}/namespaceSelector`)) {
    const given = reader.object(item.value["labels"], `${item.pointer}/labels`);
    labels.set(reader.text(item.value["name"], `${item.pointer}/name`), textMembers(given));
  }
  return labels;
}

function textMembers(value: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, typeof item === "string" ? item : JSON.stringify(item)]),
  );
}

function decodeSubresource(reader: InputReader, { value, pointer }: Item): Subresource[] {
  const sub = reader.object(value["subresource"], `${pointer}/subresource`);
  const parent = reader.object(value["parentResource"], `${pointer}/parentResource`);
  const text = (from: JsonObject, key: string, at: string): string =>
    reader.text(member(from, key), `${pointer}/${at}/${key}`);
  const name = text(sub, "name", "subresource");
  const slash = name.indexOf("/");
  if (slash < 0) return [];
  return [
    {
      kind: text(sub, "kind", "subresource"),
      name: name.slice(slash + 1),
      parent: {
        group: text(parent, "group", "parentResource"),
        version: text(parent, "version", "parentResource"),
        kind: text(parent, "kind", "parentResource"),
      },
    },
  ];
}

/** What one policy is given for one resource. The same object for the same policy where resources make no difference. */
export type ValuesFor = (policy: string, resource: string) => GivenValues | undefined;

/** @param set of `--set`, the strongest */
export function compileValues(values: Values, set: Readonly<Record<string, Json>>): ValuesFor {
  const base: JsonObject = { ...values.globals, ...set };
  const plain: GivenValues | undefined =
    Object.keys(base).length === 0 ? undefined : { variables: base, rules: {}, foreach: {} };
  if (values.policies.size === 0) return () => plain;
  const perPolicy = new Map<string, GivenValues>();
  return (policy, resource) => {
    const given = values.policies.get(policy);
    if (given === undefined) return plain;
    const own = given.resources.get(resource);
    if (own !== undefined) {
      return { variables: { ...values.globals, ...own, ...set }, rules: given.rules, foreach: given.foreach };
    }
    let shared = perPolicy.get(policy);
    if (shared === undefined) {
      shared = { variables: base, rules: given.rules, foreach: given.foreach };
      perPolicy.set(policy, shared);
    }
    return shared;
  };
}

/** `a.b=c` of `--set`; what upstream ignores silently is an error here: a misspelt variable changes an answer. */
export function parseSet(items: readonly string[]): Readonly<Record<string, Json>> | string {
  const set: Record<string, Json> = {};
  for (const item of items) {
    const equals = item.indexOf("=");
    const key = item.slice(0, equals).trim();
    const value = item.slice(equals + 1).trim();
    if (equals < 0 || key === "" || value === "") return `\`--set ${item}\`: write it as name=value`;
    if (key.includes("request.object."))
      return `\`--set ${item}\`: the resource itself cannot be set, edit its file`;
    set[key] ??= value;
  }
  return set;
}

/** The operation that values ask for, in the form `request.operation` or as an object. */
export function operationIn(variables: Readonly<Record<string, Json>> | undefined): string | undefined {
  if (variables === undefined) return undefined;
  const flat = variables["request.operation"];
  if (typeof flat === "string") return flat;
  const request = variables["request"];
  const operation = isObject(request) ? request["operation"] : undefined;
  return typeof operation === "string" ? operation : undefined;
}
