/** The line of a document that something is said about, with its number, and the part that is meant underlined. */
import type { Span } from "#diag";
import type { SourceText } from "../load/problem.ts";
import type { Paint } from "./paint.ts";
import { harmless } from "./paint.ts";

export type ExcerptRequest = {
  readonly source: SourceText;
  /** In the file, not in `source.text`. */
  readonly span: Span;
  readonly indent: string;
  readonly mark: (text: string) => string;
};

/** Longer lines are cut to a window around the place. */
const MAX_WIDTH = 100;

export function excerpt(request: ExcerptRequest, paint: Paint): readonly string[] {
  const { source, span, indent, mark } = request;
  const line = lineAt(source.text, span.start.offset - source.offset);
  if (line.trim() === "") return [];
  const from = Math.max(0, Math.min(span.start.column - 1 - MAX_WIDTH / 2, line.length - MAX_WIDTH));
  const shown = visible(line.slice(from, from + MAX_WIDTH));
  const column = span.start.column - 1 - from;
  const sameLine = span.end.line === span.start.line;
  const end = sameLine ? span.end.column - 1 - from : shown.trimEnd().length;
  const width = Math.max(1, Math.min(end, shown.length) - column);
  const number = String(span.start.line);
  const gutter = paint.dim("│");
  const cut = (text: string): string => `${from > 0 ? "…" : ""}${text}`;
  return [
    `${indent}${paint.dim(number)} ${gutter} ${cut(shown)}${from + MAX_WIDTH < line.length ? "…" : ""}`,
    `${indent}${" ".repeat(number.length)} ${gutter} ${" ".repeat(column + (from > 0 ? 1 : 0))}${mark("^".repeat(width))}`,
  ];
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? text.length : end);
}

/** One column a unit, so that the mark stands below its place. */
function visible(line: string): string {
  return harmless(line.replaceAll("\t", " ").replaceAll("\r", ""));
}
