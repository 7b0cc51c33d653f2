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
import { objectField, objectsField, textField, textsField } from "./fields.ts";
import type { Policy, Rule } from "./policy.ts";

/**
 * All rules that apply, authored and generated, in upstream's order. With a `kind`, the generated rules are only those
 * for that controller, as upstream's validation asks for them.
 */
export function autogenRules(policy: Policy, kind = ""): readonly Rule[] {
  const computed = computeRules(
    policy.rules.map((rule) => rule.raw),
    policy.annotations,
    kind,
  );
  return computed.flatMap(({ raw, index, generated }) => {
    const authored = policy.rules[index];
    if (authored === undefined || !generated) return authored ?? [];
    return decodeRule(raw, { pointer: authored.pointer, generatedFrom: authored.name }) ?? [];
  });
}

/** A rule as text has it; `index` is that of the authored rule that it is or comes from. */
export type ComputedRule = { readonly raw: JsonObject; readonly index: number; readonly generated: boolean };

/** `autogenRules` before decoding: works on rules whatever they hold, also on those that are refused later. */
export function computeRules(
  rules: readonly JsonObject[],
  annotations: Readonly<Record<string, string>>,
  kind = "",
): readonly ComputedRule[] {
  const authored = rules.map((raw, index) => ({ raw, index, generated: false }));
  const controllers = controllersOf(rules, annotations, kind);
  if (controllers === undefined) return authored;
  const generated = authored.flatMap(({ raw, index }) =>
    rulesFrom(raw, controllers).map((made) => ({ raw: made, index, generated: true })),
  );
  if (generated.length === 0) return authored;
  return [...authored.filter(({ raw }) => !hasGeneratedName(raw)), ...generated];
}

function hasGeneratedName(rule: JsonObject): boolean {
  return (textField(rule, "name") ?? "").startsWith("autogen-");
}

function rulesFrom(rule: JsonObject, controllers: string): readonly JsonObject[] {
  if (hasGeneratedName(rule) || !isForPods(rule)) return [];
  const targets = [templateTarget(controllers), cronJobTarget(controllers)];
  return targets.flatMap((target) => {
    const raw = target === undefined ? undefined : generateRule(rule, target);
    return raw === undefined ? [] : [raw];
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
