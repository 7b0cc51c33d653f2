/**
 * Which resources a rule, an exception or a cleanup policy selects, and why not. `matches` must be equal and so must
 * the reason; the fast answer and the explained one are asked both.
 */
import type { EvaluationRequest, Facts } from "#engine";
import { compileMatch, compileStatement } from "#engine";
import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { GroupVersionKind } from "#k8s";
import { gvkOf } from "#k8s";
import type { MatchBlock, Operation, ResourceFilter } from "#policy";
import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type RawBlock = ResourceFilter & Pick<MatchBlock, "any" | "all">;

type Vector = {
  readonly id: string;
  readonly rule?: { readonly match?: RawBlock; readonly exclude?: RawBlock };
  /** A statement's block, in place of a rule. */
  readonly match?: RawBlock;
  readonly resource: JsonObject | null;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly userInfo?: {
    readonly username?: string;
    readonly groups?: readonly string[];
    readonly roles?: readonly string[];
    readonly clusterRoles?: readonly string[];
  };
  readonly operation?: Operation;
  readonly subresource?: string;
  readonly gvk?: GroupVersionKind;
  readonly policyNamespace?: string;
  readonly expect: { readonly matches: boolean; readonly reason?: string };
};

export const suite: Suite = {
  name: "match",
  bar: 99,
  data: "vectors/engine/match.jsonl",
  deviations: [],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield answer(vector);
  },
};

function answer(vector: Vector): Row {
  const request = requestOf(vector);
  const facts = factsOf(vector);
  const got =
    vector.rule === undefined ? askStatement(vector, request, facts) : askRule(vector, request, facts);
  const { matches, reason } = vector.expect;
  const passed = got.matches === matches && got.reason === reason;
  return { id: vector.id, passed, want: vector.expect, got, input: vector };
}

function askRule(
  vector: Vector,
  request: EvaluationRequest,
  facts: Facts,
): { matches: boolean; reason?: string } {
  const { match, exclude } = vector.rule ?? {};
  const rule = {
    name: "r1",
    match: blockOf(match ?? {}),
    ...(exclude === undefined ? {} : { exclude: blockOf(exclude) }),
  };
  const namespace = vector.policyNamespace === undefined ? {} : { namespace: vector.policyNamespace };
  const program = compileMatch(rule, namespace);
  return answered(program.matches(request, facts), program.explain(request, facts));
}

function askStatement(
  vector: Vector,
  request: EvaluationRequest,
  facts: Facts,
): { matches: boolean; reason?: string } {
  const program = compileStatement(blockOf(vector.match ?? {}));
  const resource = vector.resource ?? {};
  return answered(program.matches(resource, request, facts), program.explain(resource, request, facts));
}

function answered(matches: boolean, reason: string | undefined): { matches: boolean; reason?: string } {
  return reason === undefined ? { matches } : { matches, reason };
}

function blockOf(raw: RawBlock): MatchBlock {
  const { any, all, ...direct } = raw;
  return {
    ...(any === undefined ? {} : { any }),
    ...(all === undefined ? {} : { all }),
    ...(Object.keys(direct).length === 0 ? {} : { direct }),
  };
}

function requestOf(vector: Vector): EvaluationRequest {
  const { resource, userInfo } = vector;
  const kind = vector.gvk ?? gvkOf(text(resource, "apiVersion"), text(resource, "kind"));
  const request = {
    kind,
    subresource: vector.subresource ?? "",
    operation: vector.operation ?? ("CREATE" as const),
    namespace: text(resource?.["metadata"], "namespace"),
    name: text(resource?.["metadata"], "name"),
    object: resource,
    oldObject: null,
    dryRun: false,
  };
  if (userInfo === undefined) return request;
  return { ...request, userInfo: { username: userInfo.username ?? "", groups: userInfo.groups ?? [] } };
}

function text(object: unknown, key: string): string {
  const value = isObject(object) ? object[key] : undefined;
  return typeof value === "string" ? value : "";
}

function factsOf({ namespaceLabels, userInfo }: Vector): Facts {
  return {
    nowMs: 0,
    seed: 0,
    ...(namespaceLabels === undefined ? {} : { namespaceLabels }),
    roles: userInfo?.roles ?? [],
    clusterRoles: userInfo?.clusterRoles ?? [],
    lookups: new Map(),
  };
}
