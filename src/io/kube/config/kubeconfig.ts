/**
 * Kubeconfig files as client-go reads them: several are merged, the first that names something wins; paths inside a file
 * are relative to that file. Nothing is checked that is not used: a broken context beside the chosen one is no concern.
 * SPEC: client-go tools/clientcmd (loader.go, api/v1/types.go).
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { Fault } from "#diag";
import type { Json, JsonObject } from "#json";
import { isArray, isObject, loadOne } from "#json";
import { readText } from "#platform";

const MAX_BYTES = 8 * 1024 * 1024;

/** One named part and the folder that its paths are relative to. */
export type NamedPart = { readonly value: JsonObject; readonly folder: string };

/** A part, and which it is: for messages. */
export type SourcedPart = NamedPart & { readonly source: string };

export type Kubeconfig = {
  readonly files: readonly string[];
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, NamedPart>;
  readonly clusters: ReadonlyMap<string, NamedPart>;
  readonly users: ReadonlyMap<string, NamedPart>;
};

/**
 * Reads and merges. Files that do not exist are passed over, as client-go does, unless none is left.
 * @throws Fault `file/unreadable`, `kube/config`
 */
export async function readKubeconfig(paths: readonly string[]): Promise<Kubeconfig> {
  const files = paths.length === 1 ? paths : paths.filter((path) => existsSync(path));
  const parts = { contexts: partMap(), clusters: partMap(), users: partMap() };
  let currentContext = "";
  for (const file of files) {
    const value = await readConfigFile(file);
    currentContext ||= textIn(value, "current-context");
    const folder = dirname(resolve(file));
    addNamed(parts.contexts, value["contexts"], "context", folder);
    addNamed(parts.clusters, value["clusters"], "cluster", folder);
    addNamed(parts.users, value["users"], "user", folder);
  }
  return { files, currentContext, ...parts };
}

function partMap(): Map<string, NamedPart> {
  return new Map();
}

async function readConfigFile(file: string): Promise<JsonObject> {
  const { value, diagnostics } = loadOne(await readText(file, MAX_BYTES), file);
  const problem = diagnostics.find(({ severity }) => severity === "error");
  if (problem !== undefined) {
    const line = problem.span === undefined ? "" : `:${problem.span.start.line}`;
    throw new Fault("kube/config", `${file}${line}: ${problem.message}`);
  }
  if (value === null) return {};
  if (!isObject(value)) throw new Fault("kube/config", `${file}: this is no kubeconfig: it holds no mapping`);
  return value;
}

function addNamed(parts: Map<string, NamedPart>, list: Json | undefined, key: string, folder: string): void {
  if (!isArray(list)) return;
  for (const entry of list) {
    if (!isObject(entry)) continue;
    const [name, value] = [textIn(entry, "name"), entry[key]];
    if (name !== "" && isObject(value) && !parts.has(name)) parts.set(name, { value, folder });
  }
}

export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
