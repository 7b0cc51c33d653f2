/** Rows as text: names and messages of others must not break the form. */
import picocolors from "picocolors";
import { describe, expect, test } from "vitest";

import { wholeFile } from "../../load/problem.ts";
import { renderTest, renderTestSummary } from "./render-people.ts";
import { renderJson, renderJunit, renderMarkdown, renderYaml } from "./render-rows.ts";
import type { TestRow } from "./rows.ts";
import type { TestOutcome } from "./run-test.ts";

function row(more: Partial<TestRow> = {}): TestRow {
  return {
    policy: "p",
    rule: "r",
    resource: "v1/Pod/default/a",
    want: "pass",
    got: "fail",
    outcome: "fail",
    vacuous: false,
    reason: "Want pass, got fail",
    message: "no team",
    unsupported: false,
    pointer: "/results/0",
    ...more,
  };
}

const passed = row({ outcome: "pass", got: "pass", reason: "Ok", message: "fine" });
const skipped = row({ outcome: "skip", reason: "Excluded", message: "", vacuous: true });

function outcome(rows: readonly TestRow[], more: Partial<TestOutcome> = {}): TestOutcome {
  const source = wholeFile("t.yaml", "kind: Test\nresults:\n- policy: p\n");
  return { test: "team", file: "t.yaml", document: 0, source, rows, problems: [], ...more };
}

const plain = { paint: picocolors.createColors(false), columns: 80, failOnly: false, detailed: false };

describe("for people", () => {
  test("a failing row has its reason, its place in the test file and what was said", () => {
    expect(renderTest(outcome([row(), passed, skipped]), plain)).toBe(
      "✗ team  2/3  t.yaml\n  FAIL p › r › v1/Pod/default/a\n      Want pass, got fail  t.yaml:3:3\n      no team\n",
    );
  });

  test("a test that is met is a line, and all rows where details are wanted", () => {
    expect(renderTest(outcome([passed, skipped]), plain)).toBe("✓ team  2/2  t.yaml\n");
    expect(renderTest(outcome([passed, skipped]), { ...plain, detailed: true })).toBe(
      "✓ team  2/2  t.yaml\n  pass p › r › v1/Pod/default/a\n      fine\n  skip p › r › v1/Pod/default/a\n",
    );
  });

  test("only failures, where they are wanted", () => {
    expect(renderTest(outcome([passed]), { ...plain, failOnly: true })).toBe("");
    const text = renderTest(outcome([row(), passed]), { ...plain, failOnly: true, detailed: true });
    expect(text).toContain("FAIL");
    expect(text).not.toContain("  pass ");
  });

  test("a test with errors is not shown as met", () => {
    const problem = { diagnostic: { code: "file/unreadable", severity: "error", message: "gone" } } as const;
    expect(renderTest(outcome([passed], { problems: [problem] }), plain)).toBe(
      "! team  1/1  t.yaml  not everything could be read\n",
    );
  });

  test("names cannot speak to the terminal", () => {
    const text = renderTest(
      outcome([row({ rule: "\u001b[2J", message: "\u001b]0;x" })], { test: "a\nb" }),
      plain,
    );
    expect(text).not.toContain("\u001b");
    expect(text.split("\n")[0]).toBe("✗ a\\u000ab  0/1  t.yaml");
  });

  test("the summary is upstream's, and counts vacuous rows", () => {
    const rows = [row(), passed, skipped];
    expect(renderTestSummary(rows, { ...plain, upstreamCounting: false })).toBe(
      "\nTest Summary: 2 tests passed and 1 tests failed\n",
    );
    const failOnly = renderTestSummary(rows, { ...plain, failOnly: true, upstreamCounting: true });
    expect(failOnly).toContain("Test Summary: 1 out of 3 tests failed\n1 of the passed rows are vacuous");
  });
});

const record = {
  ID: 1,
  TEST: "team",
  POLICY: "p",
  RULE: "r",
  RESOURCE: "v1/Pod/default/a",
  RESULT: "Fail",
  REASON: "Want pass, got fail",
  MESSAGE: "no team",
};

test("json is a list of records, numbered through all tests", () => {
  const records: unknown = JSON.parse(renderJson([outcome([row()]), outcome([passed])]));
  expect(records).toEqual([record, { ...record, ID: 2, RESULT: "Pass", REASON: "Ok", MESSAGE: "fine" }]);
  expect(JSON.parse(renderJson([]))).toEqual([]);
});

test("yaml has the same records", () => {
  expect(renderYaml([outcome([row()])])).toContain("RESULT: Fail");
});

test("markdown is a table, whatever the names are", () => {
  const lines = renderMarkdown([outcome([row({ rule: "a|b\\|c\nd" })])]).split("\n");
  expect(lines).toEqual([
    "| ID | POLICY | RULE | RESOURCE | RESULT | REASON |",
    "|:---|:---|:---|:---|:---|:---|",
    "| 1 | p | a\\|b\\\\\\|c\\\\u000ad | v1/Pod/default/a | Fail | Want pass, got fail |",
    "",
  ]);
});

test("junit has a suite a policy and a case a row", () => {
  expect(renderJunit([outcome([row(), passed, skipped, row({ policy: "q" })])])).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="p" tests="3" failures="1" skipped="1">
    <testcase classname="r" name="v1/Pod/default/a"><failure message="Want pass, got fail">no team</failure></testcase>
    <testcase classname="r" name="v1/Pod/default/a"/>
    <testcase classname="r" name="v1/Pod/default/a"><skipped message="Excluded"/></testcase>
  </testsuite>
  <testsuite name="q" tests="1" failures="1" skipped="0">
    <testcase classname="r" name="v1/Pod/default/a"><failure message="Want pass, got fail">no team</failure></testcase>
  </testsuite>
</testsuites>
`,
  );
});

test("junit escapes what XML would read", () => {
  const text = renderJunit([
    outcome([row({ policy: `"<p>&`, rule: "\u0000\u001b", message: "]]></failure>\n<x/>" })]),
  ]);
  expect(text).toContain(`<testsuite name="&quot;&lt;p&gt;&amp;"`);
  expect(text).toContain(`classname="\uFFFD\uFFFD"`);
  expect(text).toContain("]]&gt;&lt;/failure&gt;&#10;&lt;x/&gt;</failure>");
});
