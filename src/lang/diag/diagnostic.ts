/**
 * A diagnostic is something that the owner of a document can fix. It is a value: collected, several per run, never
 * thrown. The place is a file, the document in it and a JSON pointer; the span is filled in late, by `locate`, only
 * for the diagnostics that are shown, so that healthy documents pay nothing for positions.
 */
import type { DiagnosticCode } from "./catalogue.ts";

export type Severity = "error" | "warning" | "info";

/** Both are counted from 1; `offset` is counted from 0 in UTF-16 units of the file's text. */
export type Position = { readonly line: number; readonly column: number; readonly offset: number };

export type Span = { readonly start: Position; readonly end: Position };

export type Diagnostic = {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One line, lower-case start, no final period, the user's words in backticks. */
  readonly message: string;
  /** As the user named it; `-` is standard input. */
  readonly file?: string;
  /** Index of the document in the file, from 0. */
  readonly document?: number;
  /** RFC 6901 pointer into that document. */
  readonly pointer?: string;
  readonly span?: Span;
  /** What to write instead, or what to do next. */
  readonly help?: string;
};

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}
