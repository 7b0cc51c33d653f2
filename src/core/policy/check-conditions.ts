/**
 * Conditions, wherever they stand: a list, or `any` and `all`; each with a key, a known operator and a value.
 * SPEC: pkg/validation/policy validateConditions; api/kyverno/v1 ConditionOperators.
 */
import { nearestName } from "#diag";
import type { Json } from "#json";
import { isArray, isObject, member } from "#json";
import { describe, unknownField, wrongType } from "./check-shape.ts";
import { contextOwners, nestedForeach } from "./check-context.ts";
import type { RuleSite } from "./check-rule.ts";
import { field, textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";

export function checkConditionsOfRule({ rule }: RuleSite, findings: Findings): void {
  for (const owner of contextOwners(rule)) checkConditions(owner, "preconditions", findings);
  const validate = childNode(rule, "validate");
  const deniers = validate === undefined ? [] : [validate, ...nestedForeach(validate)];
  const images = childNodes(rule, "verifyImages");
  for (const owner of [...deniers, ...images.flatMap((image) => childNode(image, "validate") ?? [])]) {
    const deny = childNode(owner, "deny");
    if (deny !== undefined) checkConditions(deny, "conditions", findings);
  }
}

/** The conditions in a field, which may be absent. */
export function checkConditions(owner: Node, key: string, findings: Findings): void {
  const value = field(owner.value, key);
  if (value === undefined) return;
  if (isArray(value)) return checkList(owner, key, value, findings);
  const block = childNode(owner, key);
  if (block === undefined) return wrongType(value, "conditions", placeOf(owner, key), findings);
  for (const [name, item] of Object.entries(block.value)) {
    if (name !== "any" && name !== "all") unknownField(name, ["any", "all"], placeOf(block, name), findings);
    else if (isArray(item)) checkList(block, name, item, findings);
    else if (item !== null) wrongType(item, "a list", placeOf(block, name), findings);
  }
}

function checkList(owner: Node, key: string, list: readonly Json[], findings: Findings): void {
  for (const [index, value] of list.entries()) {
    const pointer = placeOf(owner, key, index);
    if (isObject(value)) checkCondition({ value, pointer }, findings);
    else wrongType(value, "a condition", pointer, findings);
  }
}

const operators: readonly string[] = [
  "Equals",
  "NotEquals",
  "AnyIn",
  "AllIn",
  "AnyNotIn",
  "AllNotIn",
  "GreaterThanOrEquals",
  "GreaterThan",
  "LessThanOrEquals",
  "LessThan",
  "DurationGreaterThanOrEquals",
  "DurationGreaterThan",
  "DurationLessThanOrEquals",
  "DurationLessThan",
];

/** Deprecated operators with the ones that replace them. */
const deprecated: ReadonlyMap<string, string> = new Map([
  ["equal", "Equals"],
  ["notequal", "NotEquals"],
  ["in", "AnyIn` or `AllIn"],
  ["notin", "AnyNotIn` or `AllNotIn"],
]);

const known: ReadonlySet<string> = new Set(operators.map((operator) => operator.toLowerCase()));

function checkCondition(condition: Node, findings: Findings): void {
  for (const name of Object.keys(condition.value)) {
    if (!conditionFields.includes(name))
      unknownField(name, conditionFields, placeOf(condition, name), findings);
  }
  const operator = field(condition.value, "operator");
  if (typeof operator !== "string" || operator === "") {
    return reportCondition(
      placeOf(condition, "operator"),
      "the condition has no operator",
      `use one of ${operators.join(", ")}`,
      findings,
    );
  }
  checkOperator(operator, placeOf(condition, "operator"), findings);
  if (member(condition.value, "key") === undefined) {
    reportCondition(condition.pointer, "the condition has no key", "add `key`", findings);
  }
  checkRequestOperation(condition, findings);
}

const conditionFields: readonly string[] = ["key", "operator", "value", "message"];

function checkOperator(operator: string, pointer: string, findings: Findings): void {
  const lower = operator.toLowerCase();
  const replacement = deprecated.get(lower);
  if (replacement !== undefined) {
    findings.warn({
      code: "policy/deprecated-operator",
      pointer,
      message: `the operator \`${operator}\` is deprecated`,
      help: `use \`${replacement}\``,
    });
  } else if (!known.has(lower)) {
    const nearest = findings.isFull ? undefined : nearestName(operator, operators);
    const help =
      nearest === undefined ? `use one of ${operators.join(", ")}` : `did you mean \`${nearest}\`?`;
    reportCondition(pointer, `unknown operator \`${operator}\``, help, findings);
  }
}

const requestOperations: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

function checkRequestOperation(condition: Node, findings: Findings): void {
  const key = textField(condition.value, "key") ?? "";
  if (key.replaceAll(" ", "") !== "{{request.operation}}") return;
  const value = member(condition.value, "value") ?? null;
  for (const item of isArray(value) ? value : [value]) {
    if (typeof item === "string" && (requestOperations.includes(item) || item.startsWith("{{"))) continue;
    reportCondition(
      placeOf(condition, "value"),
      `${describe(item)} is no operation of a request`,
      `use ${requestOperations.join(", ")}`,
      findings,
    );
  }
}

function reportCondition(pointer: string, message: string, help: string, findings: Findings): void {
  findings.error({ code: "policy/bad-condition", pointer, message, help });
}
