/** Texts of objects that nobody has checked: a member of another type counts as absent, as upstream has it. */
import type { JsonObject } from "#json";
import { isObject, member } from "#json";

/** The text at `key`; empty where there is none. */
export function textMember(object: JsonObject, key: string): string {
  const value = member(object, key);
  return typeof value === "string" ? value : "";
}

/** A text of `metadata`; empty where there is none. */
export function metadataText(resource: JsonObject, key: string): string {
  const metadata = member(resource, "metadata");
  return isObject(metadata) ? textMember(metadata, key) : "";
}

/** `metadata.name`, or the prefix of the name that the server would make. */
export function resourceName(resource: JsonObject): string {
  return metadataText(resource, "name") || metadataText(resource, "generateName");
}
