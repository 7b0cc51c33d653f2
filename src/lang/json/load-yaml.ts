/**
 * The one way in for YAML and JSON text. Each document of a file is parsed on its own, so a broken one costs nothing
 * but itself; whatever the text is, the answer is values and diagnostics, never an exception. JSON documents take
 * JSON.parse, which is some 20 times faster, under the same limits.
 *
 * INVARIANT: no input makes this throw, hang or use memory out of proportion to its length.
 */
import type { Diagnostic, DiagnosticCode } from "#diag";
import { YAMLException } from "js-yaml";
import type { Json } from "./json.ts";
import { repeatsKey } from "./json-members.ts";
import { LineCounter } from "./positions.ts";
import { YamlFailure, constructDocument } from "./yaml-construct.ts";
import { contentStart, documentRanges } from "./yaml-documents.ts";
import type { DocumentRange } from "./yaml-documents.ts";
import { parseDocumentEvents } from "./yaml-events.ts";

/** A document's limits: UTF-16 units of text, levels of nesting, values that its aliases may stand for. */
export const yamlLimits: {
  readonly maxLength: number;
  readonly maxDepth: number;
  readonly maxAliasedNodes: number;
} = { maxLength: 16 * 1024 * 1024, maxDepth: 1000, maxAliasedNodes: 100_000 };

export type LoadedDocument = {
  readonly value: Json;
  /** Counted over the file's documents with content, broken ones included, from 0. */
  readonly index: number;
};

export type LoadedFile = {
  readonly documents: readonly LoadedDocument[];
  readonly diagnostics: readonly Diagnostic[];
};

/** All documents of a file. Use `readYaml` where there may be many, to hold one at a time. */
export function loadYaml(text: string, file: string): LoadedFile {
  const documents: LoadedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const step of readYaml(text, file)) {
    if (step.document !== undefined) documents.push(step.document);
    diagnostics.push(...step.diagnostics);
  }
  return { documents, diagnostics };
}

/** What one document gave: its value unless it was broken, and what there is to say about it. */
export type ReadStep = {
  readonly document?: LoadedDocument;
  readonly diagnostics: readonly Diagnostic[];
};

export function* readYaml(text: string, file: string): Generator<ReadStep> {
  const lines = new LineCounter(text);
  let index = 0;
  for (const range of documentRanges(text)) {
    yield readDocument({ text, file, lines, range, index });
    index++;
  }
}

/** A text that holds a single JSON or YAML document; an empty one is null. */
export function loadOne(
  text: string,
  file: string,
): { readonly value: Json; readonly diagnostics: readonly Diagnostic[] } {
  const { documents, diagnostics } = loadYaml(text, file);
  return { value: documents[0]?.value ?? null, diagnostics };
}

type Place = {
  readonly text: string;
  readonly file: string;
  readonly lines: LineCounter;
  readonly range: DocumentRange;
  readonly index: number;
};

const NOTHING: readonly Diagnostic[] = [];

function readDocument(place: Place): ReadStep {
  const { text, range, index } = place;
  if (range.end - range.start > yamlLimits.maxLength) {
    const size = Math.floor(yamlLimits.maxLength / (1024 * 1024));
    return broken(
      place,
      "yaml/too-large",
      contentStart(text, range.start, range.end),
      `the document is larger than ${size} MiB`,
    );
  }
  const start = contentStart(text, range.start, range.end);
  const first = text.charCodeAt(start);
  if (first === 0x7b || first === 0x5b) {
    const source = text.slice(start, range.end);
    const value = decodeJson(source);
    const step = value === undefined ? undefined : jsonStep(place, start, value);
    // The parser of YAML takes the same document, and can say which key stands twice and where.
    if (step !== undefined && (step.document === undefined || !repeatsKey(source, step.document.value)))
      return step;
  }
  try {
    const parsed = parseDocumentEvents(text.slice(range.start, range.end), yamlLimits.maxDepth);
    const { value, duplicates } = constructDocument(parsed, yamlLimits.maxAliasedNodes);
    if (duplicates.length === 0) return { document: { value, index }, diagnostics: NOTHING };
    const diagnostics = duplicates.map(({ key, offset }) =>
      complain(
        place,
        "yaml/duplicate-key",
        range.start + offset,
        `key \`${key}\` stands twice in this mapping`,
      ),
    );
    return { document: { value, index }, diagnostics };
  } catch (error) {
    return brokenBy(place, error);
  }
}

function decodeJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON after all: flow-style YAML begins the same way, and YAML's parser says better what is wrong.
    return undefined;
  }
}

function jsonStep(place: Place, start: number, value: Json): ReadStep {
  const fault = findFault(value, yamlLimits.maxDepth);
  if (fault === undefined) return { document: { value, index: place.index }, diagnostics: NOTHING };
  if (fault === "depth") return broken(place, "yaml/too-large", start, TOO_DEEP);
  return broken(place, "yaml/syntax", start, "the document has a number that is out of range");
}

const TOO_DEEP = `the document is nested deeper than ${yamlLimits.maxDepth} levels`;

function findFault(value: Json, levels: number): "depth" | "number" | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "number";
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return "depth";
  for (const item of Object.values<Json>(value)) {
    const fault = findFault(item, levels - 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function brokenBy(place: Place, error: unknown): ReadStep {
  const { range } = place;
  if (error instanceof YamlFailure)
    return broken(place, error.code, range.start + error.offset, error.message);
  if (error instanceof YAMLException) {
    const offset = range.start + (error.mark?.position ?? 0);
    if (error.reason.startsWith("nesting exceeded")) return broken(place, "yaml/too-large", offset, TOO_DEEP);
    return {
      diagnostics: [
        { ...complain(place, "yaml/syntax", offset, error.reason), ...jsonHelp(place, error.reason) },
      ],
    };
  }
  // Only the engine's stack can fail besides: a document nested in a way that no limit above sees.
  if (error instanceof RangeError) return broken(place, "yaml/too-large", range.start, TOO_DEEP);
  throw error;
}

/** What to do where something follows a JSON value: tools print such values one after the other, YAML does not take them. */
function jsonHelp({ text, range }: Place, reason: string): Partial<Pick<Diagnostic, "help">> {
  const first = text.charCodeAt(contentStart(text, range.start, range.end));
  if ((first !== 0x7b && first !== 0x5b) || !reason.startsWith("end of the stream")) return {};
  return { help: "a document is one value: put a line `---` between JSON values that follow each other" };
}

function broken(place: Place, code: DiagnosticCode, offset: number, message: string): ReadStep {
  return { diagnostics: [complain(place, code, offset, message)] };
}

function complain(place: Place, code: DiagnosticCode, offset: number, message: string): Diagnostic {
  const { lines, file, index } = place;
  return { code, severity: "error", message, file, document: index, span: lines.span(offset, offset + 1) };
}
