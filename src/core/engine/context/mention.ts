/**
 * Whether the text of a query names a context entry, as a word anywhere but behind a dot: `v` is named in `x || v` and in
 * `'v'`, not in `x.v`. Upstream puts the name into a regular expression as it is, so a name with special characters is
 * one.
 * SPEC: Kyverno 1.19 pkg/engine/context/deferred.go.
 */
import { RE2JS, RE2JSSyntaxException } from "re2js";

const BEFORE = String.raw`(?:\A|\z|\s|[^.0-9A-Za-z])`;

/** A name that is no regular expression, alone or in its place, is taken as text. */
export function compileMention(name: string): (text: string) => boolean {
  if (/^[^$()*+.?[\\\]^{|}]+$/.test(name)) return (text) => mentions(text, name);
  const expression = compileExpression(`${BEFORE}${name}\\b`);
  return expression === undefined
    ? (text) => mentions(text, name)
    : (text) => expression.matcher(text).find();
}

function compileExpression(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch (thrown) {
    if (thrown instanceof RE2JSSyntaxException) return undefined;
    throw thrown;
  }
}

function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = at === 0 ? " " : text.charAt(at - 1);
    const after = text.charAt(at + name.length);
    if (!/[.0-9A-Za-z]/.test(before) && isBoundary(name.charAt(name.length - 1), after)) return true;
  }
  return false;
}

function isBoundary(last: string, next: string): boolean {
  return /\w/.test(last) !== /\w/.test(next);
}
