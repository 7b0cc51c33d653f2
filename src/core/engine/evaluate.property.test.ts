import fc from "fast-check";
import { expect, test } from "vitest";

import { Budget } from "#diag";
import type { Json, JsonObject } from "#json";
import { parsePolicies, type ContextEntry, type ForeachSpec, type Policy, type Rule } from "#policy";
import { noFacts, requestFor } from "../../../test/support/policies.ts";
import { compilePolicy } from "./compile-policy.ts";
import { EvaluationContext } from "./context/evaluation-context.ts";
import { EvaluationRun } from "./context/evaluation-run.ts";
import { ruleScope } from "./context/compile-entries.ts";
import { evaluate } from "./evaluate.ts";
import type { PolicyProgram } from "./program.ts";
import { compileTemplate } from "./variables/template.ts";

const scalar = fc.constantFrom<Json>(
  "a",
  "?*",
  "!a",
  ">1",
  "1Gi",
  "1h",
  "",
  "{{ element }}",
  "{{ element.k }}",
  "{{ v }}",
  "{{ request.object }}",
  "x{{ request.object.spec || 'none' }}",
  "{{ request.object.spec[0].k }}",
  "{{@}}",
  "\\{{ a",
  "{{ {{ v }} }}",
  "$(./../k)",
  0,
  1.5,
  -1,
  true,
  null,
);
const key = fc.constantFrom(
  "k",
  "spec",
  "metadata",
  "name",
  "(k)",
  "=(k)",
  "X(k)",
  "<(k)",
  "+(k)",
  "^(spec)",
  "{{ v }}",
  "a/b",
);
const document: fc.Arbitrary<Json> = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).tree;

const condition = fc.record({
  key: document,
  operator: fc.constantFrom("Equals", "NotEquals", "AnyIn", "AllNotIn", "GreaterThan", "In", "Bad"),
  value: document,
});
const conditions = fc.record(
  { any: fc.array(condition, { maxLength: 2 }), all: fc.array(condition, { maxLength: 2 }) },
  { requiredKeys: [] },
);
const query = fc.constantFrom(
  "request.object.spec",
  "element",
  "element.k",
  "@",
  "none",
  "a b",
  "v",
  "keys(@)",
);
const entry: fc.Arbitrary<ContextEntry> = fc.record({
  name: fc.constantFrom("v", "w"),
  source: fc.record(
    { kind: fc.constant("variable" as const), value: document, jmesPath: query, default: document },
    { requiredKeys: ["kind"] },
  ),
});
const entries = fc.array(entry, { maxLength: 2 });
type Check = ForeachSpec["check"];
const check: fc.Arbitrary<Check> = fc.letrec<{ check: Check }>((tie) => ({
  check: fc.oneof(
    { maxDepth: 2 },
    fc.record({ kind: fc.constant("pattern" as const), pattern: document }),
    fc.record({ kind: fc.constant("anyPattern" as const), patterns: fc.array(document, { maxLength: 2 }) }),
    fc.record({ kind: fc.constant("deny" as const), conditions }),
    fc.record({
      kind: fc.constant("foreach" as const),
      foreach: fc.array(
        fc.record(
          {
            list: query,
            elementScope: fc.boolean(),
            context: entries,
            preconditions: conditions,
            check: tie("check"),
          },
          { requiredKeys: ["list", "context", "check"] },
        ),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  ),
})).check;
type Part = {
  readonly message?: string;
  readonly preconditions?: Json;
  readonly context: readonly ContextEntry[];
  readonly check: Check;
};
const part: fc.Arbitrary<Part> = fc.record(
  {
    message: fc.constantFrom("m", "m {{ v }}", "{{ request.object.k }}"),
    preconditions: conditions,
    context: entries,
    check,
  },
  { requiredKeys: ["context", "check"] },
);
const parts = fc.array(part, { minLength: 1, maxLength: 2 });
const resource = fc
  .record({ metadata: document, spec: document, k: document }, { requiredKeys: [] })
  .map((body): JsonObject => ({ apiVersion: "v1", kind: "Thing", ...body }));

const [base] = parsePolicies(
  `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: p}
spec:
  background: false
  rules:
  - name: r
    match: {any: [{resources: {kinds: [Thing]}}]}
    validate: {message: m, pattern: {kind: "?*"}}`,
  "p.yaml",
).policies;

/** Rules that no validation has seen: the engine's answer must not hang on what the decoder refuses. */
function withRule(policy: Policy, list: readonly Part[]): Policy {
  const [rule] = policy.rules;
  if (rule?.body.kind !== "validate") throw new Error("no rule");
  const { validate } = rule.body;
  const rules = list.map(({ message, check: inner, ...rest }, index): Rule => ({
    ...rule,
    ...rest,
    name: `r${index}`,
    body: {
      kind: "validate",
      validate: { ...validate, ...(message === undefined ? {} : { message }), check: inner },
    },
  }));
  return { ...policy, rules };
}

function compiled(policy: Policy | undefined, onDemand: boolean, budget: number): PolicyProgram {
  if (policy === undefined) throw new Error("no policy");
  const { program } = compilePolicy(policy, { exceptions: [], budget, onDemand });
  if (program === undefined) throw new Error("no program");
  return program;
}

test("any policy on any resource ends in a verdict, the same each time and however it is compiled", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(parts, resource, fc.constantFrom(10, 20_000), (list, object, budget) => {
      if (base === undefined) throw new Error("no policy");
      const policy = withRule(base, list);
      const eager = compiled(policy, false, budget);
      const lazy = compiled(policy, true, budget);
      const request = requestFor({ apiVersion: "v1", kind: "Thing" }, { object });
      const first = evaluate(eager, request, noFacts);
      expect(first.kind).toBe("verdict");
      if (first.kind === "verdict") for (const { status } of first.rules) seen.add(status);
      expect(evaluate(eager, request, noFacts)).toEqual(first);
      expect(evaluate(lazy, request, noFacts)).toEqual(first);
      expect(evaluate(lazy, { ...request }, { ...noFacts })).toEqual(first);
    }),
    { numRuns: 400 },
  );
  expect([...seen].toSorted()).toEqual(["error", "fail", "pass", "skip"]);
});

test("a document without variables comes out as itself", () => {
  const context = new EvaluationContext(
    new EvaluationRun(requestFor({ apiVersion: "v1", kind: "Thing" }), noFacts, new Budget(10_000)),
    "r",
    { scope: ruleScope([], undefined) },
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      if (JSON.stringify(value).includes("{{")) return;
      const plain = value as Json;
      const template = compileTemplate(plain, ruleScope([], undefined));
      expect(template.constant).toBe(true);
      expect(template.render(context)).toBe(plain);
    }),
  );
});

test("a result that passes is one object for all resources", () => {
  const program = compiled(base, false, 1000);
  const result = (name: string): unknown => {
    const object = { apiVersion: "v1", kind: "Thing", metadata: { name } };
    const verdict = evaluate(program, requestFor(object), noFacts);
    return verdict.kind === "verdict" ? verdict.rules[0] : undefined;
  };
  expect(result("a")).toMatchObject({ status: "pass" });
  expect(result("b")).toBe(result("a"));
});
