/**
 * What a test file gives in place of services and of global context entries.
 * SPEC: reference/kyverno-surface.md section 8.2 (context entries offline): a call is looked up as `METHOD:url`, then as
 * `url`; an answer outside 2xx is an error.
 */
import type { Fact } from "#engine";
import { compileQuery, QueryError } from "#jmespath";
import { isArray, isObject, member, plainText, type Json, type JsonObject } from "#json";
import { Budget } from "#diag";

import type { AnswerSource } from "../../drive/answers.ts";

/** Answers API and service calls from `apiCallResponses`. */
export function callAnswers(responses: readonly JsonObject[]): AnswerSource {
  const byUrl = new Map<string, JsonObject>();
  for (const entry of responses) {
    const url = textOf(entry["url"]) || textOf(entry["urlPath"]);
    const method = textOf(entry["method"]);
    const key = method === "" ? url : `${method}:${url}`;
    if (isObject(entry["response"]) && !byUrl.has(key)) byUrl.set(key, entry["response"]);
  }
  return (lookup, args) => {
    if (lookup.kind !== "apiCall") return undefined;
    const service = args["service"];
    const url = isObject(service) ? textOf(service["url"]) : textOf(args["urlPath"]);
    const response = byUrl.get(`${textOf(args["method"]) || "GET"}:${url}`) ?? byUrl.get(url);
    return response === undefined ? undefined : factOf(response, url);
  };
}

function factOf(response: JsonObject, url: string): Fact {
  const status = response["statusCode"] ?? 200;
  if (typeof status === "number" && status >= 200 && status < 300) {
    return { kind: "value", value: response["body"] ?? null };
  }
  return {
    kind: "error",
    reason: "failed",
    message: `the call of ${url} was answered with HTTP ${plainText(status)}`,
  };
}

/**
 * Answers `globalReference` from `globalContextEntries`: the data or resources of an entry, or one of its projections.
 * @param resourcesOf the objects of the files that an entry names
 */
export function globalAnswers(
  entries: readonly JsonObject[],
  resourcesOf: (files: readonly string[]) => readonly JsonObject[],
): AnswerSource {
  const values = new Map<string, Json>();
  for (const entry of entries) addEntry(entry, resourcesOf, values);
  return (lookup, args) => {
    if (lookup.kind !== "globalReference") return undefined;
    const value = values.get(textOf(args["name"]));
    return value === undefined ? undefined : { kind: "value", value };
  };
}

function addEntry(
  entry: JsonObject,
  resourcesOf: (files: readonly string[]) => readonly JsonObject[],
  values: Map<string, Json>,
): void {
  const name = textOf(entry["name"]);
  const files = isArray(entry["resourceFiles"]) ? entry["resourceFiles"].map(textOf) : [];
  const data = member(entry, "data") ?? member(entry, "resources") ?? resourcesOf(files);
  values.set(name, project(data, textOf(entry["fieldPath"])) ?? null);
  const projections = isArray(entry["projections"]) ? entry["projections"].filter(isObject) : [];
  for (const projection of projections) {
    const value = project(data, textOf(projection["path"]) || textOf(projection["jmesPath"]));
    if (value !== undefined) values.set(`${name}.${textOf(projection["name"])}`, value);
  }
}

const PROJECTION_BUDGET = 1_000_000;

function project(data: Json, path: string): Json | undefined {
  if (path === "") return data;
  const query = compileQuery(path);
  if (!("evaluate" in query)) return undefined;
  const run = {
    budget: new Budget(PROJECTION_BUDGET),
    nowMs: 0,
    random: () => 0,
    externalHost: () => false,
  };
  const value = query.evaluate(data, run);
  return value instanceof QueryError ? undefined : value;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
