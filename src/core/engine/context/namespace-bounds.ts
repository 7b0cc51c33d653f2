/**
 * What a policy of a namespace may not ask for: anything outside of that namespace. It is the policy's author who writes
 * the path, variables and all, and the engine's rights that are used for it.
 * SPEC: Kyverno 1.19 pkg/engine/apicall/executor.go, pkg/engine/context/loaders/configmap.go; CVE-2026-22039.
 */
import type { Json } from "#json";

import { cleanPath } from "../pattern/path.ts";

/** Why a ConfigMap of `asked` may not be read; `own` is undefined for a policy of the cluster. */
export function foreignNamespace(entry: string, asked: string, own: string | undefined): string | undefined {
  if (own === undefined || asked === own) return undefined;
  return `context entry ${entry}: configMap namespace "${asked}" is different from policy namespace "${own}"`;
}

/**
 * Why a call may not be made. A service has no path in the API, so a policy of a namespace may call none.
 * What stands behind `?` is no place, and `%` could hide one: unlike upstream, neither counts.
 */
export function foreignPath(urlPath: Json | undefined, own: string | undefined): string | undefined {
  if (own === undefined) return undefined;
  const place = placeOf(urlPath);
  const found = place.includes("%") ? undefined : /^\/apis?\/.*?\/namespaces\/([^/]+)\/?.*$/.exec(place)?.[1];
  if (found === undefined) return `path ${place} does not contain a namespace segment`;
  if (found === own) return undefined;
  return `path ${place} refers to namespace ${found}, which is different from the policy namespace ${own}`;
}

/** The path without what follows it, cleaned before anything is looked for in it. */
function placeOf(urlPath: Json | undefined): string {
  const written = typeof urlPath === "string" ? urlPath.replace(/[?#].*$/s, "") : "";
  if (written === "") return ".";
  const cleaned = cleanPath(written);
  return written.startsWith("/") ? cleaned : cleaned.slice(1);
}
