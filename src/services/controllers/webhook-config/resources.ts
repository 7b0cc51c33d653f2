/**
 * Which resources a policy's kinds stand for on this server, told apart by how far a webhook may go: what wildcards and
 * names may both reach, what only a name may, and what nothing may.
 * A kind without a version stands for the version that the server prefers for it: `matchPolicy: Equivalent` brings the
 * others to the webhook converted, so registering them too would only call twice.
 * SPEC: Kyverno 1.19 pkg/controllers/webhook; kyverno-surface.md sections 1.3, 6.2.
 */
import type { KindSelector } from "#k8s";
import { parseKindSelector } from "#k8s";
import type { ApiResource, Discovery } from "#kube";
import { compileWildcard, hasWildcard } from "#text";
import type { Exclusion, KindExclusion } from "./exclusions.ts";

/** A resource, or a subresource, as a rule names it. */
export type Target = {
  readonly group: string;
  readonly version: string;
  /** `pods`, `pods/exec`. */
  readonly resource: string;
  readonly namespaced: boolean;
};

export type Reach = {
  readonly target: Target;
  /** `open`; or kept behind this row, which the selector reached by a name or by a wildcard only. */
  readonly behind: KindExclusion | undefined;
  readonly byName: boolean;
};

const ADMITTED = ["create", "update", "patch", "delete", "deletecollection", "connect"];

/** Everything that one entry of `kinds` reaches. */
export function reachOf(kind: string, discovery: Discovery, rows: readonly Exclusion[]): readonly Reach[] {
  const selector = parseKindSelector(kind);
  const byName = !hasWildcard(selector.kind) && selector.kind !== "";
  const wantsSubresource = selector.subresource !== "";
  const namesSubresource = wantsSubresource && !hasWildcard(selector.subresource);
  return matchingResources(selector, discovery).flatMap((resource) => {
    const own = isAdmitted(resource) && (!wantsSubresource || isAll(selector)) ? [""] : [];
    return [...own, ...subresourcesOf(resource, selector)].map((subresource) => {
      const target = targetOf(resource, subresource);
      const named = byName && (subresource === "" || namesSubresource || isEphemeral(target));
      return { target, behind: rowFor(target, rows), byName: named };
    });
  });
}

/** `*` and `*`/`*` reach a resource itself as well as what belongs to it. */
function isAll({ subresource }: KindSelector): boolean {
  return subresource === "*";
}

function matchingResources(selector: KindSelector, discovery: Discovery): readonly ApiResource[] {
  const [group, version, kind] = [selector.group, selector.version, selector.kind].map((part) =>
    compileWildcard(part),
  );
  const chosen = new Set<string>();
  return discovery.resources.filter((resource) => {
    if (!group?.(resource.group) || !version?.(resource.version) || !kind?.(resource.kind)) return false;
    if (selector.version !== "*") return true;
    // Versions come in the server's order of preference.
    const key = `${resource.group}/${resource.resource}`;
    if (chosen.has(key)) return false;
    chosen.add(key);
    return true;
  });
}

function isAdmitted({ verbs }: ApiResource): boolean {
  return verbs.some((verb) => ADMITTED.includes(verb));
}

/** Upstream's `Pod` also stands for its ephemeral containers, which are the way into a running pod. */
function subresourcesOf(resource: ApiResource, { subresource }: KindSelector): readonly string[] {
  const names = resource.subresources.map(({ name }) => name);
  if (subresource !== "") return names.filter(compileWildcard(subresource));
  const isPod = resource.group === "" && resource.resource === "pods";
  return isPod ? names.filter((name) => name === "ephemeralcontainers") : [];
}

function isEphemeral({ resource }: Target): boolean {
  return resource === "pods/ephemeralcontainers";
}

function targetOf({ group, version, resource, namespaced }: ApiResource, subresource: string): Target {
  return {
    group,
    version,
    resource: subresource === "" ? resource : `${resource}/${subresource}`,
    namespaced,
  };
}

/** The strongest row that keeps a target. */
function rowFor(target: Target, rows: readonly Exclusion[]): KindExclusion | undefined {
  const kept = rows.filter((row): row is KindExclusion => row.by === "kind" && covers(row, target));
  return kept.find(({ strength }) => strength === "always") ?? kept[0];
}

function covers(row: KindExclusion, { group, resource }: Target): boolean {
  const [name = "", subresource = ""] = resource.split("/");
  if (row.group !== "*" && row.group !== group) return false;
  if (row.resource !== "*" && row.resource !== name) return false;
  return row.subresource === "" || row.subresource === subresource;
}
