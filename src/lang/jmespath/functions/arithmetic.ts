/**
 * Arithmetic on numbers, quantities and durations. A text is tried as a quantity first and as a duration second, so
 * `30m` is thirty thousandths and `1h` an hour; both sides must be of a kind, but for products and quotients with
 * plain numbers. Results are texts again where operands were.
 * SPEC: Kyverno 1.19 pkg/engine/jmespath/arithmetic.go.
 */
import type { Json } from "#json";
import {
  addQuantity,
  divideQuantity,
  durationSeconds,
  formatDuration,
  formatFloatV,
  formatQuantity,
  multiplyQuantity,
  parseDuration,
  parseQuantity,
  quantityAsFloat,
  quantityError,
  quantityFromInt64,
  subtractQuantity,
} from "#text";
import type { Quantity } from "#text";
import { isPairList } from "../values/pair-list.ts";
import { QueryError, failed } from "../query-error.ts";
import type { FunctionBody, FunctionDefinition } from "./definition.ts";
import { ANY, ARRAY, argument, functionError, listAt } from "./definition.ts";

type Operand =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "quantity"; readonly value: Quantity }
  | { readonly kind: "duration"; readonly value: bigint };

/** Two operands to a result; a text is what is wrong. */
type Operation = (left: Operand, right: Operand) => Answer;
type Answer = { readonly value: Json } | { readonly error: string } | QueryError;

const MISMATCH: Answer = { error: "Types mismatch" };
const ZERO: Answer = { error: "Zero divisor passed" };
const FRACTION: Answer = { error: "Non-integer argument(s) passed for modulo" };

const add: FunctionDefinition = binary("add", "the sum of two numbers, quantities or durations", addOperands);

const subtract: FunctionDefinition = binary(
  "subtract",
  "the first number, quantity or duration less the second",
  (left, right) => {
    if (left.kind === "number" && right.kind === "number") return number(left.value - right.value);
    if (left.kind === "quantity" && right.kind === "quantity") {
      return quantity(subtractQuantity(left.value, right.value));
    }
    if (left.kind !== "duration" || right.kind !== "duration") return MISMATCH;
    return duration(left.value - right.value);
  },
);

const multiply: FunctionDefinition = binary(
  "multiply",
  "the product of two numbers, or of a number and a quantity or duration in either order",
  (left, right) => {
    if (left.kind !== "number") return right.kind === "number" ? scale(left, right.value) : MISMATCH;
    return right.kind === "number" ? number(left.value * right.value) : scale(right, left.value);
  },
);

const divide: FunctionDefinition = binary(
  "divide",
  "a quotient: of two of a kind a number, of a quantity or duration and a number one of its kind",
  (left, right) => {
    if (left.kind === "number") return right.kind === "number" ? quotient(left.value, right.value) : MISMATCH;
    if (right.kind === "number") return share(left, right.value);
    if (left.kind === "quantity" && right.kind === "quantity") {
      return quotient(quantityAsFloat(left.value), quantityAsFloat(right.value));
    }
    if (left.kind !== "duration" || right.kind !== "duration") return MISMATCH;
    return quotient(durationSeconds(left.value), durationSeconds(right.value));
  },
);

const modulo: FunctionDefinition = binary(
  "modulo",
  "what a division leaves, for whole numbers, quantities and durations of a kind",
  (left, right) => {
    if (left.kind === "number" && right.kind === "number") {
      const rest = remainder(left.value, right.value);
      return typeof rest === "bigint" ? number(Number(rest)) : rest;
    }
    if (left.kind === "quantity" && right.kind === "quantity") {
      const rest = remainder(quantityAsFloat(left.value), quantityAsFloat(right.value));
      return typeof rest === "bigint" ? quantity(quantityFromInt64(rest, left.value.format)) : rest;
    }
    if (left.kind !== "duration" || right.kind !== "duration") return MISMATCH;
    return right.value === 0n ? ZERO : duration(left.value % right.value);
  },
);

