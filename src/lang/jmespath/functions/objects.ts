/**
 * Functions on objects. New objects are made from entries, so that a key such as `__proto__` is a key like any other.
 */
import type { Json, JsonObject } from "#json";
import { equalJson, isArray, isObject, member, sortedKeys } from "#json";
import { formatFloatV } from "#text";
import { failed } from "../query-error.ts";
import { chargeValue } from "../values/charge-value.ts";
import { formatFloat32 } from "../values/float32-text.ts";
import { goText } from "../values/go-text.ts";
import { asPairList, isPairList } from "../values/pair-list.ts";
import type { FunctionBody, FunctionDefinition } from "./definition.ts";
import { ARRAY, OBJECT, STRING, argument, functionError, listAt, objectAt, textAt } from "./definition.ts";

const keys: FunctionDefinition = {
  name: "keys",
  parameters: [OBJECT],
  returns: ["array"],
  note: "the keys of an object, in no order that should be relied on",
  call: (args, run) => {
    const names = Object.keys(objectAt(args, 0));
    run.budget.charge(names.length);
    return names;
  },
};

const values: FunctionDefinition = {
  name: "values",
  parameters: [OBJECT],
  returns: ["array"],
  note: "the values of an object, in no order that should be relied on",
  call: (args, run) => {
    const found = Object.values(objectAt(args, 0));
    run.budget.charge(found.length);
    return found;
  },
};

const merge: FunctionDefinition = {
  name: "merge",
  parameters: [OBJECT],
  variadic: true,
  returns: ["object"],
  note: "one object with the members of all; of equal keys the last one wins; nothing is merged further down",
  call: (args, run) => {
    const entries: [string, Json][] = [];
    for (const arg of args) {
      if (!isObject(arg)) return failed(() => `merge takes objects, not ${goText(arg)}`);
      entries.push(...Object.entries(arg));
      run.budget.charge(entries.length);
    }
    return Object.fromEntries(entries);
  },
};

const items: FunctionDefinition = {
  name: "items",
  parameters: [["object", "array"], STRING, STRING],
  returns: ["array"],
  note: "an object for each member of an object (or element of a list), with its key and its value under the two names given; sorted by key",
  call: (args, run) => {
    const whole = argument(args, 0);
    const [keyName, valueName] = [textAt(args, 1), textAt(args, 2)];
    const pairs = isArray(whole) ? whole.entries() : sortedEntries(objectAt(args, 0));
    const found: Json[] = [];
    for (const [key, value] of pairs) found.push({ [keyName]: key, [valueName]: value });
    run.budget.charge(found.length * 3);
    return asPairList(found);
  },
};

function sortedEntries(object: JsonObject): [string, Json][] {
  return sortedKeys(object).map((key) => [key, object[key] ?? null]);
}

const objectFromLists: FunctionDefinition = {
  name: "object_from_lists",
  parameters: [ARRAY, ARRAY],
  returns: ["object"],
  note: "an object of a list of keys (texts, numbers, booleans) and a list of values; null where a value is missing",
  call: (args, run) => {
    const found = listAt(args, 1);
    const typed = args.findIndex(isPairList);
    if (typed !== -1)
      return functionError("object_from_lists", `argument #${typed + 1} is not of type Array`);
    const entries: [string, Json][] = [];
    for (const [index, key] of listAt(args, 0).entries()) {
      const name = keyText(key);
      if (name === undefined) {
        return functionError("object_from_lists", "argument #1 is not of type StringArray");
      }
      entries.push([name, found[index] ?? null]);
    }
    run.budget.charge(entries.length);
    return Object.fromEntries(entries);
  },
};

function keyText(key: Json): string | undefined {
  if (typeof key === "string") return key;
  if (typeof key === "number") return formatFloat32(key);
  return typeof key === "boolean" ? String(key) : undefined;
}

const lookup: FunctionDefinition = {
  name: "lookup",
  parameters: [
    ["object", "array"],
    ["string", "number"],
  ],
  returns: ["any"],
  note: "the member of an object or the element of a list; null when there is none",
  call: (args) => {
    const whole = argument(args, 0);
    const key = argument(args, 1);
    if (isPairList(whole)) return functionError("lookup", "argument #1 is not of type Object or Array");
    if (isArray(whole)) return element(whole, key);
    if (typeof key !== "string") return functionError("lookup", "argument #2 is not of type String");
    return member(objectAt(args, 0), key) ?? null;
  },
};

function element(list: readonly Json[], position: Json): ReturnType<FunctionBody> {
  if (typeof position !== "number") return functionError("lookup", "argument #2 is not of type Number");
  if (Math.abs(position) >= 2 ** 63) {
    return functionError(
      "lookup",
      `argument #2: number is outside the range of integer numbers: ${formatFloatV(position)}`,
    );
  }
  if (!Number.isInteger(position)) {
    return functionError(
      "lookup",
      `argument #2: expected an integer number but got: ${formatFloatV(position)}`,
    );
  }
  return list[position] ?? null;
}

const labelMatch: FunctionDefinition = {
  name: "label_match",
  parameters: [OBJECT, OBJECT],
  returns: ["boolean"],
  note: "whether every member of the first object is an equal member of the second; there are no wildcards",
  call: (args, run) => {
    const [wanted, found] = [objectAt(args, 0), objectAt(args, 1)];
    const names = Object.keys(wanted);
    chargeValue(wanted, run.budget);
    return names.every((key) => {
      const mine = wanted[key];
      const theirs = member(found, key);
      return mine !== undefined && theirs !== undefined && equalJson(mine, theirs);
    });
  },
};

export const objectFunctions: readonly FunctionDefinition[] = [
  items,
  keys,
  labelMatch,
  lookup,
  merge,
  objectFromLists,
  values,
];
