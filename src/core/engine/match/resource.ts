/**
 * What matching reads of an object. Upstream's accessors take a member of the wrong type for absent, and a map with one
 * value that is no string for empty; matching must not be stricter than that, or a broken object would slip past.
 * SPEC: apimachinery unstructured.Unstructured (GetName, GetNamespace, GetLabels, GetAnnotations).
 */
import type { Json, JsonObject } from "#json";
import { isObject, member } from "#json";
import type { EvaluationRequest } from "../request.ts";

export type StringMap = Readonly<Record<string, string>>;

const EMPTY: StringMap = {};

/** The object that a rule is matched against: on DELETE the old one. */
export function matchedResource(request: EvaluationRequest): JsonObject | null {
  return request.object ?? request.oldObject;
}

export function kindOf(resource: JsonObject): string {
  return stringMember(resource, "kind");
}

/** `metadata.name`, or the prefix of the name that the server will generate. */
export function nameOf(resource: JsonObject): string {
  return metadataText(resource, "name") || metadataText(resource, "generateName");
}

export function namespaceOf(resource: JsonObject): string {
  return metadataText(resource, "namespace");
}

/** The namespace that `namespaces` looks at: a Namespace is in itself. */
export function matchedNamespaceOf(resource: JsonObject): string {
  return metadataText(resource, kindOf(resource) === "Namespace" ? "name" : "namespace");
}

export function labelsOf(resource: JsonObject): StringMap {
  return metadataMap(resource, "labels");
}

export function annotationsOf(resource: JsonObject): StringMap {
  return metadataMap(resource, "annotations");
}

function metadataText(resource: JsonObject, key: string): string {
  const metadata = member(resource, "metadata");
  return isObject(metadata) ? stringMember(metadata, key) : "";
}

function metadataMap(resource: JsonObject, key: string): StringMap {
  const metadata = member(resource, "metadata");
  const map = isObject(metadata) ? member(metadata, key) : undefined;
  return isStringMap(map) ? map : EMPTY;
}

function isStringMap(value: Json | undefined): value is StringMap {
  if (!isObject(value)) return false;
  for (const key in value) if (typeof value[key] !== "string") return false;
  return true;
}

function stringMember(object: JsonObject, key: string): string {
  const value = member(object, key);
  return typeof value === "string" ? value : "";
}
