/**
 * Context entries and the context itself, as steps that Kyverno 1.19's own packages took.
 */
import { createProbe, type EvaluationRequest, type Facts, type Probe, type ProbeStart } from "#engine";
import { isArray, isObject, type Json, type JsonObject } from "#json";
import { gvkOf } from "#k8s";
import type { ContextEntry, Operation } from "#policy";

import { tellsInt64 } from "../int64.ts";
import { readRows } from "../rows.ts";
import { sameAnswer } from "../same-answer.ts";
import type { Row, Suite } from "../suite.ts";

type Step = JsonObject;

type Vector = {
  readonly id: string;
  readonly context?: JsonObject;
  readonly numbers?: string;
  readonly maxContextSize?: number;
  readonly element?: { readonly data: Json; readonly index: number; readonly nesting: number };
  readonly policyContext?: {
    readonly resource?: JsonObject;
    readonly operation?: Operation;
    readonly requestInfo?: JsonObject;
    readonly admissionRequest?: JsonObject;
  };
  readonly steps: readonly Step[];
  readonly expect: { readonly panic?: string; readonly steps?: readonly JsonObject[] };
};

/** Steps that only upstream's context object has: Postern gives the whole request at once. */
const otherSteps: readonly string[] = [
  "addVariable",
  "serviceAccount",
  "resource",
  "oldResource",
  "target",
  "operation",
  "hasChanged",
  "foreachElement",
];

export const suite: Suite = {
  name: "context",
  bar: 99,
  data: "vectors/jmespath/context.jsonl",
  deviations: [
    {
      id: "one-number-type",
      reason: "numbers are float64 to queries at every door (design.md, contracts: numbers)",
      covers: ({ input }) => isNumeric(input as Vector),
    },
  ],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield answer(vector);
  },
};

function answer(vector: Vector): Row {
  const other = otherSteps.find((name) => vector.steps.some((step) => name in step));
  if (other !== undefined) return { id: vector.id, uncovered: `a step of upstream's own object: ${other}` };
  if (seesInt64(vector)) {
    return { id: vector.id, uncovered: "numbers of a scan: Postern has those of admission at every door" };
  }
  if (
    vector.steps.some((step) => isArray(step["load"]) && step["load"].some((entry) => !isVariable(entry)))
  ) {
    return { id: vector.id, uncovered: "entries that are no entries: a diagnostic of the policy" };
  }
  const probe = createProbe(startOf(vector));
  const got = vector.steps.map((step) => take(step, probe));
  const want = vector.expect.steps ?? [];
  const passed =
    vector.expect.panic !== undefined ||
    (want.length === got.length &&
      want.every((expected, index) => meets(expected, got[index] ?? { error: "" })));
  return { id: vector.id, passed, want, got, input: vector };
}

type StepAnswer = ReturnType<Probe["query"]> | { readonly ok: true };

function meets(want: JsonObject, got: StepAnswer): boolean {
  if (want["ok"] === true) return "ok" in got;
  return !("ok" in got) && sameAnswer(want, got);
}

function take(step: Step, probe: Probe): StepAnswer {
  if (isArray(step["load"])) probe.load(entriesOf(step["load"]));
  else if ("checkpoint" in step) probe.checkpoint();
  else if ("restore" in step) probe.restore();
  else if ("reset" in step) probe.reset();
  else if ("query" in step) return probe.query(String(step["query"]));
  else if ("substitute" in step) return probe.document(step["substitute"] ?? null, "document");
  else if ("foreachList" in step) return listOf(probe.query(String(step["foreachList"])));
  else if (isObject(step["element"]))
    probe.element(step["element"] as unknown as Parameters<Probe["element"]>[0]);
  return { ok: true };
}

/** What is no list is a list of itself, as foreach takes it. */
function listOf(found: ReturnType<Probe["query"]>): StepAnswer {
  if ("error" in found || isArray(found.value)) return found;
  return { value: [found.value] };
}

