/**
 * Rules for pod controllers, made from rules for Pods. The transformation is upstream's, which works on a rule's text:
 * what it gives is decoded like an authored rule, so the engine knows no other kind.
 * SPEC: pkg/autogen ComputeRules (V1) of Kyverno 1.19.
 */
import type { JsonObject } from "#json";
import { controllersOf } from "./autogen-controllers.ts";
import { containsPod } from "./autogen-kinds.ts";
import { cronJobTarget, generateRule, templateTarget } from "./autogen-rule.ts";
import { decodeRule } from "./decode-rule.ts";
import { objectField, objectsField, textsField } from "./fields.ts";
import type { Policy, Rule } from "./policy.ts";

/**
 * All rules that apply, authored and generated, in upstream's order. With a `kind`, the generated rules are only those
 * for that controller, as upstream's validation asks for them.
 */
export function autogenRules(policy: Policy, kind = ""): readonly Rule[] {
  const controllers = controllersOf(policy, kind);
  if (controllers === undefined) return policy.rules;
  const generated = policy.rules.flatMap((rule) => rulesFrom(rule, controllers));
  if (generated.length === 0) return policy.rules;
  return [...policy.rules.filter((rule) => !isGeneratedName(rule.name)), ...generated];
}

function isGeneratedName(name: string): boolean {
  return name.startsWith("autogen-");
}

function rulesFrom(rule: Rule, controllers: string): readonly Rule[] {
  if (isGeneratedName(rule.name) || !isForPods(rule.raw)) return [];
  const place = { pointer: rule.pointer, generatedFrom: rule.name };
  const targets = [templateTarget(controllers), cronJobTarget(controllers)];
  return targets.flatMap((target) => {
    const raw = target === undefined ? undefined : generateRule(rule.raw, target);
    return (raw === undefined ? undefined : decodeRule(raw, place)) ?? [];
  });
}

function isForPods(rule: JsonObject): boolean {
  const excluded = allKinds(objectField(rule, "exclude") ?? {});
  if (excluded.length > 0 && !containsPod(excluded)) return false;
  return containsPod(allKinds(objectField(rule, "match") ?? {}));
}

function allKinds(block: JsonObject): readonly string[] {
  const filters = [block, ...(objectsField(block, "any") ?? []), ...(objectsField(block, "all") ?? [])];
  return filters.flatMap((filter) => textsField(objectField(filter, "resources") ?? {}, "kinds") ?? []);
}