const sum: FunctionDefinition = {
  name: "sum",
  parameters: [ARRAY],
  returns: ["any"],
  note: "the sum of a list of numbers, quantities or durations of a kind; a single element is given back as it is",
  call: (args, run) => {
    const [first, ...rest] = listAt(args, 0);
    run.budget.charge(rest.length * 4);
    if (first === undefined) return functionError("sum", "at least one element in the array is required");
    if (isPairList(listAt(args, 0)) && rest.length > 0) return functionError("sum", "Types mismatch");
    let total: Json = first;
    for (const item of rest) {
      const next = compute("sum", addOperands, operandOf(total), operandOf(item));
      if (next instanceof QueryError) return next;
      total = next;
    }
    return total;
  },
};

function binary(name: string, note: string, operation: Operation): FunctionDefinition {
  return {
    name,
    parameters: [ANY, ANY],
    returns: ["number", "string"],
    note,
    call: (args) => compute(name, operation, operandOf(argument(args, 0)), operandOf(argument(args, 1))),
    specialise: (constants) => {
      const [left, right] = constants.map((value) =>
        value === undefined ? undefined : { operand: operandOf(value) },
      );
      return (args) => {
        const first = left === undefined ? operandOf(argument(args, 0)) : left.operand;
        const second = right === undefined ? operandOf(argument(args, 1)) : right.operand;
        return compute(name, operation, first, second);
      };
    },
  };
}

function compute(
  name: string,
  operation: Operation,
  left: Operand | undefined,
  right: Operand | undefined,
): ReturnType<FunctionBody> {
  if (left === undefined || right === undefined) return functionError(name, "invalid operand");
  const answer = operation(left, right);
  if (answer instanceof QueryError) return answer;
  return "value" in answer ? answer.value : functionError(name, answer.error);
}

function operandOf(value: Json): Operand | undefined {
  if (typeof value === "number") return { kind: "number", value };
  if (typeof value !== "string") return undefined;
  const asQuantity = parseQuantity(value);
  if (asQuantity !== undefined) return { kind: "quantity", value: asQuantity };
  const asDuration = parseDuration(value);
  return asDuration === undefined ? undefined : { kind: "duration", value: asDuration };
}

function addOperands(left: Operand, right: Operand): Answer {
  if (left.kind === "number" && right.kind === "number") return number(left.value + right.value);
  if (left.kind === "quantity" && right.kind === "quantity")
    return quantity(addQuantity(left.value, right.value));
  if (left.kind !== "duration" || right.kind !== "duration") return MISMATCH;
  return duration(left.value + right.value);
}

/** Upstream reads the factor as a quantity, from Go's text of it. */
function scale(operand: Exclude<Operand, { readonly kind: "number" }>, factor: number): Answer {
  if (operand.kind === "duration") return seconds(durationSeconds(operand.value) * factor);
  const read = plainQuantity(factor);
  return read instanceof QueryError ? read : quantity(multiplyQuantity(operand.value, read));
}

function share(operand: Exclude<Operand, { readonly kind: "number" }>, divisor: number): Answer {
  if (divisor === 0) return ZERO;
  if (operand.kind === "duration") return seconds(durationSeconds(operand.value) / divisor);
  const read = plainQuantity(divisor);
  if (read instanceof QueryError) return read;
  const found = divideQuantity(operand.value, read);
  return found === undefined ? ZERO : quantity(found);
}

function plainQuantity(value: number): Quantity | QueryError {
  const text = formatFloatV(value);
  return parseQuantity(text) ?? failed(quantityError(text) ?? "");
}

function quotient(dividend: number, divisor: number): Answer {
  return divisor === 0 ? ZERO : number(dividend / divisor);
}

function remainder(dividend: number, divisor: number): bigint | Answer {
  if (!isInt64(dividend) || !isInt64(divisor)) return FRACTION;
  return divisor === 0 ? ZERO : BigInt(dividend) % BigInt(divisor);
}

function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

function number(value: number): Answer {
  return { value };
}

function quantity(value: Quantity): Answer {
  return { value: formatQuantity(value) };
}

/** Sums wrap around, as an int64's do. */
function duration(value: bigint): Answer {
  return { value: formatDuration(BigInt.asIntN(64, value)) };
}

function seconds(value: number): Answer {
  const nanoseconds = value * 1e9;
  if (!(Math.abs(nanoseconds) < 2 ** 63)) return duration(-(1n << 63n));
  return duration(BigInt(Math.trunc(nanoseconds)));
}

export const arithmeticFunctions: readonly FunctionDefinition[] = [
  add,
  divide,
  modulo,
  multiply,
  subtract,
  sum,
];
