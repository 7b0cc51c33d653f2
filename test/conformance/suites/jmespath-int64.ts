/**
 * Which recorded answers hang on a whole number being an int64 in the original. Judged by the vector alone: by the text
 * with which a function refuses an int64, by digits that no float64 has, and by comparisons that hold for float64 but
 * never for an int64. A form that is not known here is not covered, and counts as a miss.
 */
import type { Json } from "#json";
import { isArray, isObject, printJson } from "#json";
import type { QueryVector } from "./jmespath-vectors.ts";

const refusals: readonly RegExp[] = [
  /^Invalid type for: \[?-?\d+(?: -?\d+)*\]?, expected: .*"(?:array\[)?number/,
  /^unknown type$/,
  /^invalid type, must be number of string$/,
  /^JMESPath function '\w+': invalid operand$/,
  /^JMESPath function 'object_from_lists': argument #1 is not of type StringArray$/,
];

/** The original refuses an int64 where it would take a float64. */
export function refusesInt64({ error }: QueryVector["expect"]): boolean {
  return error !== undefined && refusals.some((refusal) => refusal.test(error));
}

export function hangsOnInt64(vector: QueryVector): boolean {
  const { expect, numbers } = vector;
  if (numbers !== "unstructured") return false;
  return refusesInt64(expect) || hasMoreDigits(expect.value) || comparesInt64(vector);
}

function hasMoreDigits(value: Json | undefined): boolean {
  return typeof value === "string" && /^-?\d+$/.test(value) && String(Number(value)) !== value;
}

const COMPARISON = /^(\w+) ?([=!<>]=|[<>]) ?(\w+|`[^`]*`)$/;
const FILTER = /^(\w+)\[\?(@|\w+) ?([=!<>]=|[<>]) ?(\w+|`[^`]*`)\]/;
const CONTAINS = /^contains\((\w+), ?(\w+|`[^`]*`)\)$/;

/** An int64 equals no float64, and has no order with anything. */
function comparesInt64({ expr, data, expect }: QueryVector): boolean {
  const [, left = "", operator = "", right = ""] = COMPARISON.exec(expr) ?? [];
  if (operator !== "") return expect.value !== holds(operand(left, data), operator, operand(right, data));
  const [, list = "", key = "", filter = "", wanted = ""] = FILTER.exec(expr) ?? [];
  if (filter !== "") {
    const kept = itemsOf(operand(list, data)).filter((item) =>
      holds(operand(key, item), filter, operand(wanted, data)),
    );
    return isArray(expect.value) && expect.value.length !== kept.length;
  }
  const [, items = "", item = ""] = CONTAINS.exec(expr) ?? [];
  if (items === "") return false;
  const found = itemsOf(operand(items, data)).some((one) => holds(one, "==", operand(item, data)));
  return expect.value === false && found;
}

function operand(text: string, data: Json): Json {
  if (text === "@") return data;
  if (text.startsWith("`")) return JSON.parse(text.slice(1, -1)) as Json;
  return isObject(data) ? (data[text] ?? null) : null;
}

function itemsOf(value: Json): readonly Json[] {
  return isArray(value) ? value : [];
}

/** The comparison where all numbers are float64; null where there is no order. */
export function holds(left: Json, operator: string, right: Json): boolean | null {
  if (operator === "==") return printJson(left) === printJson(right);
  if (operator === "!=") return printJson(left) !== printJson(right);
  if (typeof left !== "number" || typeof right !== "number") return null;
  if (operator.startsWith("<")) return left < right || (operator === "<=" && left === right);
  return left > right || (operator === ">=" && left === right);
}
