/** `-t`: which expectations run. */
import { describe, expect, test } from "vitest";

import type { Expectation } from "./expectation.ts";
import { parseTestSelector } from "./selector.ts";

const expectation: Expectation = {
  policy: "require-team",
  rule: "team",
  result: "pass",
  kind: "Pod",
  resources: ["a", "ab", "n/c"],
  resourceSpecs: [{ name: "ad" }, { kind: "Pod" }],
  generatedResources: [],
  failOnMissingResources: false,
  pointer: "/results/0",
};

function select(selector: string, more: Partial<Expectation> = {}): Expectation | undefined {
  const parsed = parseTestSelector(selector);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed({ ...expectation, ...more });
}

describe("an expectation is selected", () => {
  test.each([
    "policy=*",
    "policy=require-*",
    "rule=team",
    "rule=t?am,policy=*",
    " policy = require-team ",
    "resource=*",
  ])("by %s", (selector) => expect(select(selector)).toEqual(expectation));

  test("by a policy and rule that it does not name", () => {
    expect(select("policy=x,rule=y", { policy: "", rule: "" })).toBeDefined();
  });
});

test.each(["policy=other", "rule=te", "resource=zz,policy=*"])("%s selects nothing", (selector) => {
  expect(select(selector, { resourceSpecs: [] })).toBeUndefined();
});

test("a resource leaves the others out", () => {
  const selected = select("resource=a*");
  expect(selected?.resources).toEqual(["a", "ab"]);
  expect(selected?.resourceSpecs).toEqual([{ name: "ad" }, { kind: "Pod" }]);
  expect(select("resource=ab")?.resourceSpecs).toEqual([{ kind: "Pod" }]);
});

test("an expectation without resources passes the resource part", () => {
  expect(select("resource=zz", { resources: [], resourceSpecs: [] })).toBeDefined();
});

test.each(["", "policy", "polcy=a", "policy=a,=b", "policy=a;rule=b,x"])("`%s` is no selector", (text) => {
  expect(parseTestSelector(text)).toContain("is not a selector");
});
