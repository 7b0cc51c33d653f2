/**
 * Why an expectation has no answer to be held against: its policy was refused, is of a kind that is not evaluated yet or
 * was never loaded; its resource is not there; its rule does not exist or does not match. Worked out for failing rows
 * only.
 */
import { nearestName, type Diagnostic } from "#diag";
import type { PolicyProgram } from "#engine";
import { isObject, loadYaml, parsePointer, valueAt, type JsonObject } from "#json";

import { metadataText } from "../../load/object-text.ts";
import { spanOf, type Problem } from "../../load/problem.ts";
import type { TestOperation } from "./expectation.ts";
import { meetsRule } from "./rows.ts";
import type { TestPlan } from "./test-plan.ts";

/** What is wrong with the policy of an expectation; undefined where it was loaded. */
export function whyNoPolicy(plan: TestPlan, policy: string): string | undefined {
  const name = lastSegment(policy);
  if (plan.programs.some((program) => program.policy.name === name)) return undefined;
  const unsupported = plan.unsupported.find((candidate) => candidate.name === name);
  if (unsupported !== undefined) {
    return `policy \`${policy}\` is a ${unsupported.kind} (${unsupported.apiVersion}), which is not supported yet`;
  }
  const refused = refusal(plan, name);
  if (refused !== undefined) {
    return `policy \`${policy}\` is refused: ${refused.diagnostic.message} (${placeText(refused)})`;
  }
  const broken = plan.problems.find(({ diagnostic }) => diagnostic.severity === "error");
  const names = plan.programs.map((program) => program.key);
  const help = suggestion(policy, names, "loaded");
  const also = broken === undefined ? "" : `; not everything could be read: ${broken.diagnostic.message}`;
  return `no policy \`${policy}\` was loaded; ${help}${also}`;
}

/** Whether the policy stands in a file of the test and has errors. */
export function isRefused(plan: TestPlan, policy: string): boolean {
  const name = lastSegment(policy);
  return !plan.programs.some((program) => program.policy.name === name) && refusal(plan, name) !== undefined;
}

/** The first error of the document that holds the policy. */
function refusal(plan: TestPlan, name: string): Problem | undefined {
  return plan.policyProblems.find(
    ({ diagnostic, source }) =>
      diagnostic.severity === "error" &&
      source !== undefined &&
      policyNameAt(source.text, diagnostic) === name,
  );
}

/** The name of the policy that a diagnostic is about: of the document, or of the item of a list. */
function policyNameAt(text: string, diagnostic: Diagnostic): string | undefined {
  const { documents } = loadYaml(text, diagnostic.file ?? "");
  const root = documents.find(({ index }) => index === diagnostic.document)?.value;
  if (!isObject(root)) return undefined;
  const [first, index] = parsePointer(diagnostic.pointer ?? "") ?? [];
  const item = first === "items" && index !== undefined ? valueAt(root, `/items/${index}`) : root;
  return isObject(item) ? metadataText(item, "name") : undefined;
}

/** For the name of an expectation that fits no resource. */
export function whyNoResource(plan: TestPlan, label: string): string {
  const qualified = label.includes("/");
  const names = plan.resources.map((resource) => {
    const name = metadataText(resource, "name");
    return qualified ? `${metadataText(resource, "namespace")}/${name}` : name;
  });
  if (names.length === 0) return "the test has no resources";
  return `no resource \`${label}\` is among the test's resources; ${suggestion(label, names, "they are")}`;
}

export type Asked = {
  readonly program: PolicyProgram;
  readonly resource: JsonObject;
  readonly operation: TestOperation | undefined;
};

/** For a rule that did not respond: it does not exist, or it does not match, and then what did not. */
export function whyNoResponse(plan: TestPlan, asked: Asked, rule: string): string {
  const { program, resource, operation } = asked;
  const rules = program.rules.filter((candidate) => meetsRule(candidate.rule.name, rule));
  if (rules.length === 0) {
    const names = program.rules.map((candidate) => candidate.rule.name);
    return `policy \`${program.key}\` has no rule \`${rule}\`; ${suggestion(rule, names, "its rules are")}`;
  }
  const reasons = rules.flatMap(
    (candidate) => plan.driver.explain(program, candidate, resource, operation) ?? [],
  );
  return reasons[0] ?? `rule \`${rule || rules[0]?.rule.name}\` matched and found nothing to check`;
}

const MOST_LISTED = 10;

function suggestion(wanted: string, names: readonly string[], introduction: string): string {
  const nearest = nearestName(wanted, names);
  if (nearest !== undefined) return `did you mean \`${nearest}\`?`;
  const listed = [...new Set(names)].slice(0, MOST_LISTED).join(", ");
  return `${introduction}: ${listed || "none"}${names.length > MOST_LISTED ? ", …" : ""}`;
}

function placeText(problem: Problem): string {
  const start = spanOf(problem)?.start;
  const file = problem.diagnostic.file ?? "";
  return start === undefined ? file : `${file}:${start.line}:${start.column}`;
}

function lastSegment(policy: string): string {
  return policy.slice(policy.indexOf("/") + 1);
}
