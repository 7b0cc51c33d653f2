/**
 * The context file (kind Context): objects and image data that stand for a cluster and a registry.
 * SPEC: kyverno-surface.md section 8.2 (Context).
 */
import type { JsonObject } from "#json";
import { InputReader, readInputDocument } from "./document.ts";
import type { Problem } from "./problem.ts";
import { normalizeResource } from "./resources.ts";

export type ContextFile = {
  readonly resources: readonly JsonObject[];
  /** Each with `image` and what a registry says of it. */
  readonly images: readonly JsonObject[];
};

export const noContext: ContextFile = { resources: [], images: [] };

export async function loadContextFile(
  file: string,
): Promise<{ readonly context: ContextFile; readonly problems: readonly Problem[] }> {
  const { input, problems } = await readInputDocument(file, "Context");
  if (input === undefined) return { context: noContext, problems };
  const reader = new InputReader(input.source, input.document);
  reader.checkNames(input.value, "", ["apiVersion", "kind", "metadata", "spec"]);
  const spec = reader.object(input.value["spec"], "/spec");
  const context: ContextFile = {
    resources: reader
      .objects(spec["resources"], "/spec/resources")
      .map(({ value }) => normalizeResource(value)),
    images: reader.objects(spec["images"], "/spec/images").map(({ value }) => value),
  };
  return { context, problems: [...problems, ...reader.problems] };
}
