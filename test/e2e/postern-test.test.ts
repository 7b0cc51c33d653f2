/**
 * `postern test` as users run it: processes from `dist`, small folders of tests. Each exit code, each form of output and
 * each kind of broken test has a case. Build first.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../dist/apps/bin.js", import.meta.url));
let folder = "";

type Run = { readonly code: number | null; readonly out: string; readonly err: string };

function postern(...args: readonly string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "test", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "" },
  });
  return { code: status, out: stdout, err: stderr };
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const head = "apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\n";

function policy(name: string, check: string): string {
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: ${name}}
spec:
  rules:
  - name: team
    match: {any: [{resources: {kinds: [Pod]}}]}
    validate:
      message: a team is required
      ${check}: {metadata: {labels: {team: "?*"}}}
`;
}

/** A test in a folder of its own, of the policy and resources that all share. */
function writeTest(name: string, results: readonly string[], more = ""): void {
  const list = results.map((result) => `- {policy: require-team, ${result}}\n`).join("");
  const files = more === "" ? "policies: [../policy.yaml]\nresources: [../resources.yaml]\n" : more;
  write(`${name}/kyverno-test.yaml`, `${head}metadata: {name: ${name}}\n${files}results:\n${list}`);
}

const met = "rule: team, resources: [good], kind: Pod, result: pass";
const absent = "rule: team, resources: [svc], kind: Service, result: fail";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  write("policy.yaml", policy("require-team", "pattern"));
  write(
    "resources.yaml",
    `apiVersion: v1
kind: Pod
metadata: {name: good, labels: {team: a}}
---
apiVersion: v1
kind: Pod
metadata: {name: bad}
---
apiVersion: v1
kind: Service
metadata: {name: svc}
`,
  );
  writeTest("met", [met]);
  writeTest("failed", ["rule: team, resources: [bad], kind: Pod, result: pass", met]);
  writeTest("absent", [absent]);
  writeTest(
    "missing",
    [met],
    "policies: [../policy.yaml, nowhere.yaml]\nresources: [../resources.yaml]\nuserinfo: who.yaml\n",
  );
  writeTest("refused", [met], "policies: [policy.yaml]\nresources: [../resources.yaml]\n");
  write("refused/policy.yaml", policy("require-team", "pattren"));
  write("deprecated/kyverno-test.yaml", "name: old\npolicies: [../policy.yaml]\n");
  write("broken/kyverno-test.yaml", `${head}results: [\n`);
  mkdirSync(join(folder, "empty"));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("exit codes", () => {
  test.each([
    { name: "0 where all is met", args: ["met"], code: 0 },
    { name: "1 where something is not", args: ["met", "failed"], code: 1 },
    { name: "1 where no rule answered", args: ["absent"], code: 1 },
    { name: "0 for the same by upstream's counting", args: ["absent", "--upstream-counting"], code: 0 },
    { name: "2 where a file is missing", args: ["missing"], code: 2 },
    { name: "2 where a policy is refused", args: ["refused"], code: 2 },
    { name: "2 for broken YAML", args: ["broken"], code: 2 },
    { name: "2 for a path that is not there", args: ["gone"], code: 2 },
    { name: "2 without a path", args: [], code: 2 },
    { name: "2 for a selector that is none", args: ["met", "-t", "polcy=a"], code: 2 },
    { name: "0 where there are no tests", args: ["empty"], code: 0 },
    { name: "1 where tests are required", args: ["empty", "--require-tests"], code: 1 },
    {
      name: "1 where tests are required and none is selected",
      args: ["met", "-t", "rule=x", "--require-tests"],
      code: 1,
    },
  ])("$name", ({ args, code }) => {
    expect(postern(...args).code).toBe(code);
  });
});

test("a failing row says what the rule answered, and where it was expected", () => {
  expect(postern("failed").out).toBe(`✗ failed  1/2  failed/kyverno-test.yaml
  FAIL require-team › team › v1/Pod/default/bad
      Want pass, got fail  failed/kyverno-test.yaml:7:3
      validation error: a team is required. rule team failed at path
      /metadata/labels/

Test Summary: 1 tests passed and 1 tests failed
`);
});

