/**
 * The driver of the command line: it makes a request of a resource, calls the engine, answers what the engine needs and
 * calls it again, at most 16 rounds. The engine is the one that the webhook calls; only the answers come from files.
 */
import type {
  EvaluationRequest,
  Fact,
  Facts,
  GivenValues,
  Lookup,
  PolicyProgram,
  ProgramIndex,
  RuleProgram,
  Verdict,
} from "#engine";
import { MAX_ROUNDS, answerRounds, createProgramIndex, evaluate } from "#engine";
import type { JsonObject } from "#json";
import type { Operation } from "#policy";
import { metadataText } from "../load/object-text.ts";
import type { Requester } from "../load/user-info.ts";
import type { Values, ValuesFor } from "../load/values.ts";
import { operationIn } from "../load/values.ts";
import { withGivenObjects } from "./given-object.ts";
import { createRequest } from "./request.ts";

/** Answers a lookup; at once where the answer is in files, later where the world must be asked. */
export type AnswerLookup = (lookup: Lookup) => Fact | Promise<Fact>;

export type DriveOptions = {
  readonly values: Values;
  readonly valuesFor: ValuesFor;
  readonly requester?: Requester | undefined;
  readonly answer: AnswerLookup;
  readonly nowMs: number;
  readonly seed: number;
};

export type Driver = {
  /**
   * The verdicts of all policies that concern the resource, in policy order; policies that no rule answered for are in it
   * with no results. A promise only where a lookup takes time.
   * @param operation overrides what the values say; CREATE where nobody says anything
   */
  readonly evaluate: (
    resource: JsonObject,
    operation?: Operation,
  ) => readonly Verdict[] | Promise<readonly Verdict[]>;
  /** Why a rule does not match a resource; `undefined` where it does. */
  readonly explain: (
    program: PolicyProgram,
    rule: RuleProgram,
    resource: JsonObject,
    operation?: Operation,
  ) => string | undefined;
};

const NO_LOOKUPS: ReadonlyMap<string, Fact> = new Map();
const NO_NAMES: readonly string[] = [];

export function createDriver(programs: readonly PolicyProgram[], options: DriveOptions): Driver {
  const index: ProgramIndex<PolicyProgram> = createProgramIndex(programs);
  const factsOf = createFactsMemo(options);
  return {
    evaluate(resource, operation) {
      const requests = createRequestMemo(resource, options);
      const name = metadataText(resource, "name");
      const verdicts: Verdict[] = [];
      const waiting: Promise<void>[] = [];
      // The index is asked with the operation that nearly every policy sees; values may give one policy another.
      for (const program of candidates(index, programs, options, requests(operation ?? "CREATE"))) {
        const given = options.valuesFor(program.policy.name, name);
        const plain = requests(operation ?? engineOperation(operationIn(given?.variables)));
        const request = withGivenObjects(plain, given);
        const facts = factsOf(request.namespace, given);
        const answer = evaluate(program, request, facts);
        if (answer.kind === "verdict") {
          verdicts.push(answer);
          continue;
        }
        const slot = verdicts.push({ kind: "verdict", policy: program.key, scored: true, rules: [] }) - 1;
        const later = answerNeeds({ program, request, facts, answer: options.answer }, answer.lookups);
        waiting.push(
          later.then((verdict) => {
            verdicts[slot] = verdict;
          }),
        );
      }
      return waiting.length === 0 ? verdicts : Promise.all(waiting).then(() => verdicts);
    },
    explain(program, rule, resource, operation) {
      const given = options.valuesFor(program.policy.name, metadataText(resource, "name"));
      const asked = operation ?? engineOperation(operationIn(given?.variables));
      const request = withGivenObjects(createRequest(resource, asked, options), given);
      return rule.match.explain(request, factsOf(request.namespace, given));
    },
  };
}

/** Where values change the operation for some policies, the index cannot be asked with one operation for all. */
function candidates(
  index: ProgramIndex<PolicyProgram>,
  programs: readonly PolicyProgram[],
  options: DriveOptions,
  request: EvaluationRequest,
): readonly PolicyProgram[] {
  const plain = options.values.policies.size === 0 && operationIn(options.values.globals) === undefined;
  return plain ? index.candidates(request) : programs;
}

/** Upstream's command line evaluates a CONNECT as a CREATE in which `request.operation` reads CONNECT. */
function engineOperation(operation: string | undefined): Operation {
  return operation === "UPDATE" || operation === "DELETE" ? operation : "CREATE";
}

function createRequestMemo(
  resource: JsonObject,
  options: DriveOptions,
): (operation: Operation) => EvaluationRequest {
  let last: EvaluationRequest | undefined;
  return (operation) => {
    if (last?.operation !== operation) last = createRequest(resource, operation, options);
    return last;
  };
}

/** PERF: nearly all resources of a run share one object of facts. */
function createFactsMemo(
  options: DriveOptions,
): (namespace: string, given: GivenValues | undefined) => Facts {
  let last: Facts | undefined;
  return (namespace, given) => {
    const labels = options.values.namespaceLabels.get(namespace);
    if (last !== undefined && last.namespaceLabels === labels && last.given === given) return last;
    last = {
      nowMs: options.nowMs,
      seed: options.seed,
      roles: options.requester?.roles ?? NO_NAMES,
      clusterRoles: options.requester?.clusterRoles ?? NO_NAMES,
      lookups: NO_LOOKUPS,
      ...(labels === undefined ? {} : { namespaceLabels: labels }),
      ...(given === undefined ? {} : { given }),
    };
    return last;
  };
}

type Pending = {
  readonly program: PolicyProgram;
  readonly request: EvaluationRequest;
  readonly facts: Facts;
  readonly answer: AnswerLookup;
};

async function answerNeeds(pending: Pending, first: readonly Lookup[]): Promise<Verdict> {
  const rounds = answerRounds(pending.program, pending.request, pending.facts, first);
  let step = rounds.next();
  while (step.done !== true) {
    step = rounds.next(await Promise.all(step.value.map(async (lookup) => pending.answer(lookup))));
  }
  return step.value ?? unanswered(pending.program);
}

/** More rounds than any policy needs: an entry names another lookup each time that it is answered. */
function unanswered(program: PolicyProgram): Verdict {
  const message = `context entries could not be loaded within ${MAX_ROUNDS} rounds`;
  const rules = program.rules.slice(0, 1).map(({ rule }) => ({
    rule: rule.name,
    type: "Validation" as const,
    status: "error" as const,
    message,
    action: program.policy.failureAction,
    emitWarning: false,
  }));
  return { kind: "verdict", policy: program.key, scored: true, rules };
}
