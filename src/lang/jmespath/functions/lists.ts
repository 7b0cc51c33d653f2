/** Functions on lists, or on lists and texts alike. None changes its arguments. */
import type { Json } from "#json";
import { compareKeys, isArray, isObject, plainText } from "#json";
import { failed } from "../query-error.ts";
import { isPlainObject } from "../values/expression.ts";
import { isPairList, refusePairs } from "../values/pair-list.ts";
import type { FunctionBody, FunctionDefinition } from "./definition.ts";
import { ANY, argument, listAt, textAt } from "./definition.ts";

const contains: FunctionDefinition = {
  name: "contains",
  parameters: [["array", "string"], ANY],
  returns: ["boolean"],
  note: "whether a text holds another one, or a list an equal element; lists and objects cannot be looked for",
  call: (args, run) => {
    const [whole, part] = [argument(args, 0), argument(args, 1)];
    if (!isArray(whole)) return typeof part === "string" && textAt(args, 0).includes(part);
    run.budget.charge(whole.length);
    const refused = refusePairs(whole);
    if (refused !== undefined) return refused;
    if (part !== null && typeof part === "object") return refuseNested(whole, part);
    return whole.includes(part);
  },
};

/** Upstream's comparison panics on two lists or two objects. */
function refuseNested(list: readonly Json[], part: Json): ReturnType<FunctionBody> {
  const alike = isArray(part) ? isArray : isPlainObject;
  return list.some((item) => alike(item)) ? failed("contains cannot compare lists or objects") : false;
}

const length: FunctionDefinition = {
  name: "length",
  parameters: [["string", "array", "object"]],
  returns: ["number"],
  note: "characters of a text, elements of a list, keys of an object",
  call: (args, run) => {
    const value = argument(args, 0);
    if (isArray(value)) return value.length;
    if (typeof value !== "string") return Object.keys(isObject(value) ? value : {}).length;
    run.budget.charge(value.length >> 6);
    return characters(value);
  },
};

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const reverse: FunctionDefinition = {
  name: "reverse",
  parameters: [["array", "string"]],
  returns: ["array", "string"],
  note: "a list or a text from its end",
  call: (args, run) => {
    const value = argument(args, 0);
    if (isArray(value)) {
      run.budget.charge(value.length);
      return refusePairs(value) ?? value.toReversed();
    }
    const text = textAt(args, 0);
    run.budget.charge(text.length >> 3);
    return [...text].toReversed().join("");
  },
};

const join: FunctionDefinition = {
  name: "join",
  parameters: [["string"], ["array[string]"]],
  returns: ["string"],
  note: "the texts of a list with a separator between them; the separator comes first",
  call: (args, run) => {
    const separator = textAt(args, 0);
    const texts = listAt(args, 1);
    const size = texts.reduce(
      (sum: number, text) => sum + plainText(text).length,
      separator.length * texts.length,
    );
    run.budget.charge(texts.length + (size >> 4));
    return texts.map(plainText).join(separator);
  },
};

const sort: FunctionDefinition = {
  name: "sort",
  parameters: [["array[string]", "array[number]"]],
  returns: ["array"],
  note: "a sorted copy of a list of numbers or of texts; texts by their bytes",
  call: (args, run) => {
    const list = listAt(args, 0);
    run.budget.charge(list.length * 4);
    return list.toSorted(compareScalars);
  },
};

function compareScalars(left: Json, right: Json): number {
  if (typeof left === "string" && typeof right === "string") return compareKeys(left, right);
  return Number(left) - Number(right);
}

const toArray: FunctionDefinition = {
  name: "to_array",
  parameters: [ANY],
  returns: ["array"],
  note: "a list as it is, everything else in a list of its own",
  call: (args) => {
    const value = argument(args, 0);
    return isArray(value) && !isPairList(value) ? value : [value];
  },
};

const max: FunctionDefinition = {
  name: "max",
  parameters: [["array[number]", "array[string]"]],
  returns: ["number", "string", "null"],
  note: "the largest number or text of a list; null for an empty one",
  call: (args, run) => {
    run.budget.charge(listAt(args, 0).length);
    return best(listAt(args, 0), (order) => order > 0);
  },
};

const min: FunctionDefinition = {
  name: "min",
  parameters: [["array[number]", "array[string]"]],
  returns: ["number", "string", "null"],
  note: "the smallest number or text of a list; null for an empty one",
  call: (args, run) => {
    run.budget.charge(listAt(args, 0).length);
    return best(listAt(args, 0), (order) => order < 0);
  },
};

/** The first of the best. */
function best(list: readonly Json[], isBetter: (order: number) => boolean): Json {
  let found: Json | undefined;
  for (const item of list) {
    if (found === undefined || isBetter(compareScalars(item, found))) found = item;
  }
  return found ?? null;
}

export const listFunctions: readonly FunctionDefinition[] = [
  contains,
  join,
  length,
  max,
  min,
  reverse,
  sort,
  toArray,
];
