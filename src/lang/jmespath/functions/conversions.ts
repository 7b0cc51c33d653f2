/** Functions between types, and the ones that read JSON and YAML. */
import type { Json } from "#json";
import { isArray, loadYaml, printJson } from "#json";
import { failed } from "../query-error.ts";
import { chargeValue } from "../values/charge-value.ts";
import { expressionOf } from "../values/expression.ts";
import { isPairList } from "../values/pair-list.ts";
import { isError, parseJson } from "../values/parse-json.ts";
import type { FunctionBody, FunctionDefinition } from "./definition.ts";
import { ANY, STRING, argument, functionError, textAt } from "./definition.ts";

const type: FunctionDefinition = {
  name: "type",
  parameters: [ANY],
  returns: ["string"],
  note: "`string`, `number`, `boolean`, `array`, `object` or `null`",
  call: (args) => {
    const value = argument(args, 0);
    if (value === null) return "null";
    if (isPairList(value)) return failed("unknown type");
    if (isArray(value)) return "array";
    return expressionOf(value) === undefined ? typeof value : failed("unknown type");
  },
};

const notNull: FunctionDefinition = {
  name: "not_null",
  parameters: [ANY],
  variadic: true,
  returns: ["any"],
  note: "the first argument that is not null; an unknown key counts as null",
  call: (args) => args.find((arg) => arg !== null) ?? null,
};

const toString: FunctionDefinition = {
  name: "to_string",
  parameters: [ANY],
  returns: ["string"],
  note: "a text as it is, everything else as JSON",
  call: (args, run) => {
    const value = argument(args, 0);
    if (typeof value === "string") return value;
    chargeValue(value, run.budget);
    const unprintable = nonFinite(value);
    if (unprintable !== undefined) return failed(`json: unsupported value: ${unprintable}`);
    const text = printJson(value, { escapeHtml: true });
    run.budget.charge(text.length >> 3);
    return text;
  },
};

/** The first number that JSON cannot hold, as Go names it. */
function nonFinite(value: Json): string | undefined {
  if (typeof value === "number") {
    if (Number.isFinite(value)) return undefined;
    return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }
  if (value === null || typeof value !== "object") return undefined;
  for (const item of Object.values(value)) {
    const found = nonFinite(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const toBoolean: FunctionDefinition = {
  name: "to_boolean",
  parameters: [STRING],
  returns: ["boolean"],
  note: "`true` or `false` in any case; an error for every other text",
  call: (args) => {
    const text = textAt(args, 0);
    const lower = text.toLowerCase();
    if (lower === "true" || lower === "false") return lower === "true";
    return functionError("to_boolean", `lowercase argument must be 'true' or 'false' (provided: '${text}')`);
  },
};

const parseJsonFunction: FunctionDefinition = {
  name: "parse_json",
  parameters: [STRING],
  returns: ["any"],
  note: "the value of a JSON text",
  call: (args, run) => {
    const text = textAt(args, 0);
    run.budget.charge(text.length >> 3);
    const value = parseJson(text);
    return isError(value) ? failed(value.message) : value;
  },
};

const parseYaml: FunctionDefinition = {
  name: "parse_yaml",
  parameters: [STRING],
  returns: ["any"],
  note: "the value of a YAML text (1.1: `on` is true, `017` is fifteen); the first document only",
  call: (args, run) => {
    const text = textAt(args, 0);
    run.budget.charge(text.length >> 1);
    return readYaml(text);
  },
};

/** Upstream's parser takes YAML 1.1 only, and JSON has no place for what is not finite. */
function readYaml(text: string): ReturnType<FunctionBody> {
  if (/^%YAML (?!1\.1\s)/m.test(text)) return failed("yaml: found incompatible YAML document");
  const { documents, diagnostics } = loadYaml(text, "");
  const [first] = documents;
  const [problem] = diagnostics;
  if (first?.index === 0) return first.value;
  return problem === undefined ? null : failed(unsupportedNumber(problem.message) ?? problem.message);
}

/** Go's words where the YAML reader refused `.inf` or `.nan`. */
function unsupportedNumber(message: string): string | undefined {
  const found = /^`([+-]?)\.(inf|nan)` is no number/i.exec(message);
  if (found === null) return undefined;
  const name = found[2]?.toLowerCase() === "nan" ? "NaN" : `${found[1] === "-" ? "-" : "+"}Inf`;
  return `json: unsupported value: ${name}`;
}

export const conversionFunctions: readonly FunctionDefinition[] = [
  notNull,
  parseJsonFunction,
  parseYaml,
  toBoolean,
  toString,
  type,
];
