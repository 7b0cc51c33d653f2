/**
 * What the real Kyverno 1.19 answered for every rule on every resource of the ClusterPolicy test directories: the status
 * of each (`oracle-core`) and its message (`oracle-core-messages`). An answer that one side has and the other lacks is a
 * miss of both.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { answerTestFile, type Answer, type AnsweredTest } from "#cli";
import { createWorld } from "#platform";

import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type OracleResult = {
  readonly policy: string;
  readonly rule: string;
  readonly resource: string;
  readonly result: string;
  readonly message: string;
};

type OracleLine = {
  readonly dir: string;
  readonly runs: readonly { readonly exit: number; readonly results: readonly OracleResult[] }[];
};

type Given = { readonly status: string; readonly message: string };

/** @param compare what of an answer must be equal */
export function oracleSuite(name: string, bar: number, compare: (given: Given) => string): Suite {
  return {
    name,
    bar,
    data: "oracle/kyverno-1.19.0.jsonl",
    deviations: [],
    async *run(path) {
      const tests = join(dirname(path), "../kyverno-test");
      const core = coreList(tests);
      for (const line of readRows<OracleLine>(path)) {
        if (core === undefined || core.has(line.dir)) yield* rowsOf(line, tests, compare);
      }
    },
  };
}

export const suite: Suite = oracleSuite("oracle-core", 99, (given) => given.status);

function coreList(tests: string): ReadonlySet<string> | undefined {
  const list = join(tests, "CORE.txt");
  return existsSync(list) ? new Set(readFileSync(list, "utf8").split("\n").filter(Boolean)) : undefined;
}

async function* rowsOf(
  line: OracleLine,
  tests: string,
  compare: (given: Given) => string,
): AsyncGenerator<Row> {
  const file = join(tests, line.dir, "kyverno-test.yaml");
  if (!existsSync(file)) return yield { id: line.dir, uncovered: "the test directory is not in this data" };
  const runs = await answerTestFile(file, createWorld());
  for (const [index, run] of line.runs.entries()) {
    if (run.exit === 2) yield { id: `${line.dir}#${index}`, uncovered: "the original crashed" };
    else yield* compareRun(`${line.dir}#${index}`, run.results, runs[index] ?? NOTHING, compare);
  }
}

const NOTHING: AnsweredTest = { answers: [], unsupported: [] };

function* compareRun(
  id: string,
  results: readonly OracleResult[],
  { answers, unsupported: kinds }: AnsweredTest,
  compare: (given: Given) => string,
): Generator<Row> {
  const given = new Map<string, Given>();
  const unsupported = new Set<string>();
  for (const answer of answers) {
    for (const rule of answer.rules) {
      const key = keyOf(answer.policy, rule.rule, labelOf(answer));
      if (answer.isUnsupported(rule.rule)) unsupported.add(key);
      const status = rule.status === "fail" && !answer.scored ? "warn" : rule.status;
      given.set(key, { status, message: rule.message });
    }
  }
  const wanted = new Map(
    results.map((result) => [keyOf(result.policy, result.rule, result.resource), result]),
  );
  for (const key of new Set([...wanted.keys(), ...given.keys()])) {
    const want = wanted.get(key);
    const got = given.get(key);
    const later = unsupported.has(key) ? RULE_TYPE : want === undefined ? undefined : laterPart(want, kinds);
    if (later !== undefined) {
      yield { id: `${id} ${key}`, uncovered: later };
      continue;
    }
    const wantText =
      want === undefined ? "no answer" : compare({ status: want.result, message: want.message });
    const gotText = got === undefined ? "no answer" : compare(got);
    yield {
      id: `${id} ${key}`,
      passed: wantText === gotText,
      want: wantText,
      got: gotText,
      input: { want, got },
    };
  }
}

const RULE_TYPE = "a rule type of a later issue";

/** Policies of other kinds, and answers that only a mutation, a generation or an image signature gives. */
function laterPart({ policy, message }: OracleResult, kinds: readonly string[]): string | undefined {
  if (kinds.includes(policy.slice(policy.indexOf("/") + 1))) return "a policy kind of a later issue";
  const later = /^(mutated |no patches applied|verified |failed to verify image|\d+ elements processed)/.test(
    message,
  );
  return later ? RULE_TYPE : undefined;
}

/** Policies are compared without their namespace: upstream's report names them either way. */
function keyOf(policy: string, rule: string, resource: string): string {
  return `${policy.slice(policy.indexOf("/") + 1)}/${rule} ${resource}`;
}

function labelOf(answer: Answer): string {
  return [answer.apiVersion, answer.kind, answer.namespace, answer.name].join("/");
}
