/**
 * From a request to what is done about it: the programs that concern it are evaluated, lookups are fetched while there is
 * time, and `decide` joins the outcomes. Nothing that goes wrong here becomes a refusal: a bug, a budget that is spent and
 * a lookup that does not come are faults of the policy that met them.
 */
import type { CatalogSnapshot } from "#catalog";
import type { Action, EvaluationRequest, Fact, Facts, Lookup, PolicyOutcome, PolicyProgram } from "#engine";
import { answerRounds, decide, evaluate } from "#engine";
import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { GatePorts } from "./ports.ts";
import type { Slots } from "./slots.ts";

/** `late` and `full`: nothing was decided, and the failurePolicy of the webhook answers. */
export type Judgement = Action | { readonly kind: "late" } | { readonly kind: "full" };

export type JudgeContext = {
  readonly ports: GatePorts;
  readonly slots: Slots;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
  readonly lookupTimeoutMs: number;
};

export type Case = {
  readonly request: EvaluationRequest;
  readonly facts: Facts;
  readonly programs: readonly PolicyProgram[];
  /** On `clock`. */
  readonly dueMs: number;
  /** Gives way when too many wait. */
  readonly yields: boolean;
};

type Pending = { readonly at: number; readonly program: PolicyProgram; readonly lookups: readonly Lookup[] };

const NO_LOOKUPS: Facts["lookups"] = new Map();

/** A promise only where something has to be fetched. */
export function judge(context: JudgeContext, given: Case): Judgement | Promise<Judgement> {
  const { request, facts, programs } = given;
  const { observer } = context.ports;
  const outcomes: PolicyOutcome[] = [];
  let pending: Pending[] | undefined;
  let startMs = context.clock();
  for (const program of programs) {
    const { failurePolicy } = program.policy;
    try {
      const result = evaluate(program, request, facts);
      if (result.kind === "verdict") outcomes.push({ failurePolicy, result });
      else {
        const at = outcomes.push(faulted(program, "its lookups were not answered")) - 1;
        (pending ??= []).push({ at, program, lookups: result.lookups });
      }
    } catch (bug) {
      outcomes.push(faulted(program, `internal fault: ${bug instanceof Error ? bug.message : String(bug)}`));
    }
    const endMs = context.clock();
    observer.evaluated(program.key, endMs - startMs);
    if (endMs > given.dueMs) return { kind: "late" };
    startMs = endMs;
  }
  if (pending === undefined) return decide(outcomes, deniedResource(request));
  return fetchAndDecide(context, given, outcomes, pending);
}

async function fetchAndDecide(
  context: JudgeContext,
  given: Case,
  outcomes: PolicyOutcome[],
  pending: readonly Pending[],
): Promise<Judgement> {
  if (!(await context.slots.acquire(given.yields))) return { kind: "full" };
  try {
    const left = given.dueMs - context.clock();
    if (left <= 0) return { kind: "late" };
    const all = Promise.all(
      pending.map(async (entry) => {
        outcomes[entry.at] = await settle(context, given, entry);
      }),
    );
    if (!(await withinTime(all, left))) return { kind: "late" };
  } finally {
    context.slots.release();
  }
  return decide(outcomes, deniedResource(given.request));
}

async function settle(
  context: JudgeContext,
  given: Case,
  { program, lookups }: Pending,
): Promise<PolicyOutcome> {
  const { failurePolicy } = program.policy;
  try {
    const rounds = answerRounds(program, given.request, given.facts, lookups);
    let step = rounds.next();
    while (step.done !== true) step = rounds.next(await answerAll(context, given, step.value));
    if (step.value === undefined)
      return faulted(program, "its context asks for something else each time it is answered");
    return { failurePolicy, result: step.value };
  } catch (bug) {
    return faulted(program, `internal fault: ${bug instanceof Error ? bug.message : String(bug)}`);
  }
}

function answerAll(context: JudgeContext, given: Case, lookups: readonly Lookup[]): Promise<readonly Fact[]> {
  const timeoutMs = Math.min(context.lookupTimeoutMs, given.dueMs - context.clock());
  return Promise.all(lookups.map((lookup) => context.ports.lookup(lookup, timeoutMs)));
}

function withinTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => done(false), milliseconds);
    work.then(() => done(true), fail).finally(() => clearTimeout(timer));
  });
}

function faulted({ key, policy }: PolicyProgram, message: string): PolicyOutcome {
  return { failurePolicy: policy.failurePolicy, result: { kind: "fault", policy: key, message } };
}

/** What is known of the world beside lookups. */
export function factsFor(ports: GatePorts, request: EvaluationRequest): Facts {
  const labels = request.namespace === "" ? undefined : ports.namespaceLabels(request.namespace);
  const roles = request.userInfo === undefined ? undefined : ports.rolesOf(request.userInfo);
  return {
    nowMs: ports.nowMs(),
    seed: ports.seed(),
    roles: roles?.roles ?? [],
    clusterRoles: roles?.clusterRoles ?? [],
    lookups: NO_LOOKUPS,
    ...(labels === undefined ? {} : { namespaceLabels: labels }),
  };
}

/** Which programs a webhook's path stands for; `undefined` where it names a policy that is not in force. */
export function programsFor(
  snapshot: CatalogSnapshot,
  webhook: "fail" | "ignore",
  policy: string | undefined,
  request: EvaluationRequest,
): readonly PolicyProgram[] | undefined {
  if (policy === undefined) return snapshot[webhook].candidates(request);
  const program = snapshot.programOf(policy);
  return program === undefined ? undefined : [program];
}

function deniedResource(request: EvaluationRequest): { kind: string; namespace: string; name: string } {
  const resource: JsonObject = request.object ?? request.oldObject ?? {};
  const metadata = resource["metadata"];
  const part = (name: string): string => {
    const value = isObject(metadata) ? metadata[name] : undefined;
    return typeof value === "string" ? value : "";
  };
  const kind = resource["kind"];
  return {
    kind: typeof kind === "string" ? kind : request.kind.kind,
    namespace: part("namespace"),
    name: part("name"),
  };
}
