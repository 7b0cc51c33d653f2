import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "#json";
import type { MatchBlock, Operation, ResourceFilter } from "#policy";
import { createProgramIndex } from "../program-index.ts";
import type { EvaluationRequest, Facts } from "../request.ts";
import { compileException } from "./exception.ts";
import { compileMatch } from "./match.ts";

const word = fc.constantFrom("a", "ab", "a*", "*", "?b", "", "ns1", "Pod", "Namespace");
const words = fc.array(word, { maxLength: 3 });
const selector = fc.record(
  {
    matchLabels: fc.dictionary(word, word, { maxKeys: 2 }),
    matchExpressions: fc.array(
      fc.record({
        key: word,
        operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Bad"),
        values: words,
      }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);
const resources = fc.record(
  {
    kinds: fc.array(
      fc.constantFrom("Pod", "*", "*/*", "v1/Pod", "Pod/exec", "Namespace", "P*", "a/b/c/d/e"),
      { maxLength: 2 },
    ),
    name: word,
    names: words,
    namespaces: words,
    annotations: fc.dictionary(word, word, { maxKeys: 1 }),
    selector,
    namespaceSelector: selector,
    operations: fc.array(fc.constantFrom("CREATE", "DELETE"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const filter: fc.Arbitrary<ResourceFilter> = fc.record(
  {
    resources,
    roles: words,
    clusterRoles: words,
    subjects: fc.array(
      fc.record({ kind: fc.constantFrom("User", "Group", "ServiceAccount", "x"), name: word }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);
const filters = fc.array(filter, { maxLength: 2 });
const block: fc.Arbitrary<MatchBlock> = fc.oneof(
  fc.record({ any: filters }),
  fc.record({ all: filters }),
  fc.record({ direct: filter }),
);

/** Objects as they should be, and objects that no API server would have let through. */
const object = fc.oneof(
  fc.record({
    kind: fc.constantFrom("Pod", "Namespace", ""),
    metadata: fc.record(
      {
        name: word,
        namespace: word,
        labels: fc.dictionary(word, word),
        annotations: fc.dictionary(word, word),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.dictionary(fc.constantFrom("kind", "metadata", "apiVersion"), fc.jsonValue()),
) as fc.Arbitrary<JsonObject>;

const request: fc.Arbitrary<EvaluationRequest> = fc.record({
  kind: fc.constantFrom(
    { group: "", version: "v1", kind: "Pod" },
    { group: "", version: "v1", kind: "Namespace" },
  ),
  subresource: fc.constantFrom("", "exec", "ephemeralcontainers"),
  operation: fc.constantFrom<Operation[]>("CREATE", "UPDATE", "DELETE"),
  namespace: fc.constant("ns1"),
  name: fc.constant("a"),
  object: fc.option(object),
  oldObject: fc.option(object),
  dryRun: fc.constant(false),
});

const facts: fc.Arbitrary<Facts> = fc.record({
  nowMs: fc.constant(0),
  seed: fc.constant(0),
  namespaceLabels: fc.dictionary(word, word),
  roles: words,
  clusterRoles: words,
  lookups: fc.constant(new Map()),
});

const namespace = fc.constantFrom("", "ns1");

test("the fast answer and the explained one never disagree, and neither throws", () => {
  fc.assert(
    fc.property(fc.tuple(block, block, namespace), request, facts, ([match, exclude, home], asked, known) => {
      const program = compileMatch({ name: "r", match, exclude }, { namespace: home });
      expect(program.explain(asked, known) === undefined).toBe(program.matches(asked, known));
    }),
    { numRuns: 2000 },
  );
});

test("what is excluded by its own match is never matched, where users are known", () => {
  fc.assert(
    fc.property(filter, request, facts, (both, asked, known) => {
      const user = { ...asked, userInfo: { username: "ab", groups: ["a"] } };
      const program = compileMatch({ name: "r", match: { all: [both] }, exclude: { all: [both] } }, {});
      expect(program.matches(user, known)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

test("the index never loses a policy that matches", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(block, namespace), { maxLength: 4 }),
      request,
      facts,
      (specs, asked, known) => {
        const programs = specs.map(([match, home]) => ({
          rules: [{ match: compileMatch({ name: "r", match }, { namespace: home }) }],
        }));
        const index = createProgramIndex(programs);
        const wanted = programs.filter(({ rules }) => rules.some(({ match }) => match.matches(asked, known)));
        const found = index.candidates(asked);
        expect(wanted.filter((program) => !found.includes(program))).toEqual([]);
        expect(found).toEqual(programs.filter((program) => found.includes(program)));
      },
    ),
    { numRuns: 2000 },
  );
});

test("exceptions answer for any object", () => {
  fc.assert(
    fc.property(block, request, facts, (match, asked, known) => {
      const exception = {
        name: "e",
        namespace: "ns1",
        background: true,
        match,
        exceptions: [],
        podSecurity: [],
        raw: {},
        origin: { file: "-", document: 0 },
      };
      expect(typeof compileException(exception).matches(asked, known)).toBe("boolean");
    }),
  );
});
