/** Parts of objects as an API server has them, read without trust: what is not of the right type is as if it were absent. */
import type { JsonObject } from "#json";
import { isArray, isObject } from "#json";

export function webhooksIn(configuration: JsonObject): readonly JsonObject[] {
  const list = configuration["webhooks"];
  return isArray(list) ? list.filter(isObject) : [];
}

export function byName(configuration: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  return new Map(
    (configuration === undefined ? [] : webhooksIn(configuration)).map((webhook) => [
      textIn(webhook, "name"),
      webhook,
    ]),
  );
}

export function conditionsIn(webhook: JsonObject): readonly JsonObject[] {
  const list = webhook["matchConditions"];
  return isArray(list) ? list.filter(isObject) : [];
}

export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** `5s`; empty where there is none. */
export function timeoutIn(webhook: JsonObject): string {
  const { timeoutSeconds } = webhook;
  return typeof timeoutSeconds === "number" ? `${timeoutSeconds}s` : "";
}
