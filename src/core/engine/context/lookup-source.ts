/**
 * The sources of context entries that need the world, each as one description: what it asks for, what it may not ask for,
 * what becomes of the answer, and upstream's words for all that can go wrong.
 * SPEC: Kyverno 1.19 pkg/engine/context/loaders, pkg/engine/apicall; kyverno-surface.md section 4.2.
 */
import { isObject, plainText, type Json, type JsonObject } from "#json";
import type { ContextSource } from "#policy";

import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import { goType } from "../pattern/go-text.ts";
import type { LookupKind } from "../request.ts";
import { compileTemplate } from "../variables/template.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import { foreignNamespace, foreignPath } from "./namespace-bounds.ts";
import type { Scope } from "./scope.ts";
import { renderJson } from "./variable-entry.ts";

export type LookupSource = Exclude<ContextSource, { readonly kind: "variable" }>;

type Reader<Value> = (context: EvaluationContext) => Value | EvaluationError;

export type SourceProgram = {
  readonly kind: LookupKind;
  /** What the lookup is asked with, variables substituted. */
  readonly readArgs: Reader<JsonObject>;
  /** Why this may not be asked. */
  readonly refusal: (args: JsonObject) => string | undefined;
  /** It may be made before anything needs it. */
  readonly foreseeable: boolean;
  readonly shape: (value: Json) => Json;
  /** The query on the answer; absent where the entry wants all of it. */
  readonly readPath: Reader<Json> | undefined;
  /** Stands for a lookup that failed. */
  readonly fallback: Json | undefined;
  /** What is put around whatever goes wrong before there is an answer. */
  readonly failure: (cause: string) => string;
  /** What a failed lookup is called, inside of `failure`. */
  readonly unanswered: (args: JsonObject, message: string) => string;
  readonly notFound: (path: string, message: string) => string;
};

export function describeSource(name: string, source: LookupSource, scope: Scope): SourceProgram {
  switch (source.kind) {
    case "configMap":
      return describeConfigMap(name, source, scope);
    case "apiCall":
      return describeCall(name, source, scope);
    case "globalReference":
      return describeReference(name, source, scope);
    case "imageRegistry":
      return describeImage(name, source, scope);
  }
}

type SourceOf<Kind extends LookupSource["kind"]> = Extract<LookupSource, { readonly kind: Kind }>;

function describeConfigMap(name: string, source: SourceOf<"configMap">, scope: Scope): SourceProgram {
  const label = `failed to substitute variables in context ${name} configMap`;
  const readName = textReader(source.name, scope, `${label}.name ${source.name}`);
  const written = source.namespace ?? "";
  const readNamespace = textReader(written, scope, `${label}.namespace ${written}`);
  return {
    ...plainSource(name),
    kind: "configMap",
    readArgs(context) {
      const mapName = readName(context);
      if (isEvaluationError(mapName)) return mapName;
      const namespace = readNamespace(context);
      if (isEvaluationError(namespace)) return namespace;
      return { namespace: namespace === "" ? (scope.namespace ?? "default") : namespace, name: mapName };
    },
    refusal: (args) => foreignNamespace(name, plainText(args["namespace"] ?? ""), scope.namespace),
    shape: (value) =>
      isObject(value) ? { data: value["data"] ?? {}, metadata: value["metadata"] ?? {} } : value,
    failure: (cause) => `failed to retrieve config map for context entry ${name}: ${cause}`,
    unanswered: (args, message) =>
      `failed to get configmap ${plainText(args["namespace"] ?? "")}/${plainText(args["name"] ?? "")} : ${message}`,
  };
}

function describeCall(name: string, source: SourceOf<"apiCall">, scope: Scope): SourceProgram {
  const { method, urlPath, service, data } = source;
  const asked = {
    method,
    ...(urlPath === undefined ? {} : { urlPath }),
    ...(service === undefined ? {} : { service }),
    ...(data === undefined ? {} : { data }),
  };
  const label = `failed to substitute variables in context entry ${name} ${urlPath ?? ""}`;
  const plain = plainSource(name);
  return {
    ...plain,
    kind: "apiCall",
    readArgs: objectReader(asked, scope, label),
    refusal: (args) => foreignPath(args["urlPath"], scope.namespace),
    foreseeable: method === "GET",
    readPath: pathReader(source.jmesPath, scope, substituting(name, "JMESPath ", source.jmesPath)),
    fallback: source.default ?? undefined,
    failure: (cause) => `failed to fetch data for APICall: ${cause}`,
    notFound: (path, message) => `failed to store data for APICall: ${plain.notFound(path, message)}`,
  };
}

function describeReference(name: string, source: SourceOf<"globalReference">, scope: Scope): SourceProgram {
  const plain = plainSource(name);
  const failure = (cause: string): string =>
    `failed to marshal APICall data for context entry ${name}: ${cause}`;
  return {
    ...plain,
    kind: "globalReference",
    readArgs: objectReader({ name: source.name }, scope, undefined),
    readPath: pathReader(source.jmesPath, scope, substituting(name, "JMESPath ", source.jmesPath)),
    failure,
    notFound: (path, message) => failure(plain.notFound(path, message)),
  };
}

function describeImage(name: string, source: SourceOf<"imageRegistry">, scope: Scope): SourceProgram {
  const readReference = textReader(source.reference, scope, substituting(name, "", source.reference));
  return {
    ...plainSource(name),
    kind: "imageData",
    readArgs(context) {
      const reference = readReference(context);
      return isEvaluationError(reference) ? reference : { reference };
    },
    readPath: pathReader(source.jmesPath, scope, substituting(name, "", source.jmesPath)),
    unanswered: (args, message) =>
      `failed to fetch image descriptor: ${plainText(args["reference"] ?? "")}, error: ${message}`,
    notFound: (_, message) =>
      `failed to apply JMESPath (${source.jmesPath ?? ""}) results to context entry ${name}, error: ${message}`,
  };
}

/** What holds for a source that says nothing else. */
function plainSource(name: string): Omit<SourceProgram, "kind" | "readArgs"> {
  return {
    refusal: () => undefined,
    foreseeable: true,
    shape: (value) => value,
    readPath: undefined,
    fallback: undefined,
    failure: (cause) => cause,
    unanswered: (_, message) => message,
    notFound: (path, message) => `failed to apply JMESPath ${path} for context entry ${name}: ${message}`,
  };
}

function substituting(name: string, part: string, written: string | undefined): string {
  return `failed to substitute variables in context entry ${name} ${part}${written ?? ""}`;
}

function textReader(text: string, scope: Scope, label: string): Reader<string> {
  const template = compileTemplate(text, scope);
  return (context) => {
    const value = renderJson(template, context);
    if (typeof value === "string") return value;
    const cause = isEvaluationError(value) ? value.message : `expected string, got ${goType(value)}`;
    return new EvaluationError(`${label}: ${cause}`);
  };
}

/** @param label of a failed substitution; absent where upstream adds nothing to it */
function objectReader(document: JsonObject, scope: Scope, label: string | undefined): Reader<JsonObject> {
  const template = compileTemplate(document, scope);
  return (context) => {
    const value = renderJson(template, context);
    if (isEvaluationError(value)) {
      return label === undefined ? value : new EvaluationError(`${label}: ${value.message}`);
    }
    return isObject(value) ? value : {};
  };
}

function pathReader(path: string | undefined, scope: Scope, label: string): Reader<Json> | undefined {
  return path === undefined || path === "" ? undefined : textReader(path, scope, label);
}
