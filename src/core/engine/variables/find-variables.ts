/**
 * Where the variables of a text are: `{{ … }}` without braces inside other than pairs `{ … }`, and not behind a backslash.
 * A variable has to have a character before it that no other one ends with, unless it starts the text: of `{{a}}{{b}}`
 * the first is found only, and the second once that is replaced.
 * SPEC: Kyverno 1.19 pkg/engine/variables/regex (RegexVariables); time is linear in the text.
 */

/** The texts of the variables, braces included, in their order. */
export function findVariables(text: string): readonly string[] {
  const found: string[] = [];
  let free = 0;
  for (let at = text.indexOf("{{"); at >= 0; at = text.indexOf("{{", at)) {
    const end = isOpening(text, at, free) ? variableEnd(text, at) : -1;
    if (end < 0) at += 1;
    else {
      found.push(text.slice(at, end));
      free = at = end;
    }
  }
  return found;
}

/** @param free where the last variable ended: the character before this one must not be part of that */
function isOpening(text: string, at: number, free: number): boolean {
  return at === 0 || (at > free && text.charAt(at - 1) !== "\\");
}

/** Behind the braces that close the variable at `start`; -1 where something else comes first. */
function variableEnd(text: string, start: number): number {
  let at = start + 2;
  for (;;) {
    at = nextBrace(text, at);
    if (at < 0) return -1;
    if (text.charAt(at) === "}") return text.charAt(at + 1) === "}" ? at + 2 : -1;
    const close = nextBrace(text, at + 1);
    if (close < 0 || text.charAt(close) !== "}") return -1;
    at = close + 1;
  }
}

function nextBrace(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x7b || unit === 0x7d) return at;
  }
  return -1;
}
