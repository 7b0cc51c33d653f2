/** What people read: places in manifests, excerpts, messages, tables. */
import { describe, expect, test } from "vitest";
import type { RuleResult } from "#engine";
import { loadOne } from "#json";
import type { JsonObject } from "#json";
import { wholeFile } from "../load/problem.ts";
import type { LoadedResource } from "../load/resources.ts";
import { renderProblem } from "./diagnostic.ts";
import { renderFindings, shortMessage } from "./findings.ts";
import { harmless, harmlessLines, paintFor } from "./paint.ts";
import { resolvePath } from "./resource-place.ts";
import { renderCounts, renderSummary } from "./summary.ts";
import { wrapText } from "./wrap-text.ts";

const output = { isTty: false, columns: 80, write: () => {}, flush: async () => {}, closed: () => false };
const plain = paintFor(output, {});
const options = { paint: plain, columns: 80 };

const text = `# a team's pod
apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  labels: {app.kubernetes.io/name: web}
spec:
  containers:
  - name: web
    image: nginx:latest
`;

function loaded(linesBefore = 0): LoadedResource {
  const source = { ...wholeFile("pod.yaml", text), linesBefore: () => linesBefore };
  return { resource: loadOne(text, "pod.yaml").value as JsonObject, source, document: 0, pointer: "" };
}

function result(more: Partial<RuleResult>): RuleResult {
  return {
    rule: "tag",
    type: "Validation",
    status: "fail",
    message: "validation error: no latest. rule tag failed at path /spec/containers/0/image/",
    path: "/spec/containers/0/image/",
    action: "Enforce",
    emitWarning: false,
    ...more,
  };
}

describe("paths as rules name them", () => {
  test.each([
    ["/spec/containers/0/image/", "/spec/containers/0/image", "spec.containers[0].image", undefined],
    [
      "/metadata/labels/app.kubernetes.io/name/",
      "/metadata/labels/app.kubernetes.io~1name",
      'metadata.labels["app.kubernetes.io/name"]',
      undefined,
    ],
    [
      "/metadata/labels/team.example.com/name/",
      "/metadata/labels/team.example.com~1name",
      'metadata.labels["team.example.com/name"]',
      "team.example.com/name",
    ],
    ["/spec/hostNetwork/", "/spec/hostNetwork", "spec.hostNetwork", "hostNetwork"],
    ["/spec/containers/7/image/", "/spec/containers/7/image", "spec.containers[7].image", "7"],
    ["", "", "", undefined],
  ])("%s", (path, pointer, shown, missing) => {
    const resolved = resolvePath(loaded().resource, path);
    expect(resolved).toMatchObject({ pointer, text: shown });
    expect(resolved.missing).toBe(missing);
  });
});

describe("a finding", () => {
  test("shows the resource, the rule, the message, the path and the line that it is on", () => {
    const shown = renderFindings(
      loaded(100),
      [{ policy: "images", result: result({}), status: "fail" }],
      options,
    );
    expect(shown).toBe(`✗ Pod shop/web  pod.yaml:102
  FAIL  images › tag
        no latest.
        spec.containers[0].image
        111 │     image: nginx:latest
            │            ^^^^^^^^^^^^

`);
  });

  test("names what is missing and points at what it is missing from", () => {
    const missing = result({
      rule: "r",
      path: "/metadata/labels/team/",
      message: "validation error: rule r failed at path /metadata/labels/team/",
    });
    const shown = renderFindings(loaded(), [{ policy: "p", result: missing, status: "warn" }], options);
    expect(shown).toContain("metadata.labels.team  (there is no `team` here)");
    expect(shown).toContain("7 │   labels: {app.kubernetes.io/name: web}");
  });

  test("points at the name of a map, and shows severity and audit", () => {
    const mapped = result({ path: "/metadata/", action: "Audit" });
    const shown = renderFindings(
      loaded(),
      [{ policy: "p", result: mapped, status: "fail", severity: "high" }],
      options,
    );
    expect(shown).toContain("p › tag  (high, audit)");
    expect(shown).toContain("4 │ metadata:");
  });

  test("without a path is the rule and its message", () => {
    const { path: _path, ...rest } = result({ message: "refused" });
    expect(renderFindings(loaded(), [{ policy: "p", result: rest, status: "error" }], options)).toBe(
      "✗ Pod shop/web  pod.yaml:2\n  ERROR p › tag\n        refused\n\n",
    );
  });
});

