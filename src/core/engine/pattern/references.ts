/**
 * References: `$(/spec/limit)` or `$(<=./../limit)` in a text of a document stands for the scalar at that place of the
 * same document, behind the operator if there is one. They are resolved in one pass, against the document as written,
 * before variables; `\$(x)` is the text `$(x)`.
 *
 * Places are paths of keys without anchors, but a relative reference starts from its own path with anchors: below an
 * anchored key it finds something only above that key. A place that is a map stands for the map's key.
 * SPEC: Kyverno 1.19 pkg/engine/variables/vars.go (substituteReferencesIfAny, resolveReference); surface 4.1.
 */
import type { TypedJson } from "#json";
import { formatFloatF } from "#text";

import { EvaluationError, isEvaluationError } from "../evaluation-error.ts";
import { bareKey } from "./anchor.ts";
import { isPatternList, isPatternMap } from "./check.ts";
import { goScalarText } from "./go-text.ts";
import { cleanPath } from "./path.ts";
import { operatorOf } from "./operator.ts";

/** The document with every reference resolved; the document itself where it has none. Errors are upstream's texts. */
export function resolveReferences(document: TypedJson): TypedJson | EvaluationError {
  return holdsMark(document) ? resolveIn(document, "", leavesOf(document)) : document;
}

/** The scalars of a document by their path; of those with the same path, the last one. */
type Leaves = ReadonlyMap<string, Scalar>;

type Scalar = Exclude<TypedJson, object> | null;

function holdsMark(value: TypedJson): boolean {
  if (typeof value === "string") return value.includes("$(");
  if (isPatternList(value)) return value.some(holdsMark);
  return (
    isPatternMap(value) && Object.entries(value).some(([key, item]) => key.includes("$(") || holdsMark(item))
  );
}

function leavesOf(document: TypedJson): Leaves {
  const leaves = new Map<string, Scalar>();
  const visit = (value: TypedJson, path: string): void => {
    if (isPatternList(value)) value.forEach((item, index) => visit(item, `${path}/${index}`));
    else if (isPatternMap(value)) {
      for (const [key, item] of Object.entries(value)) {
        leaves.set(withoutAnchors(path), key);
        visit(item, below(path, key));
      }
    } else leaves.set(withoutAnchors(path), value);
  };
  visit(document, "");
  return leaves;
}

function resolveIn(value: TypedJson, path: string, leaves: Leaves): TypedJson | EvaluationError {
  if (typeof value === "string") return resolveText(value, path, leaves);
  if (isPatternList(value)) {
    const items: TypedJson[] = [];
    for (const [index, item] of value.entries()) {
      const resolved = resolveIn(item, `${path}/${index}`, leaves);
      if (isEvaluationError(resolved)) return resolved;
      items.push(resolved);
    }
    return items;
  }
  if (!isPatternMap(value)) return value;
  const entries: [string, TypedJson][] = [];
  for (const [key, item] of Object.entries(value)) {
    const name = resolveText(key, path, leaves);
    if (isEvaluationError(name)) return name;
    const resolved = resolveIn(item, below(path, key), leaves);
    if (isEvaluationError(resolved)) return resolved;
    entries.push([name, resolved]);
  }
  return Object.fromEntries(entries);
}

function resolveText(text: string, path: string, leaves: Leaves): string | EvaluationError {
  if (!text.includes("$(")) return text;
  let out = "";
  let end = 0;
  for (const found of findReferences(text)) {
    const replacement = resolveReference(text.slice(found.start, found.end), path, leaves);
    if (isEvaluationError(replacement)) return replacement;
    out += text.slice(end, found.start) + replacement;
    end = found.end;
  }
  return withoutEscapes(out + text.slice(end));
}

function resolveReference(reference: string, path: string, leaves: Leaves): string | EvaluationError {
  const inner = reference.replace(/^[$()]+/, "").replace(/[$()]+$/, "");
  const operator = operatorOf(inner);
  const target = inner.slice(operator.length);
  if (target === "") return unresolved(reference, path, "expected path, found empty reference");
  const found = leaves.get(target.startsWith("/") ? target : cleanPath(`${path}/${target}`)) ?? null;
  if (operator !== "") {
    const text = textBehindOperator(found);
    if (text !== undefined) return operator + text;
    const problem = `operator ${operator} does not match with value ${goScalarText(found)}`;
    return unresolved(reference, path, `incorrect expression: ${problem}`);
  }
  if (typeof found === "string") return found;
  return new EvaluationError(
    found === null
      ? `got nil resolved variable ${reference} at path ${path}: <nil>`
      : `NotResolvedReferenceErr,reference ${reference} not resolved at path ${path}`,
  );
}

function unresolved(reference: string, path: string, problem: string): EvaluationError {
  return new EvaluationError(`failed to resolve ${reference} at path ${path}: ${problem}`);
}

function textBehindOperator(value: Scalar): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatFloatF(value);
  return typeof value === "bigint" ? value.toString() : undefined;
}

type Span = { readonly start: number; readonly end: number };

/**
 * References begin with `$(` at the start of the text or behind anything but a backslash, and go on to the last `)`
 * before the next space. They never touch each other.
 * PERF: linear: the run of characters up to a space is searched once, however many marks are in it.
 */
function findReferences(text: string): readonly Span[] {
  const found: Span[] = [];
  let taken = 0;
  let runEnd = 0;
  let close = 0;
  for (let start = text.indexOf("$("); start >= 0; start = text.indexOf("$(", Math.max(start + 1, taken))) {
    const rest = start + 3;
    if (rest >= runEnd) {
      const space = text.indexOf(" ", rest);
      runEnd = space < 0 ? text.length : space;
      close = rest + text.slice(rest, runEnd).lastIndexOf(")");
    }
    const apart = start === 0 || (start > taken && text[start - 1] !== "\\");
    if (!apart || close < rest || text[start + 2] === "\n") continue;
    taken = close + 1;
    found.push({ start, end: taken });
  }
  return found;
}

/** `\$(x)` becomes `$(x)`, where a `)` closes it before the next space. */
function withoutEscapes(text: string): string {
  let out = "";
  let end = 0;
  for (let at = text.indexOf("\\$("); at >= 0;) {
    const stop = indexOfEither(text, at + 4);
    const closed = text[stop] === ")" && text[at + 3] !== "\n";
    if (closed) {
      out += text.slice(end, at);
      end = at + 1;
    }
    at = text.indexOf("\\$(", closed ? stop + 1 : Math.max(at + 1, stop - 3));
  }
  return out + text.slice(end);
}

/** Index of the next space or `)`, or the length of the text. */
function indexOfEither(text: string, from: number): number {
  let index = from;
  while (index < text.length && text[index] !== " " && text[index] !== ")") index += 1;
  return Math.min(index, text.length);
}

function below(path: string, key: string): string {
  return `${path}/${key.replaceAll("/", "\\/")}`;
}

function withoutAnchors(path: string): string {
  return path === "" ? "" : cleanPath(path.split("/").map(bareKey).join("/"));
}
