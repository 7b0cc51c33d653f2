/**
 * What every document has around its spec: known fields at its root, and `metadata` as far as a policy needs it: a name,
 * a namespace, and text in labels and annotations.
 */
import type { Json, JsonObject } from "#json";
import { appendPointer } from "#json";
import { checkShape, missingField, unknownField } from "./check-shape.ts";
import { field, objectField, textField, textMapField } from "./fields.ts";
import type { Findings } from "./findings.ts";

export type Metadata = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};

/** @param root pointer of the object that has the metadata */
export function decodeMetadata(document: JsonObject, root: string, findings: Findings): Metadata {
  checkRoot(document, root, findings);
  const pointer = appendPointer(root, "metadata");
  const metadata = objectField(document, "metadata") ?? {};
  const present: Json = field(document, "metadata") ?? {};
  checkShape(present, "{}any", pointer, findings);
  for (const [key, type] of metadataTypes) {
    const value = field(metadata, key);
    if (value !== undefined) checkShape(value, type, appendPointer(pointer, key), findings);
  }
  const name = textField(metadata, "name") ?? "";
  if ((field(metadata, "name") ?? "") === "") missingField("name", pointer, findings);
  const namespace = textField(metadata, "namespace");
  return {
    name,
    ...(namespace === undefined || namespace === "" ? {} : { namespace }),
    labels: textMapField(metadata, "labels") ?? {},
    annotations: textMapField(metadata, "annotations") ?? {},
  };
}

const rootFields: readonly string[] = ["apiVersion", "kind", "metadata", "spec", "status"];

function checkRoot(document: JsonObject, root: string, findings: Findings): void {
  for (const key of Object.keys(document)) {
    if (!rootFields.includes(key)) unknownField(key, rootFields, appendPointer(root, key), findings);
  }
  if (field(document, "spec") === undefined) missingField("spec", root, findings);
}

const metadataTypes: readonly (readonly [string, string])[] = [
  ["name", "string"],
  ["namespace", "string"],
  ["labels", "{}string"],
  ["annotations", "{}string"],
];
