/**
 * Decoding against what nobody wrote on purpose: random documents, and real policies with one thing changed. Nothing
 * throws; every document ends in one of the lists or has an error; a policy that is given has lost no rule.
 */
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasErrors } from "#diag";
import type { Json, JsonObject } from "#json";
import { isArray, isObject, loadYaml } from "#json";
import { autogenRules } from "./autogen.ts";
import { decodePolicyDocument, parsePolicies } from "./parse-policies.ts";

const origin = { file: "f", document: 0 };

function expectNothingLost(document: Json): void {
  const parsed = decodePolicyDocument(document, origin);
  const kept =
    parsed.policies.length + parsed.exceptions.length + parsed.unsupported.length + parsed.others.length;
  if (document !== null && kept === 0) expect(hasErrors(parsed.diagnostics)).toBe(true);
  for (const policy of parsed.policies) {
    const spec = policy.raw["spec"];
    const rules = isObject(spec) && isArray(spec["rules"]) ? spec["rules"] : [];
    expect(policy.rules).toHaveLength(rules.length);
    for (const [index, rule] of policy.rules.entries()) expectWhole(rule.context.length, rules[index]);
    expect(autogenRules(policy).length).toBeGreaterThan(0);
  }
}

function expectWhole(entries: number, rule: Json | undefined): void {
  const context = rule !== undefined && isObject(rule) ? rule["context"] : [];
  expect(entries).toBe(isArray(context) ? context.length : 0);
}

const keys = [
  "spec rules match exclude any all resources kinds validate pattern anyPattern deny conditions key operator value",
  "foreach list mutate generate verifyImages context name variable jmesPath metadata annotations preconditions",
  "__proto__ constructor",
].flatMap((line) => line.split(" "));

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<Json>(null, true, 0, 1.5, "", "Pod", "{{ a", "{{ request.a }}", "{{}}", "$(a)", "^(a)"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 5 }),
  ),
})).value;

describe("random", () => {
  test("text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        parsePolicies(text, "f");
      }),
      { numRuns: 300 },
    );
  });

  test("specs of every kind", () => {
    const kinds = fc.constantFrom(
      ["kyverno.io/v1", "ClusterPolicy"],
      ["kyverno.io/v2beta1", "Policy"],
      ["kyverno.io/v2", "PolicyException"],
    );
    fc.assert(
      fc.property(kinds, json, json, ([apiVersion = "", kind = ""], metadata, spec) => {
        expectNothingLost({ apiVersion, kind, metadata, spec });
      }),
      { numRuns: 500 },
    );
  });

  test("rules", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), json, { maxKeys: 6 }), (rule) => {
        const rules = [{ name: "r", match: { any: [{ resources: { kinds: ["Pod"] } }] }, ...rule }];
        expectNothingLost({
          apiVersion: "kyverno.io/v1",
          kind: "ClusterPolicy",
          metadata: { name: "p" },
          spec: { rules },
        });
      }),
      { numRuns: 1000 },
    );
  });
});

const folder = join(process.env["POSTERN_CONFORMANCE_DIR"] ?? "../shared/conformance", "kyverno-test");
const isThere = existsSync(folder);

type Found = { readonly file: string; readonly text: string };

function filesBelow(path: string): readonly Found[] {
  return readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    if (statSync(file).isDirectory()) return filesBelow(file);
    if (!/\.ya?ml$/.test(name)) return [];
    const text = readFileSync(file, "utf8");
    return /^kind: *(?:Cluster)?Policy(?:Exception)? *$/m.test(text) ? [{ file, text }] : [];
  });
}

/** Every one of these was evaluated by Kyverno 1.19.0 itself (`oracle/`), which refuses what admission refuses. */
describe.skipIf(!isThere)(`real policies (${isThere ? "" : "skipped: no data in "}${folder})`, () => {
  test("are taken without an error", () => {
    let policies = 0;
    for (const { file, text } of filesBelow(folder)) {
      const parsed = parsePolicies(text, file);
      policies += parsed.policies.length + parsed.exceptions.length;
      expect(parsed.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    }
    expect(policies).toBeGreaterThan(300);
  });

  test("with one value replaced, removed or renamed lose nothing silently", () => {
    const documents = filesBelow(folder).flatMap(({ text, file }) =>
      loadYaml(text, file).documents.map(({ value }) => value),
    );
    const change = fc.record({
      document: fc.nat(),
      steps: fc.array(fc.nat(), { maxLength: 12 }),
      value: json,
      kind: fc.nat(2),
    });
    fc.assert(
      fc.property(change, ({ document, steps, value, kind }) => {
        const chosen = documents[document % documents.length] ?? null;
        expectNothingLost(mutate(chosen, steps, { value, kind }));
      }),
      { numRuns: 3000 },
    );
  });
});

type Change = { readonly value: Json; readonly kind: number };

/** Goes down by `steps`, a child each, and changes what it finds there. */
function mutate(document: Json, steps: readonly number[], change: Change): Json {
  const [step = 0, ...rest] = steps;
  if (steps.length === 0 || typeof document !== "object" || document === null) return change.value;
  if (isArray(document)) {
    const index = step % Math.max(1, document.length);
    return document.map((item, at) => (at === index ? mutate(item, rest, change) : item));
  }
  return isObject(document) ? mutateObject(document, [step, ...rest], change) : change.value;
}

function mutateObject(
  document: JsonObject,
  [step = 0, ...rest]: readonly number[],
  change: Change,
): JsonObject {
  const entries = Object.entries(document);
  const [key = "", value = null] = entries[step % Math.max(1, entries.length)] ?? [];
  if (rest.length > 0 || change.kind === 0) return { ...document, [key]: mutate(value, rest, change) };
  const others = Object.fromEntries(entries.filter(([name]) => name !== key));
  return change.kind === 1 ? others : { ...others, [`${key}x`]: value };
}
