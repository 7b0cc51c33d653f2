/**
 * Regular expressions of users: RE2, in time linear in the text, never JavaScript's. Compiling is dear, so a pattern
 * that stands in the expression is compiled with it, and others are kept for as long as they are few.
 */
import { RE2JS } from "re2js";
import type { QueryError } from "../query-error.ts";
import { failed } from "../query-error.ts";

export type RegularExpression = RE2JS;

/** The error is Go's, `error parsing regexp: …`; `label` stands before it. */
export function compileRegex(pattern: string, label: string): RegularExpression | QueryError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return failed(label + (error instanceof Error ? error.message : String(error)));
  }
}

const KEPT = 32;

/** A compiler of patterns that are not known beforehand; remembers the last few. */
export function regexCache(label: string): (pattern: string) => RegularExpression | QueryError {
  const kept = new Map<string, RegularExpression | QueryError>();
  return (pattern) => {
    const known = kept.get(pattern);
    if (known !== undefined) return known;
    const compiled = compileRegex(pattern, label);
    if (kept.size >= KEPT) kept.clear();
    kept.set(pattern, compiled);
    return compiled;
  };
}

/**
 * Every match replaced by what `expand` gives for it. An empty match right behind another match does not count.
 * SPEC: regexp `ReplaceAllString`.
 */
export function replaceMatches(
  regex: RegularExpression,
  text: string,
  expand: (group: (index: number | string) => string) => string,
): string {
  const matcher = regex.matcher(text);
  let built = "";
  let copied = 0;
  let lastEnd = -1;
  let from = 0;
  while (from <= text.length && matcher.find(from)) {
    const [start, end] = [matcher.start(), matcher.end()];
    built += text.slice(copied, start);
    if (end > lastEnd || start === 0) built += expand((index) => groupOf(matcher, index));
    copied = end;
    lastEnd = end;
    from = Math.max(end, from + characterLength(text, from));
  }
  return built + text.slice(copied);
}

type Groups = {
  readonly group: (index: number | string) => string | null;
  readonly groupCount: () => number;
};

function groupOf(
  matcher: Groups & { readonly getNamedGroups: () => object },
  index: number | string,
): string {
  const known = typeof index === "number" ? index <= matcher.groupCount() : index in matcher.getNamedGroups();
  return known ? (matcher.group(index) ?? "") : "";
}

function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Go's templates: `$1`, `${1}`, `$name`, `$$`; a name is as long as it can be. SPEC: regexp `Expand`. */
export function expandTemplate(template: string, group: (index: number | string) => string): string {
  return template.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    if (name === undefined) return "$";
    return group(/^\d+$/.test(name) ? Number(name) : name);
  });
}
