/** One function each: `vectors/jmespath/functions.jsonl`. */
import type { Json } from "#json";
import { isArray, isObject, member, printJson } from "#json";
import type { Suite } from "../suite.ts";
import { holds, refusesInt64 } from "./jmespath-int64.ts";
import { answerVectors, floatsOnly, vectorOf } from "./jmespath-vectors.ts";
import type { QueryVector } from "./jmespath-vectors.ts";

export const suite: Suite = {
  name: "jmespath-functions",
  bar: 99,
  data: "vectors/jmespath/functions.jsonl",
  deviations: [
    floatsOnly,
    {
      id: "compare-is-a-number",
      reason: "upstream's `compare` gives an int that equals no literal and that few functions take",
      covers: (question) => usesCompare(vectorOf(question)),
    },
    {
      id: "sort-by-copies",
      reason: "upstream's `sort_by` changes the document for what is evaluated after it",
      covers: (question) => readsSorted(vectorOf(question)),
    },
    {
      id: "items-are-values",
      reason: "upstream's list of `items` equals no other list, whatever is in it",
      covers: (question) => comparesItems(vectorOf(question)),
    },
    {
      id: "bytes-are-text",
      reason: "what is no UTF-8 becomes a text with replacement characters: strings are texts here",
      covers: (question) => printJson(vectorOf(question).expect.value ?? null).includes('"$bytes"'),
    },
    {
      id: "yaml-words",
      reason: "errors in YAML are told in the words of our own parser",
      covers: (question) => quotesYamlLibrary(vectorOf(question)),
    },
  ],
  run: answerVectors,
};

const COMPARED = /^compare\('([^']*)', ?'([^']*)'\) ?([=!<>]=|[<>]) ?`(-?\d+)`$/;

function usesCompare({ expr, expect }: QueryVector): boolean {
  if (!/\bcompare\(/.test(expr)) return false;
  if (refusesInt64(expect)) return true;
  const [, left = "", right = "", operator, literal] = COMPARED.exec(expr) ?? [];
  if (operator === undefined) return false;
  const order = Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return expect.value !== holds(order, operator, Number(literal));
}

/** A list out of order is sorted by a key, and is read again further on. */
function readsSorted({ expr, data }: QueryVector): boolean {
  const [, name = "", key = ""] = /\bsort_by\((\w+), ?&(\w+)\).*\b\1\b/.exec(expr) ?? [];
  const list = name !== "" && isObject(data) ? member(data, name) : undefined;
  if (!isArray(list)) return false;
  const keys = list.map((item) => (isObject(item) ? (member(item, key) ?? null) : null));
  return keys.some((value, index) => index > 0 && isLess(value, keys[index - 1] ?? null));
}

function isLess(left: Json, right: Json): boolean {
  if (typeof left === "number" && typeof right === "number") return left < right;
  return typeof left === "string" && typeof right === "string" && left < right;
}

/** `items` of the whole document beside a literal with the same content. */
function comparesItems({ expr, data }: QueryVector): boolean {
  const call = /^items\(@, ?'([^']*)', ?'([^']*)'\) ?[!=]= ?`([^`]*)`$/.exec(expr);
  if (call === null || !isObject(data)) return false;
  const [, key = "", value = "", literal = ""] = call;
  const items = Object.keys(data)
    .toSorted()
    .map((name) => ({ [key]: name, [value]: data[name] ?? null }));
  return printJson(items) === printJson(JSON.parse(literal) as Json);
}

/** The recorded error is a text of the original's YAML library, save the one about versions, which Postern has too. */
function quotesYamlLibrary({ expr, expect }: QueryVector): boolean {
  if (!/\bparse_yaml\(/.test(expr)) return false;
  return /^(?:yaml: (?!found incompatible)|unsupported map key of type)/.test(expect.error ?? "");
}
