/**
 * What the world would answer, from files: objects stand for the cluster, mocks for services. What nobody gave is
 * `unset`, as in upstream's command line: then the values must have it, or the variable is unknown and the rule says so.
 */
import type { Fact, Lookup } from "#engine";
import type { JsonObject } from "#json";
import { isObject } from "#json";
import { resolvesExternally } from "#platform";
import type { AnswerLookup } from "./driver.ts";
import type { ObjectStore } from "./object-store.ts";
import { textMember } from "../load/object-text.ts";

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
  if (lookup.kind === "externalHost") return resolveExternal(textMember(args, "host"));
  return UNSET;
}

/**
 * Objects given as files answer GETs and ConfigMap lookups. A ConfigMap that nobody gave is left unset, as upstream's
 * command line does; a GET of what is not there fails, as a server's would. Services are never called.
 */
export function objectAnswers(store: ObjectStore): AnswerSource {
  return (lookup, args) => {
    if (lookup.kind === "configMap") {
      const found = store.get("", "configmaps", textMember(args, "namespace"), textMember(args, "name"));
      return found === undefined ? undefined : { kind: "value", value: found };
    }
    if (lookup.kind !== "apiCall") return undefined;
    const path = textMember(args, "urlPath");
    if (path === "") return failed("unsupported", "services are not called from the command line");
    if (textMember(args, "method") === "POST")
      return failed("unsupported", "nothing is posted from the command line");
    const found = store.query(path);
    if (found !== undefined) return { kind: "value", value: found };
    return failed(
      "not-found",
      `failed to GET resource with raw url: ${path}: it is not among the given resources`,
    );
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

function failed(reason: "not-found" | "unsupported", message: string): Fact {
  return { kind: "error", reason, message };
}

async function resolveExternal(host: string): Promise<Fact> {
  try {
    return { kind: "value", value: await resolvesExternally(host) };
  } catch (error) {
    return {
      kind: "error",
      reason: "failed",
      message: error instanceof Error ? error.message : String(error),
    };
  }
}
