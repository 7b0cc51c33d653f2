/** Whether the mutants still fit the code: the run itself (`npm run mutation`) is no part of `npm test`. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { suites } from "../conformance/suites/index.ts";
import { hasNews } from "./judge.ts";
import { misfit, mutate, type Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";

test("each mutant finds its place once in what is built", () => {
  expect(
    mutants.flatMap((mutant) => misfit(mutant, readFileSync(`dist/${mutant.file}`, "utf8")) ?? []),
  ).toEqual([]);
});

test("there are many, and no two are the same", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(64);
  expect(new Set(mutants.map(({ file, name }) => `${file} ${name}`)).size).toBe(mutants.length);
  expect(new Set(mutants.map(({ file, find, replace }) => [file, find, replace].join("\0"))).size).toBe(
    mutants.length,
  );
});

test("each judge is a suite or a check that is there", () => {
  const judges = [...new Set(mutants.flatMap((mutant) => mutant.judges))];
  const unknown = judges.filter((judge) =>
    judge.startsWith("check:")
      ? !existsSync(`test/mutation/checks/${judge.slice("check:".length)}.ts`)
      : suites[judge] === undefined,
  );
  expect(unknown).toEqual([]);
});

describe("a mutant", () => {
  const mutant: Mutant = { name: "n", file: "f.js", find: "a < b", replace: "a <= b", judges: ["match"] };
  test.each([
    ["that is not there", "a > b", "found 0 times"],
    ["that is there twice", "a < b && a < b", "found 2 times"],
  ])("%s does not fit", (_, text, problem) => {
    expect(misfit(mutant, text)).toContain(problem);
  });
  test("that changes nothing does not fit", () => {
    expect(misfit({ ...mutant, replace: mutant.find }, "a < b")).toContain("changes nothing");
  });
  test("that fits is put in as it is written", () => {
    expect(mutate({ ...mutant, replace: "$& <= b" }, "if (a < b)")).toBe("if ($& <= b)");
  });
});

describe("what a judge finds", () => {
  test.each([
    ["nothing, as before", [], [], false],
    ["the same", ["miss 1"], ["miss 1"], false],
    ["less", [], ["miss 1"], false],
    ["something else", ["miss 2"], ["miss 1"], true],
    ["one id twice", ["miss 1", "miss 1"], ["miss 1"], true],
  ])("%s", (_, faults, before, news) => {
    expect(hasNews(faults, before)).toBe(news);
  });
});
