/** Blocks of conditions: any and all, messages, and what a literal's numbers are. */
import { describe, expect, test } from "vitest";

import type { Json } from "#json";
import { probeDocument } from "../probe.ts";

function evaluated(document: Json): unknown {
  const answer = probeDocument({ root: { n: 5, list: ["a", "b"], name: "web" }, document, as: "conditions" });
  return "error" in answer ? `error: ${answer.error}` : answer.value;
}

function condition(holds: boolean, message?: string): Json {
  return { key: "a", operator: holds ? "Equals" : "NotEquals", value: "a", ...(message && { message }) };
}

const broken: Json = { key: "{{ none }}", operator: "Equals", value: "a" };

describe("any and all", () => {
  test.each<[name: string, document: Json, result: boolean]>([
    ["nothing", null, true],
    ["an empty list", [], true],
    ["an empty block", {}, true],
    ["an empty any", { any: [] }, false],
    ["any: null", { any: null }, true],
    ["an empty all", { all: [] }, true],
    ["one of any", { any: [condition(false), condition(true)] }, true],
    ["none of any", { any: [condition(false), condition(false)] }, false],
    ["not all", { all: [condition(true), condition(false)] }, false],
    ["both", { any: [condition(true)], all: [condition(true)] }, true],
    ["any without all", { any: [condition(true)], all: [condition(false)] }, false],
    ["all without any", { any: [condition(false)], all: [condition(true)] }, false],
    ["the old list means all", [condition(true), condition(false)], false],
    ["blocks must all hold", [{ any: [condition(true)] }, { all: [condition(false)] }], false],
    ["the first that holds ends any", { any: [condition(true), broken] }, true],
    ["the first that does not ends all", { all: [condition(false), broken] }, false],
  ])("%s", (_, document, result) => {
    expect(evaluated(document)).toMatchObject({ result });
  });

  test.each<[name: string, document: Json]>([
    ["before one that holds", { any: [broken, condition(true)] }],
    ["in all beside an any that does not hold", { any: [condition(false)], all: [broken] }],
    ["in a second block", [{ all: [condition(true)] }, { all: [broken] }]],
  ])("an error %s is the answer", (_, document) => {
    expect(evaluated(document)).toBe(
      'error: failed to substitute variables in condition key: failed to resolve none at path : JMESPath query failed: Unknown key "none" in path',
    );
  });

  test("what has no shape of conditions", () => {
    expect(evaluated({ all: 1 })).toBe("error: failed to unmarshal Conditions");
  });

  test("an unknown operator is an error when it is met", () => {
    const unknown = { key: "a", operator: "Is", value: "a" };
    expect(evaluated([unknown])).toContain("error: failed to create handler for condition operator");
    expect(evaluated({ any: [condition(true), unknown] })).toMatchObject({ result: true });
  });
});

describe("messages", () => {
  test.each<[name: string, document: Json, message: string]>([
    [
      "of all that held",
      { all: [condition(true, "one"), condition(true), condition(true, "two")] },
      "one; two",
    ],
    ["of the one that did not", { all: [condition(true, "one"), condition(false, "two")] }, "two"],
    ["of the one in any that held", { any: [condition(false, "one"), condition(true, "two")] }, "two"],
    ["of all in any that did not", { any: [condition(false, "one"), condition(false, "two")] }, "one; two"],
    ["of any and all", { any: [condition(true, "one")], all: [condition(true, "two")] }, "one; two"],
    ["of blocks", [{ all: [condition(true, "one")] }, { all: [condition(true, "two")] }], "one;two"],
    ["with variables as they are written", { all: [condition(true, "is {{ name }}")] }, "is {{ name }}"],
  ])("%s", (_, document, message) => {
    expect(evaluated(document)).toMatchObject({ message });
  });
});

describe("operands", () => {
  const holds = (key: Json, operator: string, value: Json): unknown => {
    const answer = evaluated([{ key, operator, value }]);
    return typeof answer === "object" && answer !== null && "result" in answer ? answer.result : answer;
  };

  test.each<[key: Json, operator: string, value: Json, result: boolean]>([
    ["{{ n }}", "Equals", 5, true],
    ["{{ n }}", "GreaterThan", "{{ n }}", false],
    ["{{ list }}", "AnyIn", ["b", "c"], true],
    ["{{ list }}", "AllIn", "{{ list }}", true],
    ["{{ name }}", "AnyIn", ["w*"], true],
    ["{{ name }}-x", "Equals", "web-?", true],
    ["a", "AnyIn", ["{{ name }}", "{{ 'a' }}"], true],
    [1_000_000, "AnyIn", [1_000_000], false],
    [1_000_000, "AnyIn", ["1e+06"], true],
    [[1], "Equals", [1], true],
    ["{{ [`1`] }}", "Equals", [1], false],
  ])("%j %s %j: %s", (key, operator, value, result) => {
    expect(holds(key, operator, value)).toBe(result);
  });
});
