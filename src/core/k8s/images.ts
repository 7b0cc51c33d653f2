/**
 * The images of a workload, as policies see them under `images`: by list (`containers`, `initContainers`,
 * `ephemeralContainers`, or the name that a rule's `imageExtractors` give), then by container. One image that cannot be
 * parsed spoils the whole answer, as upstream: a policy must not judge half a pod.
 * SPEC: pkg/utils/api image extraction of Kyverno 1.19; kyverno-surface.md section 4.2.
 */
import type { Json, JsonObject } from "#json";
import { isArray, isObject, member } from "#json";
import { parseImageReference } from "#text";
import { containerLists, podSpecPath } from "./pod-spec.ts";

/** Why the images of an object cannot be told; `message` is upstream's text. */
export class ImageExtractionError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Applies an extractor's `jmesPath` to an image; injected, because this layer knows no queries. */
export type ImageQuery = (query: string, image: string) => string | ImageExtractionError;

type Extractor = {
  readonly name: string;
  readonly fields: readonly string[];
  /** Member that names the image; empty: its pointer does. */
  readonly key: string;
  readonly value: string;
  readonly jmesPath: string;
};

type Walk = {
  readonly extractor: Extractor;
  readonly found: Record<string, JsonObject>;
  readonly applyQuery: ImageQuery | undefined;
};

/**
 * The value of `images` for an object: `{ containers: { app: { registry, path, name, tag, digest, reference,
 * referenceWithTag, jsonPointer } } }`. Lists without images are left out, so are an empty tag and digest; a kind
 * without images gives `{}`.
 * @param extractors a rule's `imageExtractors` as authored, by kind; they replace the built-in ones of that kind
 */
export function extractImages(
  object: JsonObject,
  kind: string,
  extractors?: JsonObject,
  applyQuery?: ImageQuery,
): JsonObject | ImageExtractionError {
  const list = extractorsFor(kind, extractors);
  if (list instanceof ImageExtractionError) return list;
  const images: Record<string, JsonObject> = {};
  for (const extractor of list) {
    const found: Record<string, JsonObject> = {};
    const error = walk(object, [], { extractor, found, applyQuery });
    if (error !== undefined) return error;
    if (Object.keys(found).length > 0) images[extractor.name] = found;
  }
  return images;
}

function extractorsFor(
  kind: string,
  custom: JsonObject | undefined,
): readonly Extractor[] | ImageExtractionError {
  const rows = custom === undefined ? undefined : member(custom, kind);
  if (isArray(rows)) {
    if (rows.length === 0) return new ImageExtractionError(`no extractors found for ${kind}`);
    return rows.filter(isObject).map(decodeExtractor);
  }
  const path = podSpecPath(kind);
  if (path === undefined) return [];
  return containerLists.map((list) => ({
    name: list,
    fields: [...path, list, "*"],
    key: "name",
    value: "image",
    jmesPath: "",
  }));
}

/** Without `value` the last step of the path is the member that holds the image. */
function decodeExtractor(row: JsonObject): Extractor {
  const steps = text(row, "path")
    .split("/")
    .map((step) => step.replace(/^ +| +$/g, ""))
    .filter((step) => step !== "");
  const value = text(row, "value");
  return {
    name: text(row, "name") || "custom",
    fields: value === "" ? steps.slice(0, -1) : steps,
    key: text(row, "key"),
    value: value === "" ? (steps.at(-1) ?? "") : value,
    jmesPath: text(row, "jmesPath"),
  };
}

function text(row: JsonObject, key: string): string {
  const value = member(row, key);
  return typeof value === "string" ? value : "";
}

function walk(at: Json | undefined, path: readonly string[], state: Walk): ImageExtractionError | undefined {
  if (at === undefined || at === null) return undefined;
  const step = state.extractor.fields[path.length];
  if (step === "*") return walkAll(at, path, state);
  if (!isObject(at)) return new ImageExtractionError("invalid image config");
  if (step === undefined) return readImage(at, path, state);
  return walk(member(at, step), [...path, step], state);
}

function walkAll(at: Json, path: readonly string[], state: Walk): ImageExtractionError | undefined {
  if (!isArray(at) && !isObject(at)) return new ImageExtractionError("invalid type");
  for (const [key, item] of Object.entries(at)) {
    const error = walk(item, [...path, key], state);
    if (error !== undefined) return error;
  }
  return undefined;
}

function readImage(
  holder: JsonObject,
  path: readonly string[],
  state: Walk,
): ImageExtractionError | undefined {
  const { extractor } = state;
  const pointer = `/${path.join("/")}/${extractor.value}`;
  const key = extractor.key === "" ? pointer : member(holder, extractor.key);
  if (typeof key !== "string") return new ImageExtractionError("invalid key");
  const written = member(holder, extractor.value);
  if (typeof written !== "string" || written.trim() === "") return undefined;
  const image = extractor.jmesPath === "" ? written : applied(extractor.jmesPath, written, state.applyQuery);
  if (image instanceof ImageExtractionError) return image;
  const described = describeImage(image, pointer);
  if (described instanceof ImageExtractionError) return described;
  state.found[key] = described;
  return undefined;
}

function applied(
  query: string,
  image: string,
  applyQuery: ImageQuery | undefined,
): string | ImageExtractionError {
  return (
    applyQuery?.(query, image) ??
    new ImageExtractionError(`invalid jmespath ${query}: queries are not available here`)
  );
}

/** SPEC: the order of upstream's fields; a tag or digest that is empty is left out. */
function describeImage(image: string, jsonPointer: string): JsonObject | ImageExtractionError {
  const parsed = parseImageReference(image);
  if ("error" in parsed) return new ImageExtractionError(`invalid image '${image}' (${parsed.error})`);
  const { tag, digest, ...parts } = parsed;
  return { ...parts, ...(tag === "" ? {} : { tag }), ...(digest === "" ? {} : { digest }), jsonPointer };
}
