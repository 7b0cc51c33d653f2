/**
 * Resources from files, streamed: a batch is what one read of a file gave, and is let go before the next is read. Broken
 * documents are problems with their place, and never stop the others.
 * SPEC: kyverno-surface.md section 8.1 (resources): objects of namespaced kinds without a namespace are in `default`.
 */
import { Fault } from "#diag";
import type { Json, JsonObject } from "#json";
import { isArray, isObject, member, readYaml, yamlLimits } from "#json";
import { gvkOf, isNamespaced } from "#k8s";
import type { DocumentText } from "#platform";
import { readDocumentTexts } from "#platform";
import { findInputs } from "./find-inputs.ts";
import { normalizeNulls } from "./normalize-nulls.ts";
import type { Problem, SourceText } from "./problem.ts";
import { faultProblem, placeProblem } from "./problem.ts";

export type LoadedResource = {
  readonly resource: JsonObject;
  readonly source: SourceText;
  /** Within `source.text`. */
  readonly document: number;
  /** Pointer of the object in its document: not empty for the items of a List. */
  readonly pointer: string;
};

export type ResourceBatch = {
  readonly resources: readonly LoadedResource[];
  readonly problems: readonly Problem[];
  /** UTF-16 units of text that the batch was read from. */
  readonly units: number;
};

/** All resources of files, folders, patterns and `-`, in order. Lists are taken apart. */
export async function* readResources(paths: readonly string[]): AsyncGenerator<ResourceBatch> {
  const { inputs, problems } = findInputs(paths, { json: true });
  if (problems.length > 0) yield { resources: [], problems, units: 0 };
  for (const { file } of inputs) yield* readResourceFile(file);
}

async function* readResourceFile(file: string): AsyncGenerator<ResourceBatch> {
  try {
    for await (const texts of readDocumentTexts(file, yamlLimits.maxLength)) yield decodeTexts(texts);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield { resources: [], problems: [faultProblem(file, error)], units: 0 };
  }
}

function decodeTexts(texts: readonly DocumentText[]): ResourceBatch {
  const resources: LoadedResource[] = [];
  const problems: Problem[] = [];
  let units = 0;
  for (const text of texts) {
    units += text.text.length;
    if (text.oversized) problems.push(oversizedProblem(text));
    else decodeText(text, resources, problems);
  }
  return { resources, problems, units };
}

function oversizedProblem(source: DocumentText): Problem {
  const size = Math.floor(yamlLimits.maxLength / 1024 / 1024);
  const line = source.linesBefore() + 1;
  const start = { line, column: 1, offset: source.offset };
  return {
    diagnostic: {
      code: "yaml/too-large",
      severity: "error",
      message: `the document is larger than ${size} MiB`,
      file: source.file,
      span: { start, end: start },
    },
  };
}

function decodeText(source: SourceText, resources: LoadedResource[], problems: Problem[]): void {
  for (const step of readYaml(source.text, source.file)) {
    for (const diagnostic of step.diagnostics) problems.push({ diagnostic, source });
    if (step.document === undefined) continue;
    const { value, index } = step.document;
    decodeResource({ source, document: index, pointer: "" }, value, { resources, problems });
  }
}

type Place = Omit<LoadedResource, "resource">;
type Found = { readonly resources: LoadedResource[]; readonly problems: Problem[] };

function decodeResource(place: Place, value: Json, found: Found): void {
  if (value === null) return;
  const problem = identityProblem(place, value);
  if (problem !== undefined || !isObject(value)) {
    if (problem !== undefined) found.problems.push(problem);
    return;
  }
  const items = listItems(value);
  if (items === undefined) {
    found.resources.push({ ...place, resource: normalizeResource(value) });
    return;
  }
  for (const [index, item] of items.entries()) {
    decodeResource({ ...place, pointer: `${place.pointer}/items/${index}` }, withTypeOf(value, item), found);
  }
}

function identityProblem({ source, document, pointer }: Place, value: Json): Problem | undefined {
  if (!isObject(value)) {
    return placeProblem(source, document, pointer, {
      code: "resource/not-an-object",
      message: `a Kubernetes object is expected here, this is ${isArray(value) ? "a list" : `the ${typeof value} \`${String(value).slice(0, 40)}\``}`,
    });
  }
  for (const key of ["kind", "apiVersion"]) {
    const text = member(value, key);
    if (typeof text === "string" && text !== "") continue;
    const name = nameOf(value);
    return placeProblem(source, document, text === undefined ? pointer : `${pointer}/${key}`, {
      code: "resource/no-kind",
      message: `the resource${name === "" ? "" : ` \`${name}\``} has no \`${key}\``,
      help: "every Kubernetes object says what it is: `apiVersion: v1` and `kind: Pod`",
    });
  }
  return undefined;
}

function nameOf(value: JsonObject): string {
  const metadata = member(value, "metadata");
  const name = isObject(metadata) ? member(metadata, "name") : undefined;
  return typeof name === "string" ? name : "";
}

/** `kubectl get -o yaml` prints a List: no server keeps one, so its items are what is meant. */
function listItems(value: JsonObject): readonly Json[] | undefined {
  const kind = member(value, "kind");
  const items = member(value, "items");
  return typeof kind === "string" && kind.endsWith("List") && isArray(items) ? items : undefined;
}

/** The items of a `PodList` do not repeat their kind. */
function withTypeOf(list: JsonObject, item: Json): Json {
  const kind = member(list, "kind");
  if (!isObject(item) || member(item, "kind") !== undefined || typeof kind !== "string" || kind === "List")
    return item;
  return { apiVersion: list["apiVersion"] ?? "", kind: kind.slice(0, -"List".length), ...item };
}

/** The object as an API server would keep it: in a namespace where its kind has one, without nulls for maps. */
export function normalizeResource(value: JsonObject): JsonObject {
  const resource = normalizeNulls(value);
  const metadata = member(resource, "metadata");
  const { apiVersion, kind } = resource;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return resource;
  const given = isObject(metadata) ? metadata : {};
  const namespace = member(given, "namespace");
  if (typeof namespace === "string" && namespace !== "") return resource;
  if (!isNamespaced(gvkOf(apiVersion, kind))) return resource;
  return { ...resource, metadata: { ...given, namespace: "default" } };
}
