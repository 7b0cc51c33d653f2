/**
 * Regular expressions, wildcards and version ranges. Patterns that stand in the expression are compiled with it. A
 * number in place of a text is printed in float32 precision first, as upstream does.
 */
import { plainText, type Json } from "#json";
import { compileWildcard, matchWildcard, parseSemver, parseSemverRange, semverRangeError } from "#text";
import { QueryError, failed } from "../query-error.ts";
import type { QueryRun } from "../query-run.ts";
import { formatFloat32 } from "../values/float32-text.ts";
import { randomText } from "../values/random-text.ts";
import { compileRegex, expandTemplate, regexCache, replaceMatches } from "../values/regular-expression.ts";
import type { RegularExpression } from "../values/regular-expression.ts";
import type { FunctionBody, FunctionDefinition } from "./definition.ts";
import { STRING, STRING_OR_NUMBER, argument, textAt } from "./definition.ts";

type Compiled = (pattern: string, run: QueryRun) => RegularExpression | QueryError;

/** A body for a pattern that is known, or for one that is met when the function is called. */
function withRegex(label: string, body: (compiled: Compiled) => FunctionBody): Specialised {
  return {
    call: body((pattern, run) => compileNow(pattern, run, regexCache(label))),
    specialise: ([pattern]) => {
      if (typeof pattern !== "string") {
        const cache = regexCache(label);
        return body((text, run) => compileNow(text, run, cache));
      }
      const compiled = compileRegex(pattern, label);
      return body(() => compiled);
    },
  };
}

/** Compiling takes some microseconds and more for each character. */
function compileNow(
  pattern: string,
  run: QueryRun,
  compile: (pattern: string) => RegularExpression | QueryError,
): RegularExpression | QueryError {
  run.budget.charge(50 + pattern.length);
  return compile(pattern);
}

type Specialised = Required<Pick<FunctionDefinition, "call" | "specialise">>;

const regexMatch: FunctionDefinition = {
  name: "regex_match",
  parameters: [STRING, STRING_OR_NUMBER],
  returns: ["boolean"],
  note: "whether a regular expression (RE2) matches somewhere in a text",
  ...withRegex("", (compiled) => (args, run) => {
    const regex = compiled(textAt(args, 0), run);
    if (regex instanceof QueryError) return regex;
    const text = asText(argument(args, 1));
    chargeFor(text, run, regex.programSize());
    return regex.test(text);
  }),
};

const regexReplaceAll: FunctionDefinition = {
  name: "regex_replace_all",
  parameters: [STRING, STRING_OR_NUMBER, STRING_OR_NUMBER],
  returns: ["string"],
  note: "every match of a regular expression (RE2) replaced; `$1`, `${1}` and `${name}` in the replacement stand for groups",
  ...withRegex(
    "JMESPath function 'regex_replace_all': ",
    (compiled) => (args, run) =>
      replaceAll(compiled(textAt(args, 0), run), args, run, (template, group) =>
        expandTemplate(template, group),
      ),
  ),
};

const regexReplaceAllLiteral: FunctionDefinition = {
  name: "regex_replace_all_literal",
  parameters: [STRING, STRING_OR_NUMBER, STRING_OR_NUMBER],
  returns: ["string"],
  note: "every match of a regular expression (RE2) replaced by a text as it stands",
  ...withRegex(
    "JMESPath function 'regex_replace_all_literal': ",
    (compiled) => (args, run) => replaceAll(compiled(textAt(args, 0), run), args, run, (text) => text),
  ),
};

function replaceAll(
  regex: RegularExpression | QueryError,
  args: readonly Json[],
  run: QueryRun,
  expand: (template: string, group: (index: number | string) => string) => string,
): Json | QueryError {
  if (regex instanceof QueryError) return regex;
  const text = asText(argument(args, 1));
  const template = asText(argument(args, 2));
  chargeFor(text, run, regex.programSize());
  return replaceMatches(regex, text, (group) => {
    const replacement = expand(template, group);
    run.budget.charge(1 + (replacement.length >> 4));
    return replacement;
  });
}

function asText(value: Json): string {
  return typeof value === "number" ? formatFloat32(value) : plainText(value);
}

/** Linear in the text, a few operations a character; at worst in the size of the expression as well. */
function chargeFor(text: string, run: QueryRun, programSize: number = 0): void {
  run.budget.charge(1 + ((text.length * (1 + (programSize >> 6))) >> 2));
}

const patternMatch: FunctionDefinition = {
  name: "pattern_match",
  parameters: [STRING, STRING_OR_NUMBER],
  returns: ["boolean"],
  note: "whether a wildcard pattern (`*` and `?`) matches a whole text",
  call: (args, run) => {
    const text = asText(argument(args, 1));
    chargeFor(text, run);
    return matchWildcard(textAt(args, 0), text);
  },
  specialise: ([pattern]) => {
    if (typeof pattern !== "string") return patternMatch.call;
    const matches = compileWildcard(pattern);
    return (args, run) => {
      const text = asText(argument(args, 1));
      chargeFor(text, run);
      return matches(text);
    };
  },
};

const semverCompare: FunctionDefinition = {
  name: "semver_compare",
  parameters: [STRING, STRING],
  returns: ["boolean"],
  note: "whether a version is in a range (`>=1.0.0 <2.0.0 || 3.x`); what is no version counts as 0.0.0",
  call: (args) => compareVersion(textAt(args, 0), parseSemverRange(textAt(args, 1)), textAt(args, 1)),
  specialise: ([, range]) => {
    if (typeof range !== "string") return semverCompare.call;
    const test = parseSemverRange(range);
    return (args) => compareVersion(textAt(args, 0), test, range);
  },
};

const ZERO = parseSemver("0.0.0");

function compareVersion(
  text: string,
  test: ReturnType<typeof parseSemverRange>,
  range: string,
): ReturnType<FunctionBody> {
  if (test === undefined) return failed(semverRangeError(range) ?? "");
  const version = parseSemver(text) ?? ZERO;
  return version !== undefined && test(version);
}

const random: FunctionDefinition = {
  name: "random",
  parameters: [STRING],
  returns: ["string"],
  note: "a random text that a regular expression matches",
  call: (args, run) => {
    const pattern = textAt(args, 0);
    if (pattern === "") return failed("no pattern provided");
    const regex = compileRegex(pattern, "");
    return regex instanceof QueryError ? regex : randomText(pattern, run);
  },
};

export const patternFunctions: readonly FunctionDefinition[] = [
  patternMatch,
  random,
  regexMatch,
  regexReplaceAll,
  regexReplaceAllLiteral,
  semverCompare,
];
