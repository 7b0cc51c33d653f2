/**
 * A rule: what it applies to, what it loads, and its body. Rules that autogen made are decoded here too, so that the
 * engine sees one form.
 */
import type { Json, JsonObject } from "#json";
import { decodeContext } from "./decode-context.ts";
import { decodeMatch } from "./decode-match.ts";
import { decodeValidate } from "./decode-validate.ts";
import { field, flagField, objectField, objectsField, optional, textField, textMapField } from "./fields.ts";
import type { Rule, RuleBody } from "./policy.ts";

export type RulePlace = {
  /** Of the authored rule in its document. */
  readonly pointer: string;
  readonly generatedFrom?: string;
};

/** `undefined` where the rule has no body: an error that `check-rule.ts` reports. */
export function decodeRule(raw: JsonObject, place: RulePlace): Rule | undefined {
  const body = decodeBody(raw);
  if (body === undefined) return undefined;
  const exclude = objectField(raw, "exclude");
  return {
    name: textField(raw, "name") ?? "",
    pointer: place.pointer,
    ...optional("generatedFrom", place.generatedFrom),
    match: decodeMatch(objectField(raw, "match") ?? {}),
    ...optional("exclude", exclude === undefined ? undefined : decodeMatch(exclude)),
    ...optional("preconditions", field(raw, "preconditions")),
    ...optional("celPreconditions", objectsField(raw, "celPreconditions")),
    context: decodeContext(raw),
    reportProperties: textMapField(raw, "reportProperties") ?? {},
    ...optional("imageExtractors", objectField(raw, "imageExtractors")),
    skipBackgroundRequests: flagField(raw, "skipBackgroundRequests", true),
    body,
    raw,
  };
}

/** The fields of which a rule has exactly one. A field that holds nothing counts as absent, as in upstream. */
export const ruleBodyNames = ["validate", "mutate", "generate", "verifyImages"] as const;

export function hasBody(raw: JsonObject, name: string): boolean {
  const value: Json | undefined = field(raw, name);
  return value !== undefined && typeof value === "object" && Object.keys(value ?? {}).length > 0;
}

function decodeBody(raw: JsonObject): RuleBody | undefined {
  const kind = ruleBodyNames.find((name) => hasBody(raw, name));
  switch (kind) {
    case "validate": {
      const validate = decodeValidate(objectField(raw, kind) ?? {});
      return validate === undefined ? undefined : { kind, validate };
    }
    case "mutate":
      return { kind, mutate: objectField(raw, kind) ?? {} };
    case "generate":
      return { kind, generate: objectField(raw, kind) ?? {} };
    case "verifyImages":
      return { kind, verifyImages: objectsField(raw, kind) ?? [] };
    case undefined:
      return undefined;
  }
}
