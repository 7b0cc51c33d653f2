/**
 * Context entries, compiled in the order of their declaration: each sees the ones before it. `images` is an entry that
 * every rule has.
 * SPEC: Kyverno 1.19 pkg/engine/context/loaders; kyverno-surface.md section 4.2.
 */
import { extractImages, ImageExtractionError } from "#k8s";
import type { ContextEntry } from "#policy";

import { EvaluationError } from "../evaluation-error.ts";
import { imageSource } from "./evaluation-context.ts";
import { compileLookupEntry } from "./lookup-entry.ts";
import { Scope, type EntryProgram } from "./scope.ts";
import { compileVariableEntry } from "./variable-entry.ts";

/** The scope of a rule: what it declares, on top of what every rule has. */
export function ruleScope(entries: readonly ContextEntry[], namespace: string | undefined): Scope {
  return declareEntries(new Scope(namespace).with(imagesEntry), entries);
}

/** The scope of a foreach within that around it, whose entries its own ones see. */
export function foreachScope(outer: Scope, entries: readonly ContextEntry[]): Scope {
  return declareEntries(outer.inner(), entries);
}

export function declareEntries(outer: Scope, entries: readonly ContextEntry[]): Scope {
  return entries.reduce((scope, entry) => scope.with(compileEntry(entry, scope)), outer);
}

function compileEntry(entry: ContextEntry, scope: Scope): EntryProgram {
  return entry.source.kind === "variable"
    ? compileVariableEntry(entry.name, entry.source, scope)
    : compileLookupEntry(entry.name, entry.source, scope);
}

const imagesEntry: EntryProgram = {
  name: "images",
  load(context) {
    const resource = imageSource(context);
    if (resource === null || context.isGiven("images")) return undefined;
    const images = extractImages(resource, context.run.request.kind.kind);
    if (images instanceof ImageExtractionError) return new EvaluationError(images.message);
    return Object.keys(images).length === 0 ? undefined : context.declare("images", images);
  },
};