test("a row without an answer says why the rule did not match", () => {
  expect(postern("absent").out).toContain(
    "Want fail, got no answer  absent/kyverno-test.yaml:7:3\n      rule team not matched",
  );
});

test.each([
  ["rule", met.replace("team", "taem"), "has no rule `taem`; did you mean `team`?"],
  [
    "resource",
    met.replace("good", "goood"),
    "no resource `goood` is among the test's resources; did you mean `good`?",
  ],
])("a misspelt %s has a suggestion", (name, result, says) => {
  writeTest(`misspelt-${name}`, [result]);
  expect(postern(`misspelt-${name}`, "-o", "json").out).toContain(says);
});

test("upstream's counting says how many rows were vacuous", () => {
  expect(postern("absent", "met", "--upstream-counting").out).toContain("1 of the passed rows are vacuous");
  const json = postern("absent", "--upstream-counting", "-o", "json");
  expect(json.err).toContain("1 of the passed rows are vacuous");
  expect(JSON.parse(json.out)).toMatchObject([{ RESULT: "Skip", REASON: "Excluded" }]);
});

describe("bad input never stops the others", () => {
  test("missing files are one diagnostic each, where the test names them", () => {
    const run = postern("missing", "met");
    expect(run.err.match(/error:/g)).toHaveLength(2);
    expect(run.err).toContain("missing/kyverno-test.yaml:4:28: error: cannot read `missing/nowhere.yaml`");
    expect(run.err).toContain("missing/kyverno-test.yaml:6:11: error: cannot read `missing/who.yaml`");
    expect(run.out).toContain("! missing  1/1");
    expect(run.out).toContain("✓ met  1/1");
  });

  test("the rows of a refused policy say what is wrong with it", () => {
    const run = postern("refused", "-o", "json");
    expect(run.out).toMatch(
      /policy `require-team` is refused: exactly one of .* \(refused\/policy\.yaml:8:5\)/,
    );
    expect(postern("refused", "--upstream-counting", "-o", "json").out).toContain("Invalid policy");
  });

  test("the deprecated schema is one error with the fix", () => {
    const run = postern("deprecated", "met");
    expect(run.err.match(/error:/g)).toHaveLength(1);
    expect(run.err).toContain("deprecated/kyverno-test.yaml:1:7: error:");
    expect(run.err).toContain("help: begin it with `apiVersion: cli.kyverno.io/v1alpha1`, `kind: Test`");
    expect(run.out).toContain("1 tests passed and 0 tests failed");
  });

  test("what is wrong with a policy of many tests is said once", () => {
    writeTest("refused-again", [met], "policies: [../refused/policy.yaml]\nresources: [../resources.yaml]\n");
    expect(postern("refused", "refused-again").err.match(/unknown field `pattren`/g)).toHaveLength(1);
  });
});

describe("output", () => {
  test("of failures only", () => {
    const run = postern("met", "failed", "--fail-only");
    expect(run.out).not.toContain("✓");
    expect(run.out).toContain("Test Summary: 1 out of 3 tests failed");
    expect(JSON.parse(postern("met", "failed", "--fail-only", "-o", "json").out)).toHaveLength(1);
  });

  test("of every row", () => {
    expect(postern("met", "--detailed-results").out).toContain(
      "  pass require-team › team › v1/Pod/default/good\n      validation rule 'team' passed.\n",
    );
  });

  test.each([
    ["json", '[\n  {\n    "ID": 1,'],
    ["yaml", "- ID: 1\n"],
    [
      "junit",
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="require-team" tests="1"',
    ],
    ["markdown", "| ID | POLICY | RULE | RESOURCE | RESULT | REASON |\n"],
  ])("as %s is that alone", (format, begins) => {
    const run = postern("met", "-o", format);
    expect(run.out.startsWith(begins)).toBe(true);
    expect(run.err).toBe("");
    expect(run.out).not.toContain("Test Summary");
  });

  test("of a selection", () => {
    expect(postern("met", "failed", "-t", "resource=bad").out).not.toContain("met/kyverno-test.yaml");
    expect(postern("met", "-t", "rule=x").err).toBe("no expectation of 1 test is selected by `rule=x`\n");
    expect(postern("empty").err).toBe("No test yamls available\n");
  });
});
