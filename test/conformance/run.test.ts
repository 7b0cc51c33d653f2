/** The judge is judged: what leaves the total, what fails a suite, and that nothing passes by having run nothing. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderFigure, renderResult } from "./render.ts";
import { dataPath, runSuite } from "./run.ts";
import type { Row, Suite, SuiteResult } from "./suite.ts";

function suiteOf(rows: readonly Row[], deviations: Suite["deviations"] = []): Suite {
  return { name: "sample", bar: 99, data: "vectors/engine/sample.jsonl", deviations, run: () => rows };
}

function row(id: string, passed: boolean): Row {
  return { id, passed, want: "w", got: passed ? "w" : "g", input: id };
}

const hundred = Array.from({ length: 100 }, (_, index) => row(`row-${index}`, true));

describe("a suite's figure", () => {
  test("counts passed rows over all answered rows", async () => {
    const result = await runSuite(suiteOf([...hundred, row("bad", false)]), "");
    expect(renderFigure(result)).toBe("sample: 100 of 101 (99.00 %)");
    expect(result.problems).toEqual([]);
  });

  test("is rounded down, so that a miss always shows", async () => {
    const rows = Array.from({ length: 200 }, () => hundred).flat();
    const result = await runSuite(suiteOf([...rows, row("bad", false)]), "");
    expect(renderFigure(result)).toBe("sample: 20000 of 20001 (99.99 %)");
  });

  test("below the bar is a problem", async () => {
    const result = await runSuite(suiteOf([row("a", true), row("bad", false)]), "");
    expect(result.problems).toEqual(["below the bar of 99 %"]);
  });

  test("of no rows is a problem and never 100 %", async () => {
    const result = await runSuite(suiteOf([]), "");
    expect(renderFigure(result)).toBe("sample: 0 of 0 (0.00 %)");
    expect(result.problems).toEqual(["no rows were run"]);
  });

  test("leaves uncovered rows out and counts them by reason", async () => {
    const result = await runSuite(suiteOf([...hundred, { id: "m", uncovered: "mutate rules" }]), "");
    expect(result.total).toBe(100);
    expect(result.uncovered).toEqual(new Map([["mutate rules", 1]]));
  });
});

describe("deviations", () => {
  const deviation = {
    id: "odd",
    reason: "why",
    covers: ({ input }: { readonly input: unknown }) => String(input).startsWith("odd"),
  };

  test("take their rows out of the total", async () => {
    const result = await runSuite(suiteOf([...hundred, row("odd-1", false)], [deviation]), "");
    expect([result.passed, result.total, result.deviated.get("odd")]).toEqual([100, 100, 1]);
    expect(result.problems).toEqual([]);
  });

  test("are stale where a covered row passes", async () => {
    const result = await runSuite(suiteOf([...hundred, row("odd-1", true)], [deviation]), "");
    expect(result.problems).toEqual(["1 stale deviations"]);
  });

  test("may not cover more than 3 %", async () => {
    const odd = [1, 2, 3, 4].map((index) => row(`odd-${index}`, false));
    const result = await runSuite(suiteOf([...hundred, ...odd], [deviation]), "");
    expect(result.problems).toEqual(["deviations cover 3.85 % of the answered rows, more than 3 %"]);
  });
});

describe("controls", () => {
  const wanted = (id: string, want: string, passed: boolean): Row => ({
    id,
    want,
    got: "g",
    passed,
    input: id,
  });
  const run = (rows: readonly Row[], most?: number): Promise<SuiteResult> => {
    const control = { name: "dull", chance: (want: unknown) => want === "skip", run: () => rows };
    const controls = [most === undefined ? control : { ...control, most }];
    return runSuite({ ...suiteOf(hundred), controls }, "");
  };

  test("may pass what chance gives", async () => {
    const result = await run([wanted("a", "skip", true), wanted("b", "pass", false)]);
    expect(result.problems).toEqual([]);
    const text = renderResult(suiteOf([]), result, { maxMisses: 0, inputs: false });
    expect(text).toContain("control dull: 1 of 2 (50.00 %), at most 50.00 %");
  });

  test.each([
    {
      name: "pass more than chance gives",
      rows: [wanted("b", "pass", true)],
      says: "passes more than 0.00 %",
    },
    {
      name: "pass more than they may",
      rows: [wanted("a", "skip", true), wanted("b", "pass", false)],
      most: 5,
      says: "passes more than 5.00 %",
    },
    { name: "run nothing", rows: [{ id: "u", uncovered: "why" }], says: "ran no rows" },
  ])("that $name are a problem", async ({ rows, most, says }) => {
    expect((await run(rows, most)).problems).toEqual([`control dull ${says}`]);
  });

  test("leave out what the suite leaves out", async () => {
    const result = await run([wanted("a", "skip", true), { id: "u", uncovered: "why" }]);
    expect(result.controls[0]?.total).toBe(1);
  });
});

test("the text lists misses with want and got, and ends with the figure", async () => {
  const suite = suiteOf([...hundred, row("bad-1", false), row("bad-2", false)]);
  const lines = renderResult(suite, await runSuite(suite, ""), { maxMisses: 1, inputs: false }).split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "miss bad-1",
    "  want w",
    "  got  g",
    "… and 1 more misses (--all prints them)",
  ]);
  expect(lines.at(-1)).toBe("sample: 100 of 102 (98.03 %)");
});

describe("data folders", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-conformance-"));
  mkdirSync(join(folder, "vectors/engine"), { recursive: true });
  const file = join(folder, "vectors/engine/sample.jsonl");
  writeFileSync(file, "{}\n");

  test.each([folder, join(folder, "vectors"), join(folder, "vectors/engine"), file])(
    "%s is understood",
    (path) => {
      expect(dataPath(suiteOf([]), path)).toBe(file);
    },
  );

  test("another folder has no data", () => {
    expect(dataPath({ ...suiteOf([]), data: "other.jsonl" }, folder)).toBeUndefined();
  });
});
