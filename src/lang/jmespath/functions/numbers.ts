/** Functions on numbers. There is one kind of number, the float64. */
import type { Json } from "#json";
import { failed } from "../query-error.ts";
import { expressionOf } from "../values/expression.ts";
import { isPairList } from "../values/pair-list.ts";
import { parseFloatGo } from "../values/parse-float.ts";
import type { FunctionDefinition } from "./definition.ts";
import { ANY, NUMBER, argument, functionError, listAt, numberAt } from "./definition.ts";

const abs: FunctionDefinition = {
  name: "abs",
  parameters: [NUMBER],
  returns: ["number"],
  note: "the absolute value",
  call: (args) => Math.abs(numberAt(args, 0)),
};

const ceil: FunctionDefinition = {
  name: "ceil",
  parameters: [NUMBER],
  returns: ["number"],
  note: "the next whole number up",
  call: (args) => Math.ceil(numberAt(args, 0)),
};

const floor: FunctionDefinition = {
  name: "floor",
  parameters: [NUMBER],
  returns: ["number"],
  note: "the next whole number down",
  call: (args) => Math.floor(numberAt(args, 0)),
};

const avg: FunctionDefinition = {
  name: "avg",
  parameters: [["array[number]"]],
  returns: ["number"],
  note: "the mean of a list of numbers; NaN for an empty one",
  call: (args, run) => {
    const numbers = listAt(args, 0);
    run.budget.charge(numbers.length);
    return numbers.reduce((sum: number, item) => sum + Number(item), 0) / numbers.length;
  },
};

const round: FunctionDefinition = {
  name: "round",
  parameters: [NUMBER, NUMBER],
  returns: ["number"],
  note: "rounds to a number of digits after the point, halves away from zero",
  call: (args) => {
    const value = numberAt(args, 0);
    const digits = numberAt(args, 1);
    if (!Number.isInteger(digits) || Math.abs(digits) >= 2 ** 63) {
      return functionError("round", "Non-integer argument(s) passed for round off");
    }
    // WHY: upstream's own text is malformed here
    if (digits < 0) return functionError("round", "%!d(MISSING) argument is out of bounds (%!d(MISSING))");
    const scale = 10 ** digits;
    return roundHalfAway(value * scale) / scale;
  },
};

/** SPEC: math `Round`. */
function roundHalfAway(value: number): number {
  if (!Number.isFinite(value)) return value;
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

const toNumber: FunctionDefinition = {
  name: "to_number",
  parameters: [ANY],
  returns: ["number", "null"],
  note: "a number as it is, a text read as a number; null for everything else",
  call: (args) => readNumber(argument(args, 0)),
};

function readNumber(value: Json): ReturnType<FunctionDefinition["call"]> {
  if (typeof value === "number") return value;
  if (typeof value === "string") return parseFloatGo(value) ?? null;
  return expressionOf(value) === undefined && !isPairList(value) ? null : failed("unknown type");
}

export const numberFunctions: readonly FunctionDefinition[] = [abs, avg, ceil, floor, round, toNumber];
