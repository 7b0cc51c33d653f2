/**
 * Every conformance suite as a test, through the code that `npm run conformance` runs. The data is not part of the
 * repository: where it is absent the suites are skipped, and say so.
 */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { renderResult } from "./render.ts";
import { conformanceFolder, dataPath, loadSuite, runSuite } from "./run.ts";
import { suites } from "./suites/index.ts";

const folder = conformanceFolder();
const present = existsSync(folder);

describe.skipIf(!present)(present ? "conformance" : `conformance (skipped: no data at ${folder})`, () => {
  test.each(Object.keys(suites))("%s", { timeout: 300_000 }, async (name) => {
    const suite = await loadSuite(name);
    const path = dataPath(suite, folder);
    expect(path, `no data for ${name} in ${folder}`).toBeDefined();
    const result = await runSuite(suite, path ?? "");
    expect(result.problems, renderResult(suite, result, { maxMisses: 20, inputs: false })).toEqual([]);
  });
});

test("there are suites to run", () => {
  expect(Object.keys(suites).length).toBeGreaterThan(0);
});
