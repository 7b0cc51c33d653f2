/**
 * `postern test` over the directories of ClusterPolicy tests, strict: an expectation is met by a rule response with that
 * very status for that very resource. The data is a folder with `CORE.txt` (or any folder with test files below it).
 */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { findTestFiles, runTestFile, type Answer, type TestRow } from "#cli";
import { createWorld } from "#platform";

import type { Row, Suite } from "../suite.ts";

/** SPEC: conformance/README.md, the allow-list and what stands beside each entry. */
const allowed: readonly { readonly folder: RegExp; readonly reason: string }[] = [
  {
    folder: /istio\/(enforce|add)-ambient-mode-namespace\//,
    reason: "allow-list: the rule's name differs between test and policy",
  },
  {
    folder: /test\/cli\/(registry|test\/images\/signatures|test\/images\/verify-signature)\//,
    reason: "allow-list: needs a registry",
  },
  { folder: /test\/cli\/test-fail\//, reason: "allow-list: fails on purpose" },
  { folder: /sample-policy-exclusion\//, reason: "allow-list: a file is missing upstream" },
];

/** What the test asks: nothing of what came of it. */
type CoreInput = Pick<TestRow, "policy" | "rule" | "resource" | "want"> & { readonly folder: string };

export const suite: Suite = {
  name: "kyverno-test-core",
  bar: 99,
  data: "kyverno-test",
  deviations: [
    {
      id: "old-cronjob",
      reason:
        "autogen's rules match CronJobs of batch/v1 alone, in the original too: it prints Excluded and counts a pass, Postern wants an answer",
      covers: ({ input }) => wantsOldCronJob(input as CoreInput),
    },
  ],
  controls: [
    {
      name: "answers nothing",
      chance: (want) => want === "skip",
      most: 5,
      run: (path) => rowsOf(path, (answer) => ({ ...answer, rules: [] })),
    },
    {
      name: "passes everything",
      chance: (want) => want === "pass",
      run: (path) => rowsOf(path, (answer) => withStatus(answer, "pass")),
    },
    {
      name: "fails everything",
      // A failure of a policy that is not scored is a warning.
      chance: (want) => want === "fail" || want === "warn",
      run: (path) => rowsOf(path, (answer) => withStatus(answer, "fail")),
    },
  ],
  run: (path) => rowsOf(path),
};

type Replace = (answer: Answer) => Answer;

/** The same answer of every rule of the policy, matching or not. */
function withStatus(answer: Answer, status: "pass" | "fail"): Answer {
  const rules = answer.ruleNames().map((rule) => ({
    rule,
    type: "Validation" as const,
    status,
    message: "a control",
    action: "Audit" as const,
    emitWarning: false,
  }));
  return { ...answer, rules };
}

/** @param replace puts other answers in place of the engine's */
async function* rowsOf(path: string, replace?: Replace): AsyncGenerator<Row> {
  for (const folder of await coreFolders(path)) yield* rowsOfFolder(path, folder, replace);
}

export async function coreFolders(path: string): Promise<readonly string[]> {
  const list = join(path, "CORE.txt");
  if (existsSync(list)) return readFileSync(list, "utf8").split("\n").filter(Boolean);
  const files = await findTestFiles([path], "kyverno-test.yaml");
  return files.map((file) => relative(path, join(file, "..")));
}

/** What the suite says of an engine is what `postern test` says: the same code. */
async function* rowsOfFolder(path: string, folder: string, replace?: Replace): AsyncGenerator<Row> {
  const file = join(path, folder, "kyverno-test.yaml");
  const options = {
    upstreamCounting: false,
    select: <T>(expectation: T): T => expectation,
    ...(replace === undefined ? {} : { replace }),
  };
  const { outcomes } = await runTestFile(file, createWorld(), options);
  const rows = outcomes.flatMap((outcome) => outcome.rows);
  for (const [index, row] of rows.entries()) yield judge(row, folder, index);
}

function judge(row: TestRow, folder: string, index: number): Row {
  const id = `${folder}#${index} ${row.policy}/${row.rule} ${row.resource}`;
  const entry = allowed.find((candidate) => candidate.folder.test(`${folder}/`));
  if (entry !== undefined) return { id, uncovered: entry.reason };
  if (row.unsupported) return { id, uncovered: "a rule type of a later issue" };
  const { policy, rule, resource, want } = row;
  const input: CoreInput = { policy, rule, resource, want, folder };
  return {
    id,
    passed: row.outcome !== "fail",
    want,
    got: row.got ?? row.message,
    input,
  };
}

/** An answer of an autogen rule is expected for a CronJob of a version that autogen does not know. */
function wantsOldCronJob({ rule, resource, want }: CoreInput): boolean {
  return (
    want !== "skip" && rule.startsWith("autogen-cronjob-") && resource.startsWith("batch/v1beta1/CronJob/")
  );
}
