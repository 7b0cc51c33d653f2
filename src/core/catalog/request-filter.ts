/**
 * Which requests the operator keeps from all policies. It is asked for every request, so it is compiled once a change.
 * SPEC: Kyverno 1.19 pkg/config IsExcluded, ToFilter; kyverno-surface.md section 7.7.
 */
import type { EvaluationRequest } from "#engine";
import { compileKinds } from "#engine";
import { compileWildcard } from "#text";
import type { GateConfiguration, ResourceFilterEntry } from "./configuration.ts";

export type RequestFilter = {
  /** Whether it asks for roles: otherwise those who call it need not look them up. */
  readonly needsRoles: boolean;
  readonly excludes: (
    request: EvaluationRequest,
    roles: { readonly roles: readonly string[]; readonly clusterRoles: readonly string[] },
  ) => boolean;
};

type Test = (text: string) => boolean;

/** Wildcards that exclude, and those after a `!` that take back what the others exclude. */
type Names = { readonly out: readonly Test[]; readonly back: readonly Test[] };

export function compileRequestFilter(configuration: GateConfiguration): RequestFilter {
  const users = compileNames(configuration.excludeUsernames);
  const groups = compileNames(configuration.excludeGroups);
  const roles = compileNames(configuration.excludeRoles);
  const clusterRoles = compileNames(configuration.excludeClusterRoles);
  const filters = configuration.resourceFilters.map(compileFilter);
  const lists = (request: EvaluationRequest, held: Parameters<RequestFilter["excludes"]>[1]) =>
    [
      [users, request.userInfo === undefined ? [] : [request.userInfo.username]],
      [groups, request.userInfo?.groups ?? []],
      [roles, held.roles],
      [clusterRoles, held.clusterRoles],
    ] as const;
  const namesAnybody = [users, groups, roles, clusterRoles].some(({ out }) => out.length > 0);
  return {
    needsRoles: [roles, clusterRoles].some(({ out, back }) => out.length + back.length > 0),
    excludes(request, held) {
      if (filters.some((fits) => fits(request))) return true;
      if (!namesAnybody) return false;
      const pairs = lists(request, held);
      if (pairs.some(([{ back }, texts]) => meet(back, texts))) return false;
      return pairs.some(([{ out }, texts]) => meet(out, texts));
    },
  };
}

function compileNames(entries: readonly string[]): Names {
  const back = entries.filter((entry) => entry.startsWith("!")).map((entry) => entry.slice(1).trim());
  const out = entries.filter((entry) => !entry.startsWith("!"));
  return {
    out: out.map((entry) => compileWildcard(entry)),
    back: back.map((entry) => compileWildcard(entry)),
  };
}

function meet(tests: readonly Test[], texts: readonly string[]): boolean {
  return tests.length > 0 && texts.some((text) => tests.some((test) => test(text)));
}

/** A Namespace is meant by its name where others are by their namespace. */
function compileFilter({
  kind,
  namespace,
  name,
}: ResourceFilterEntry): (request: EvaluationRequest) => boolean {
  const isKind = compileKinds([kind], false);
  const isNamespace = compileWildcard(namespace);
  const isName = compileWildcard(name);
  return (request) => {
    if (!isKind(request.kind, request.subresource) || !isName(request.name)) return false;
    return isNamespace(request.kind.kind === "Namespace" ? request.name : request.namespace);
  };
}
