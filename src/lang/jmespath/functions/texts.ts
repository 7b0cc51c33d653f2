/**
 * Functions on texts. Upper and lower case go code point by code point, without the rules of a language; replacements
 * charge for what they build before they build it, since nested ones grow fast.
 */
import { compareKeys } from "#json";
import type { QueryRun } from "../query-run.ts";
import { foldCase, lowerCase, upperCase } from "../values/letter-case.ts";
import type { FunctionDefinition } from "./definition.ts";
import { NUMBER, STRING, numberAt, textAt } from "./definition.ts";

const startsWith: FunctionDefinition = {
  name: "starts_with",
  parameters: [STRING, STRING],
  returns: ["boolean"],
  note: "whether the first text begins with the second",
  call: (args) => textAt(args, 0).startsWith(textAt(args, 1)),
};

const endsWith: FunctionDefinition = {
  name: "ends_with",
  parameters: [STRING, STRING],
  returns: ["boolean"],
  note: "whether the first text ends with the second",
  call: (args) => textAt(args, 0).endsWith(textAt(args, 1)),
};

const compare: FunctionDefinition = {
  name: "compare",
  parameters: [STRING, STRING],
  returns: ["number"],
  note: "-1, 0 or 1: the order of two texts by their bytes",
  call: (args) => Math.sign(compareKeys(textAt(args, 0), textAt(args, 1))),
};

const equalFold: FunctionDefinition = {
  name: "equal_fold",
  parameters: [STRING, STRING],
  returns: ["boolean"],
  note: "whether two texts are equal but for upper and lower case",
  call: (args) => foldCase(textAt(args, 0)) === foldCase(textAt(args, 1)),
};

const toUpper: FunctionDefinition = {
  name: "to_upper",
  parameters: [STRING],
  returns: ["string"],
  note: "the text in upper case",
  call: (args, run) => {
    run.budget.charge(textAt(args, 0).length >> 5);
    return upperCase(textAt(args, 0));
  },
};

const toLower: FunctionDefinition = {
  name: "to_lower",
  parameters: [STRING],
  returns: ["string"],
  note: "the text in lower case",
  call: (args, run) => {
    run.budget.charge(textAt(args, 0).length >> 5);
    return lowerCase(textAt(args, 0));
  },
};

const trim: FunctionDefinition = {
  name: "trim",
  parameters: [STRING, STRING],
  returns: ["string"],
  note: "the text without the characters of the second one at both ends",
  call: (args) => {
    const characters = [...textAt(args, 0)];
    const cut = new Set(textAt(args, 1));
    const first = characters.findIndex((character) => !cut.has(character));
    const last = characters.findLastIndex((character) => !cut.has(character));
    return first === -1 ? "" : characters.slice(first, last + 1).join("");
  },
};

const trimPrefix: FunctionDefinition = {
  name: "trim_prefix",
  parameters: [STRING, STRING],
  returns: ["string"],
  note: "the text without the second one at its beginning, once",
  call: (args) => {
    const [text, prefix] = [textAt(args, 0), textAt(args, 1)];
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  },
};

const split: FunctionDefinition = {
  name: "split",
  parameters: [STRING, STRING],
  returns: ["array"],
  note: "the parts of a text between separators; an empty separator gives its characters",
  call: (args, run) => {
    const [text, separator] = [textAt(args, 0), textAt(args, 1)];
    const parts = separator === "" ? [...text] : text.split(separator);
    run.budget.charge(parts.length);
    return parts;
  },
};

const truncate: FunctionDefinition = {
  name: "truncate",
  parameters: [STRING, NUMBER],
  returns: ["string"],
  note: "at most so many characters of a text",
  call: (args) => {
    const length = Math.max(0, Math.trunc(numberAt(args, 1)));
    const text = textAt(args, 0);
    return text.length <= length ? text : [...text].slice(0, length).join("");
  },
};

const replace: FunctionDefinition = {
  name: "replace",
  parameters: [STRING, STRING, STRING, NUMBER],
  returns: ["string"],
  note: "the first so many occurrences of the second text replaced by the third; all for a negative number",
  call: (args, run) => {
    const count = Math.trunc(numberAt(args, 3));
    const limit = count < 0 ? Number.POSITIVE_INFINITY : count;
    return replaceText({ text: textAt(args, 0), old: textAt(args, 1), by: textAt(args, 2), limit }, run);
  },
};

const replaceAll: FunctionDefinition = {
  name: "replace_all",
  parameters: [STRING, STRING, STRING],
  returns: ["string"],
  note: "every occurrence of the second text replaced by the third",
  call: (args, run) => {
    const limit = Number.POSITIVE_INFINITY;
    return replaceText({ text: textAt(args, 0), old: textAt(args, 1), by: textAt(args, 2), limit }, run);
  },
};

type Replacement = {
  readonly text: string;
  readonly old: string;
  readonly by: string;
  readonly limit: number;
};

/** An empty text to replace stands before every character and at the end. SPEC: strings `Replace`. */
function replaceText({ text, old, by, limit }: Replacement, run: QueryRun): string {
  const parts = old === "" ? ["", ...text] : text.split(old);
  if (old === "" && text !== "") parts.push("");
  const splits = Math.min(parts.length - 1, limit);
  run.budget.charge(parts.length + ((text.length + splits * by.length) >> 4));
  if (old === "" && text === "") return limit > 0 ? by : "";
  const rest = parts.slice(splits).join(old);
  return splits === 0 ? text : parts.slice(0, splits).join(by) + by + rest;
}

export const textFunctions: readonly FunctionDefinition[] = [
  compare,
  endsWith,
  equalFold,
  replace,
  replaceAll,
  split,
  startsWith,
  toLower,
  toUpper,
  trim,
  trimPrefix,
  truncate,
];
