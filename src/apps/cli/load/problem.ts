/**
 * A diagnostic together with the text that it is about, so that whoever shows it can find the line. Resources are
 * streamed: their text is a part of the file, and is let go once the diagnostics about it are shown.
 */
import type { Diagnostic, DiagnosticCode, Fault, Position, Span } from "#diag";
import { readPlaces } from "#json";
import type { Places } from "#json";

/** A file's text, or a part of it that consists of whole documents. */
export type SourceText = {
  readonly file: string;
  readonly text: string;
  readonly linesBefore: () => number;
  /** UTF-16 units before `text`. */
  readonly offset: number;
};

/** The diagnostic's document and span count within `source.text`. */
export type Problem = { readonly diagnostic: Diagnostic; readonly source?: SourceText };

/** Whole text of a file as a source. */
export function wholeFile(file: string, text: string): SourceText {
  return { file, text, linesBefore: () => 0, offset: 0 };
}

/** A problem about a file as such. */
export function fileProblem(code: DiagnosticCode, file: string, message: string, help?: string): Problem {
  return {
    diagnostic: { code, severity: "error", message, file, ...(help === undefined ? {} : { help }) },
  };
}

/** What a fault of reading says, as a problem of the file. */
export function faultProblem(file: string, fault: Fault): Problem {
  const code = readCodes.find((candidate) => candidate === fault.code) ?? "file/unreadable";
  return fileProblem(code, file, fault.message);
}

const readCodes = ["file/unreadable", "file/no-match", "file/too-large"] as const;

/** A problem about a place in a document. */
export function placeProblem(
  source: SourceText,
  document: number,
  pointer: string,
  said: Pick<Diagnostic, "code" | "message"> & Partial<Pick<Diagnostic, "help" | "severity">>,
): Problem {
  return { source, diagnostic: { severity: "error", ...said, file: source.file, document, pointer } };
}

/** Where in its file a problem is; `undefined` where only the file is known. */
export function spanOf({ diagnostic, source }: Problem): Span | undefined {
  const within = diagnostic.span ?? locateIn(source, diagnostic);
  if (within === undefined || source === undefined) return within;
  const lines = source.linesBefore();
  return { start: moved(within.start, lines, source.offset), end: moved(within.end, lines, source.offset) };
}

function locateIn(source: SourceText | undefined, diagnostic: Diagnostic): Span | undefined {
  if (source === undefined || diagnostic.document === undefined) return undefined;
  return locatePlace(source, diagnostic.document, diagnostic.pointer ?? "");
}

/**
 * The place of a pointer, or of as much of it as there is: the value where it stands on the line of its key, the key where
 * the value is a block below it.
 */
export function locatePlace(source: SourceText, document: number, pointer: string): Span | undefined {
  const places = placesOf(source, document);
  const value = places?.at(pointer);
  if (value === undefined) return places?.nearest(pointer);
  const key = places?.at(pointer, "key");
  return key !== undefined && key.start.line < value.start.line ? key : value;
}

const parsed = new WeakMap<SourceText, { readonly document: number; readonly places: Places | undefined }>();

/** Several things are said of one document, one after the other: it is parsed once. */
function placesOf(source: SourceText, document: number): Places | undefined {
  const known = parsed.get(source);
  if (known?.document === document) return known.places;
  const places = readPlaces(source.text, document);
  parsed.set(source, { document, places });
  return places;
}

function moved(position: Position, lines: number, offset: number): Position {
  return { line: position.line + lines, column: position.column, offset: position.offset + offset };
}