function isVariable(entry: Json): boolean {
  return isObject(entry) && isObject(entry["variable"]);
}

/** Entries as a policy that holds them is read. */
function entriesOf(entries: readonly Json[]): readonly ContextEntry[] {
  return entries.filter(isObject).map((entry): ContextEntry => {
    const variable = entry["variable"] as JsonObject;
    return {
      name: String(entry["name"]),
      source: {
        kind: "variable",
        ...("value" in variable ? { value: variable["value"] ?? null } : {}),
        ...(typeof variable["jmesPath"] === "string" ? { jmesPath: variable["jmesPath"] } : {}),
        ...("default" in variable ? { default: variable["default"] ?? null } : {}),
      },
    };
  });
}

function startOf(vector: Vector): ProbeStart {
  const limit = vector.maxContextSize === undefined ? {} : { maxBytes: vector.maxContextSize };
  const element = vector.element === undefined ? {} : { element: vector.element };
  const images = vector.steps.find((step) => isObject(step["images"]))?.["images"];
  const { policyContext } = vector;
  if (policyContext === undefined) {
    const source = isObject(images) ? { images } : {};
    return { root: vector.context ?? {}, ...limit, ...element, ...source };
  }
  const { requestInfo = {}, admissionRequest } = policyContext;
  const facts: Facts = {
    nowMs: 0,
    seed: 1,
    roles: texts(requestInfo["roles"]),
    clusterRoles: texts(requestInfo["clusterRoles"]),
    lookups: new Map(),
  };
  return { request: requestOf(policyContext, requestInfo, admissionRequest), facts, ...limit, ...element };
}

function requestOf(
  { resource, operation = "CREATE" }: NonNullable<Vector["policyContext"]>,
  requestInfo: JsonObject,
  review: JsonObject | undefined,
): EvaluationRequest {
  const user = isObject(requestInfo["userInfo"]) ? requestInfo["userInfo"] : undefined;
  const object = (review?.["object"] ?? resource ?? null) as JsonObject | null;
  const old = (review?.["oldObject"] ?? null) as JsonObject | null;
  const metadata = ((object ?? old)?.["metadata"] ?? {}) as JsonObject;
  return {
    kind: gvkOf(String(object?.["apiVersion"] ?? ""), String(object?.["kind"] ?? "")),
    subresource: "",
    operation: (review?.["operation"] as Operation | undefined) ?? operation,
    namespace: String(metadata["namespace"] ?? ""),
    name: String(metadata["name"] ?? ""),
    object,
    oldObject: old,
    dryRun: false,
    ...(user === undefined
      ? {}
      : {
          userInfo: {
            username: String(user["username"] ?? ""),
            groups: texts(user["groups"]),
            ...(typeof user["uid"] === "string" ? { uid: user["uid"] } : {}),
            ...(isObject(user["extra"]) ? { extra: user["extra"] } : {}),
          },
        }),
    ...(review === undefined ? {} : { review }),
  };
}

function texts(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.map(String) : [];
}

/** A query about numbers of a resource as upstream's scan decodes them: int64, unlike at admission. */
function seesInt64({ policyContext, steps }: Vector): boolean {
  if (policyContext?.resource === undefined) return false;
  return steps.some((step) => /priority|ratio|nums|containerPort/.test(String(step["query"] ?? "")));
}

/** An entry holds float64, whatever it was made of. */
function isNumeric({ numbers, element, steps }: Vector): boolean {
  const entries = steps.flatMap((step) => (isArray(step["load"]) ? entriesOf(step["load"]) : []));
  return steps.some((step) => {
    const query = typeof step["query"] === "string" ? step["query"] : "";
    if (entries.some((entry) => query.includes(entry.name))) return false;
    const int64 = numbers === "unstructured" || (element !== undefined && query.includes("elementIndex"));
    return int64 && tellsInt64(query);
  });
}