test.each([
  ["validation error: A. rule r failed at path /a/", "/a/", "A."],
  ["validation error: rule r failed at path /a/", "/a/", "rule r failed at path /a/"],
  ["validation error: A. rule other failed at path /a/", "/a/", "A. rule other failed at path /a/"],
  ["validation failure: B", undefined, "B"],
])("the short form of %s", (message, path, want) => {
  const { path: _path, ...rest } = result({ rule: "r", message });
  expect(shortMessage(path === undefined ? rest : { ...rest, path })).toBe(want);
});

test("a problem is a line that editors can parse, the source line and the help", () => {
  const source = { ...wholeFile("a.yaml", "kind: Pod\nmeta:\n  x: [1\n"), linesBefore: () => 10 };
  const diagnostic = {
    code: "yaml/syntax" as const,
    severity: "error" as const,
    message: "bad \u001b[31m",
    file: "a.yaml",
    document: 0,
    pointer: "/meta/x",
    help: "do it right",
    span: { start: { line: 3, column: 6, offset: 21 }, end: { line: 3, column: 7, offset: 22 } },
  };
  expect(renderProblem({ diagnostic, source }, plain)).toBe(
    "a.yaml:13:6: error: bad \\u001b[31m [yaml/syntax]\n  13 │   x: [1\n     │      ^\n  help: do it right\n",
  );
});

test("text from documents cannot command a terminal", () => {
  expect(harmless("a\u001b]0;x\u0007b\r\n::error::\u2028\u202e")).toBe(
    "a\\u001b]0;x\\u0007b\\u000d\\u000a::error::\\u2028\\u202e",
  );
  expect(harmlessLines("a\u001b]0;x\u0007b\tc\nd\r\u202e")).toBe("a\\u001b]0;x\\u0007b\tc\nd\\u202e");
});

test("long text is broken at spaces, its own lines are kept", () => {
  expect(wrapText("aa bb cc\n  dd\nverylongword x", 6)).toEqual(["aa bb", "cc", "  dd", "verylongword", "x"]);
});

test("the summary names the policies that nothing met, and ends with upstream's line", () => {
  const none = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
  const counts = { ...none, pass: 2, fail: 1 };
  const policies = new Map([
    ["p", counts],
    ["q", none],
  ]);
  const sizes = { rules: 3, resources: 2, flaggedResources: 1, exceptions: 0, exceptionsLeftOut: 1 };
  const summary = { ...sizes, policies, counts };
  expect(`${renderSummary(summary, plain)}${renderCounts(counts, plain)}`)
    .toBe(`Applied 3 rules of 2 policies to 2 resources, 1 of them with findings

  POLICY    PASS    FAIL
  p            2       1
  no resource matched: q
  not used: 1 exception among the policies, see --exceptions-within-policies

pass: 2, fail: 1, warn: 0, error: 0, skip: 0 
`);
});

describe("colors", () => {
  test.each([
    ["auto", true, {}, true],
    ["auto", false, {}, false],
    ["auto", true, { NO_COLOR: "1" }, false],
    ["auto", true, { TERM: "dumb" }, false],
    ["always", false, { NO_COLOR: "1" }, true],
    ["never", true, {}, false],
  ])("%s, terminal %s, %j", (when, isTty, env, want) => {
    expect(paintFor({ ...output, isTty }, env, when).red("x") !== "x").toBe(want);
  });
});
