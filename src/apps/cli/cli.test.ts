/**
 * The command as users run it: processes started from `dist`, with real files. Each exit and each kind of bad input has
 * a case. Build first.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../../dist/apps/bin.js", import.meta.url));
const examples = fileURLToPath(new URL("../../../examples", import.meta.url));

let folder = "";

type Run = { readonly code: number | null; readonly out: string; readonly err: string };

function postern(
  args: readonly string[],
  options: { readonly stdin?: string; readonly env?: Record<string, string> } = {},
): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    input: options.stdin ?? "",
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
    maxBuffer: 1 << 28,
  });
  return { code: status, out: stdout, err: stderr };
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const policy = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: require-team}
spec:
  rules:
  - name: team
    match: {any: [{resources: {kinds: [Pod]}}]}
    validate:
      message: The label \`team\` is required.
      pattern: {metadata: {labels: {team: "?*"}}}
`;

function pod(name: string, labels: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels: ${labels}\nspec:\n  containers: []\n`;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "postern-cli-"));
  write("policy.yaml", policy);
  write("good.yaml", pod("good", "{team: a}"));
  write("bad.yaml", pod("bad", "{app: b}"));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("exit codes", () => {
  test.each([
    { name: "0 where everything passes", args: ["apply", "policy.yaml", "-r", "good.yaml"], code: 0 },
    { name: "1 where a policy is violated", args: ["apply", "policy.yaml", "-r", "bad.yaml"], code: 1 },
    {
      name: "0 for audited failures that only warn",
      args: ["apply", "policy.yaml", "-r", "bad.yaml", "--audit-warn"],
      code: 0,
    },
    {
      name: "the one for warnings",
      args: ["apply", "policy.yaml", "-r", "bad.yaml", "--audit-warn", "--warn-exit-code", "7"],
      code: 7,
    },
    {
      name: "the one for warnings where nothing passed",
      args: ["apply", "policy.yaml", "-r", "good.yaml", "-n", "none", "--warn-no-pass", "--warn-exit-code=9"],
      code: 9,
    },
    { name: "2 without policies", args: ["apply", "-r", "good.yaml"], code: 2 },
    { name: "2 without resources", args: ["apply", "policy.yaml"], code: 2 },
    { name: "2 for both from standard input", args: ["apply", "-", "-r", "-"], code: 2 },
    {
      name: "2 for values twice",
      args: ["apply", "policy.yaml", "-r", "good.yaml", "-f", "v.yaml", "-s", "a=b"],
      code: 2,
    },
    {
      name: "2 for a missing file",
      args: ["apply", "policy.yaml", "-r", "good.yaml", "-r", "missing.yaml"],
      code: 2,
    },
    { name: "2 for an unknown command", args: ["aply"], code: 2 },
    {
      name: "2 for a flag that needs a cluster",
      args: ["apply", "policy.yaml", "-r", "good.yaml", "--cluster"],
      code: 2,
    },
    {
      name: "2 for an impossible exit code",
      args: ["apply", "policy.yaml", "-r", "good.yaml", "--warn-exit-code", "x"],
      code: 2,
    },
    { name: "0 for help", args: ["apply", "--help"], code: 0 },
    { name: "0 for nothing at all", args: [], code: 0 },
    {
      name: "0 for upstream's way to write switches",
      args: ["apply", "policy.yaml", "-r", "good.yaml", "--audit-warn=false"],
      code: 0,
    },
  ])("$name", ({ args, code }) => {
    const run = postern(args);
    expect(run, run.err).toMatchObject({ code });
  });
});

describe("apply for people", () => {
  test("groups by resource and shows rule, message, path and line", () => {
    const run = postern(["apply", "policy.yaml", "-r", "good.yaml,bad.yaml"]);
    expect(run.out).toBe(`✗ Pod default/bad  bad.yaml:1
  FAIL  require-team › team  (audit)
        The label \`team\` is required.
        metadata.labels.team  (there is no \`team\` here)
        5 │   labels: {app: b}
          │   ^^^^^^

Applied 3 rules of 1 policy to 2 resources, 1 of them with findings

  POLICY          PASS    FAIL
  require-team       1       1

pass: 1, fail: 1, warn: 0, error: 0, skip: 0 
`);
    expect(run.err).toBe("");
  });

  test("has the same words for standard input", () => {
    const run = postern(["apply", "policy.yaml", "-r", "-"], {
      stdin: `${pod("a", "{team: a}")}---\n${pod("b", "{}")}`,
    });
    expect(run.out).toContain("✗ Pod default/b  <stdin>:9");
    expect(run.out).toContain("pass: 1, fail: 1, warn: 0, error: 0, skip: 0 \n");
  });

  test("takes the objects of a List one by one and finds their lines", () => {
    const item = (name: string): string => `- apiVersion: v1\n  kind: Pod\n  metadata: {name: ${name}}\n`;
    write("list.yaml", `apiVersion: v1\nkind: List\nitems:\n${item("one")}${item("two")}`);
    const run = postern(["apply", "policy.yaml", "-r", "list.yaml"]);
    expect(run.out).toContain("✗ Pod default/one  list.yaml:4");
    expect(run.out).toContain("✗ Pod default/two  list.yaml:7");
  });

  test("says which policies met nothing", () => {
    write("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n");
    expect(postern(["apply", "policy.yaml", "-r", "node.yaml"]).out).toContain(
      "no resource matched: require-team",
    );
  });

  test("is colored when asked, and only then", () => {
    expect(postern(["apply", "policy.yaml", "-r", "bad.yaml"]).out).not.toContain("\u001b");
    expect(postern(["apply", "policy.yaml", "-r", "bad.yaml", "--color", "always"]).out).toContain(
      "\u001b[31m",
    );
  });
});

describe("apply for machines", () => {
  test("a policy report in YAML", () => {
    const run = postern(["apply", "policy.yaml", "-r", "bad.yaml", "-p"]);
    expect(run.out).toContain("kind: ClusterReport");
    expect(run.out).toContain("result: fail");
    expect(run.code).toBe(1);
  });

  test("a policy report in JSON", () => {
    const run = postern(["apply", "policy.yaml", "-r", "bad.yaml", "-p", "--output-format", "json"]);
    const report: unknown = JSON.parse(run.out);
    expect(report).toMatchObject({
      summary: { fail: 1 },
      results: [{ policy: "require-team", rule: "team" }],
    });
  });

  test("a table, with messages when asked", () => {
    const args = ["apply", "policy.yaml", "-r", "bad.yaml", "--table"];
    expect(postern(args).out).toMatch(/ID.*POLICY.*RULE.*RESOURCE.*RESULT.*REASON/);
    expect(postern(args).out).not.toContain("MESSAGE");
    expect(postern([...args, "--detailed-results"]).out).toContain("MESSAGE");
  });
});

const deep = `a: ${"[".repeat(5000)}${"]".repeat(5000)}\n`;
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from(
  { length: 12 },
  (_, at) =>
    `${"bcdefghijklm"[at] ?? ""}: &${"bcdefghijklm"[at] ?? ""} [${Array(9)
      .fill(`*${"abcdefghijkl"[at] ?? ""}`)
      .join(",")}]\n`,
).join("")}`;

describe("bad input is one diagnostic with its place, and the rest is read", () => {
  test.each([
    {
      name: "broken YAML",
      text: "kind: Pod\nmetadata: [a\n",
      place: /bad-input\.yaml:\d+:\d+: error: .* \[yaml\/syntax\]/,
    },
    {
      name: "no kind",
      text: "metadata:\n  name: x\n",
      place: /bad-input\.yaml:1:1: error: the resource `x` has no `kind` \[resource\/no-kind\]/,
    },
    {
      name: "an empty kind",
      text: "apiVersion: v1\nkind: ''\n",
      place: /bad-input\.yaml:2:7: error: the resource has no `kind`/,
    },
    {
      name: "a list",
      text: "- a\n- b\n",
      place: /bad-input\.yaml:1:1: error: a Kubernetes object is expected here, this is a list/,
    },
    {
      name: "a text",
      text: "just words\n",
      place: /bad-input\.yaml:1:1: error: a Kubernetes object is expected here/,
    },
    {
      name: "deep nesting",
      text: deep,
      place: /bad-input\.yaml:1:\d+: error: .*nested deeper.* \[yaml\/too-large\]/,
    },
    { name: "an alias bomb", text: bomb, place: /bad-input\.yaml:\d+:\d+: error: .* \[yaml\/too-large\]/ },
    {
      name: "a key that stands twice",
      text: "apiVersion: v1\nkind: Pod\nkind: Pod\n",
      place: /bad-input\.yaml:3:1: error: key `kind`/,
    },
    {
      name: "a document of 50 MB",
      text: `a: "${"x".repeat(50_000_000)}"\n`,
      place: /bad-input\.yaml:1:1: error: the document is larger than 16 MiB/,
    },
  ])("$name", ({ text, place }) => {
    write("bad-input.yaml", `${text}---\n${pod("later", "{}")}`);
    const run = postern(["apply", "policy.yaml", "-r", "bad-input.yaml", "-r", "bad.yaml"]);
    expect(run.err).toMatch(place);
    expect(run.err.match(/: error:/g)).toHaveLength(1);
    expect(run.out).toContain("✗ Pod default/later  bad-input.yaml");
    expect(run.out).toContain("✗ Pod default/bad  bad.yaml");
    expect(run.code).toBe(2);
  });

  test.each([
    {
      name: "a missing file",
      path: "missing.yaml",
      says: "missing.yaml: error: cannot read `missing.yaml`: there is no such file",
    },
    { name: "a pattern that meets nothing", path: "*.none", says: "no file matches `*.none`" },
  ])("$name", ({ path, says }) => {
    const run = postern(["apply", "policy.yaml", "-r", path, "-r", "bad.yaml"]);
    expect(run.err).toContain(says);
    expect(run.out).toContain("✗ Pod default/bad");
    expect(run.code).toBe(2);
  });

  test("a policy of an unknown version does not stop the others", () => {
    write(
      "unknown.yaml",
      `${policy.replace("kyverno.io/v1", "kyverno.io/v9").replace("require-team", "other")}---\n${policy}`,
    );
    const run = postern(["apply", "unknown.yaml", "-r", "bad.yaml"]);
    expect(run.err).toMatch(/unknown\.yaml:1:\d+: error: /);
    expect(run.out).toContain("require-team › team");
    expect(run.code).toBe(2);
  });

  test("a policy that cannot be evaluated yet is an error, never silence", () => {
    write(
      "cel.yaml",
      "apiVersion: policies.kyverno.io/v1\nkind: ValidatingPolicy\nmetadata: {name: cel}\nspec: {matchConstraints: {resourceRules: []}, validations: [{expression: 'true'}]}\n",
    );
    const run = postern(["apply", "cel.yaml", "-r", "good.yaml"]);
    expect(run.out).toContain("ValidatingPolicy cel");
    expect(run.out).toContain("is not supported yet");
    expect(run.out).toContain("error: 1");
    expect(run.code).toBe(1);
  });

  test("a file that holds no policy", () => {
    const run = postern(["apply", "good.yaml", "-r", "bad.yaml"]);
    expect(run.err).toContain("good.yaml: error: the file holds no policy, but Pod");
    expect(run.code).toBe(2);
  });
});

test("values, users and exceptions change the answer", () => {
  write(
    "exception.yaml",
    "apiVersion: kyverno.io/v2\nkind: PolicyException\nmetadata: {name: e, namespace: default}\nspec:\n  exceptions: [{policyName: require-team, ruleNames: [team]}]\n  match: {any: [{resources: {kinds: [Pod]}}]}\n",
  );
  const run = postern(["apply", "policy.yaml", "-r", "bad.yaml", "-e", "exception.yaml"]);
  expect(run.out).toContain("with 1 exception");
  expect(run.out).toContain("pass: 0, fail: 0, warn: 0, error: 0, skip: 1 \n");
  write("values.yaml", "kind: Values\nglobalValues: {request.operation: DELETE}\n");
  expect(postern(["apply", "policy.yaml", "-r", "bad.yaml", "-f", "values.yaml"]).out).toContain("fail: 0");
  const wrong = postern(["apply", "policy.yaml", "-r", "bad.yaml", "-u", "values.yaml"]);
  expect(wrong.err).toContain("values.yaml:1:7: error: `kind: UserInfo` is expected, this is `Values`");
  expect(wrong.code).toBe(2);
});

describe("mistyped words", () => {
  test.each([
    [["aply"], "Did you mean apply?"],
    [["apply", "--resorce", "x"], "Did you mean --resource?"],
    [["jp", "qery"], "Did you mean query?"],
    [["jp", "function", "to_uper"], "did you mean `to_upper`?"],
  ])("%j", (args, says) => {
    const run = postern(args);
    expect(run.err).toContain(says);
    expect(run.code).toBe(2);
  });
});

describe("jp", () => {
  test("query prints the expression and its value", () => {
    const run = postern(["jp", "query", "metadata.labels", "to_upper(kind)"], {
      stdin: pod("p", "{b: x, a: z}"),
    });
    expect(run.out).toBe('# metadata.labels\n{\n  "a": "z",\n  "b": "x"\n}\n# to_upper(kind)\n"POD"\n');
  });

  test("query -c -u is compact and unquoted", () => {
    const run = postern(["jp", "query", "-c", "-u", "-i", "good.yaml", "kind", "metadata.labels"]);
    expect(run.out).toBe('# kind\nPod\n# metadata.labels\n{"team":"a"}\n');
  });

  test.each([["a b"], ["truncate(kind)"]])("what cannot be evaluated is wrong input: %s", (expression) => {
    const run = postern(["jp", "query", "-i", "good.yaml", expression]);
    expect(run.code).toBe(2);
    expect(run.err).toContain("postern jp query: ");
  });

  test("parse prints a tree", () => {
    expect(postern(["jp", "parse", "a.b"]).out).toContain("# a.b\n");
  });

  test("function explains one or lists all", () => {
    expect(postern(["jp", "function", "to_upper"]).out).toMatch(/Name: +to_upper\n +Signature: .*\n +Note: /);
    expect(postern(["jp", "function"]).out.match(/Name:/g)?.length).toBeGreaterThan(60);
  });
});

test("version is three lines, or JSON, or YAML", () => {
  expect(postern(["version"]).out).toMatch(/^Version: \d+\.\d+\.\d+\nTime: .*\nGit commit ID: .*\n$/);
  expect(JSON.parse(postern(["version", "-o", "json"]).out)).toHaveProperty("gitCommitId");
  expect(postern(["--version"]).out).toMatch(/^Version: /);
});

test.each(["bash", "zsh", "fish", "powershell"])("completion for %s knows commands and flags", (shell) => {
  const run = postern(["completion", shell]);
  expect(run.out).toContain("apply");
  expect(run.out).toContain("policy-report");
});

test("the bash completion completes", () => {
  const script = postern(["completion", "bash"]).out;
  const ask = `${script}\nCOMP_WORDS=(postern jp q); COMP_CWORD=2; _postern; echo "\${COMPREPLY[@]}"
COMP_WORDS=(postern apply --po); COMP_CWORD=2; _postern; echo "\${COMPREPLY[@]}"
COMP_WORDS=(postern apply --color a); COMP_CWORD=3; _postern; echo "\${COMPREPLY[@]}"
COMP_WORDS=(postern apply --output-format ""); COMP_CWORD=3; _postern; echo "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["-c", ask], { encoding: "utf8" });
  expect(stdout).toBe("query\n--policy-report\nauto always\nyaml json table\n");
});

test.each([
  { words: ["--color", "never", "apply", "policy.yaml", "-r", "bad.yaml"], code: 1, colored: false },
  { words: ["--color=always", "apply", "policy.yaml", "-r", "bad.yaml"], code: 1, colored: true },
  { words: ["--remove-color", "jp", "--color", "never", "parse", "a"], code: 0, colored: false },
  { words: ["--color", "sometimes", "apply", "policy.yaml", "-r", "bad.yaml"], code: 2, colored: false },
  { words: ["--color", "never"], code: 0, colored: false },
])("common flags may stand before the command: $words", ({ words, code, colored }) => {
  const run = postern(words);
  expect(run.code).toBe(code);
  expect(run.out.includes("\u001b[")).toBe(colored);
});

test.each(["CI", "FORCE_COLOR"])("a pipe gets no colors where %s is set", (name) => {
  expect(postern(["apply", "policy.yaml", "-r", "bad.yaml"], { env: { [name]: "1" } }).out).not.toContain(
    "\u001b[",
  );
});

test("every command has help with examples", () => {
  for (const path of [
    ["apply"],
    ["jp", "query"],
    ["jp", "parse"],
    ["jp", "function"],
    ["version"],
    ["completion"],
  ]) {
    expect(postern([...path, "--help"]).out).toContain("Examples:");
  }
});

test("the example policies find what is wrong with the example resources", () => {
  const run = postern([
    "apply",
    join(examples, "policies"),
    "-r",
    join(examples, "resources"),
    "--exceptions-within-policies",
  ]);
  expect(run.err).toBe("");
  expect(run.code).toBe(1);
  expect(run.out).toContain("image: redis:latest");
  expect(run.out).toContain("privileged: true");
});

test("memory does not grow with the number of documents", () => {
  // Held all at once, so many objects take more than the heap that is allowed here.
  const documents = Array.from({ length: 60_000 }, (_, at) => pod(`p${at}`, "{team: a}"));
  write("many.yaml", documents.join("---\n"));
  const args = ["--max-old-space-size=36", bin, "apply", "policy.yaml", "-r", "many.yaml"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(stdout).toContain("pass: 60000, fail: 0");
  expect(status).toBe(0);
});
