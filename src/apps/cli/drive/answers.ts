/**
 * What the world would answer, from files: objects stand for the cluster, mocks for services. What nobody gave is
 * `unset`, as in upstream's command line: then the values must have it, or the variable is unknown and the rule says so.
 */
import { lookup as resolveHost } from "node:dns/promises";
import type { Fact, Lookup } from "#engine";
import type { Json, JsonObject } from "#json";
import { isObject } from "#json";
import type { AnswerLookup } from "./driver.ts";
import type { ObjectStore } from "./object-store.ts";
import { isExternalAddress } from "./external-address.ts";

/** Each answers or leaves the lookup to the next. */
export type AnswerSource = (lookup: Lookup, args: JsonObject) => Fact | undefined;

const UNSET: Fact = { kind: "unset" };

/** The first source that has an answer gives it; answers are remembered for the run. */
export function createAnswers(sources: readonly AnswerSource[]): AnswerLookup {
  const remembered = new Map<string, Fact | Promise<Fact>>();
  return (lookup) => {
    const known = remembered.get(lookup.key);
    if (known !== undefined) return known;
    const fact = answer(lookup, sources);
    remembered.set(lookup.key, fact);
    return fact;
  };
}

function answer(lookup: Lookup, sources: readonly AnswerSource[]): Fact | Promise<Fact> {
  const args = isObject(lookup.args) ? lookup.args : {};
  for (const source of sources) {
    const fact = source(lookup, args);
    if (fact !== undefined) return fact;
  }
  if (lookup.kind === "externalHost") return resolveExternal(textOf(args["host"]));
  return UNSET;
}

/** Objects given as files answer GETs and ConfigMap lookups. */
export function objectAnswers(store: ObjectStore): AnswerSource {
  return (lookup, args) => {
    if (lookup.kind === "configMap") {
      return asFact(
        store.get("", "configmaps", textOf(args["namespace"]), textOf(args["name"])),
        `configmaps "${textOf(args["name"])}" not found`,
      );
    }
    const path = textOf(args["urlPath"]);
    if (lookup.kind !== "apiCall" || path === "" || textOf(args["method"]) === "POST") return undefined;
    return asFact(store.query(path), `the server could not find the requested resource: ${path}`);
  };
}

/** Image data of a context file. */
export function imageAnswers(images: readonly JsonObject[]): AnswerSource {
  return (lookup, args) => {
    if (lookup.kind !== "imageData") return undefined;
    const found = images.find((image) => image["image"] === args["reference"]);
    return found === undefined ? undefined : { kind: "value", value: found };
  };
}

function asFact(value: Json | undefined, missing: string): Fact {
  return value === undefined
    ? { kind: "error", reason: "not-found", message: missing }
    : { kind: "value", value };
}

async function resolveExternal(host: string): Promise<Fact> {
  try {
    const addresses = await resolveHost(host, { all: true });
    return { kind: "value", value: addresses.some(({ address }) => isExternalAddress(address)) };
  } catch (error) {
    return {
      kind: "error",
      reason: "failed",
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
