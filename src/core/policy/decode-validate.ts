/**
 * `validate`: one kind of check, with the action for its failures. Of several kinds (an error, see `check-validate.ts`)
 * the one is read that upstream's engine would run.
 * SPEC: pkg/engine/validation.go and handlers/validation.
 */
import type { JsonObject } from "#json";
import { decodeContext } from "./decode-context.ts";
import { decodeSelectorField } from "./decode-match.ts";
import {
  field,
  flagField,
  listField,
  objectField,
  objectsField,
  optional,
  textField,
  textsField,
} from "./fields.ts";
import type {
  FailureAction,
  FailureActionOverride,
  ForeachSpec,
  ValidateCheck,
  ValidateSpec,
} from "./policy.ts";

/** `undefined` where there is no check that the engine knows. */
export function decodeValidate(spec: JsonObject): ValidateSpec | undefined {
  const check = decodeCheck(spec);
  if (check === undefined) return undefined;
  return {
    ...optional("failureAction", decodeFailureAction(textField(spec, "failureAction"))),
    failureActionOverrides: decodeOverrides(spec, "failureActionOverrides"),
    allowExistingViolations: flagField(spec, "allowExistingViolations", true),
    ...optional("message", textField(spec, "message")),
    check,
  };
}

function decodeCheck(spec: JsonObject): ValidateCheck | undefined {
  for (const kind of ["manifests", "podSecurity", "cel"] as const) {
    const found = objectField(spec, kind);
    if (found !== undefined) return { kind, spec: found };
  }
  return decodeResourceCheck(spec);
}

function decodeResourceCheck(spec: JsonObject): ForeachSpec["check"] | undefined {
  const deny = objectField(spec, "deny");
  if (deny !== undefined) return { kind: "deny", ...optional("conditions", field(deny, "conditions")) };
  const pattern = field(spec, "pattern");
  if (pattern !== undefined) return { kind: "pattern", pattern };
  const patterns = listField(spec, "anyPattern");
  if (patterns !== undefined) return { kind: "anyPattern", patterns };
  const foreach = objectsField(spec, "foreach");
  if (foreach === undefined) return undefined;
  return { kind: "foreach", foreach: foreach.flatMap(decodeForeach) };
}

function decodeForeach(spec: JsonObject): readonly ForeachSpec[] {
  const check = decodeResourceCheck(spec);
  if (check === undefined) return [];
  const elementScope = field(spec, "elementScope");
  return [
    {
      list: textField(spec, "list") ?? "",
      ...(typeof elementScope === "boolean" ? { elementScope } : {}),
      context: decodeContext(spec),
      ...optional("preconditions", field(spec, "preconditions")),
      check,
    },
  ];
}

/** `enforce` and `audit` are old spellings of the two words. */
export function decodeFailureAction(word: string | undefined): FailureAction | undefined {
  switch (word) {
    case "Enforce":
    case "enforce":
      return "Enforce";
    case "Audit":
    case "audit":
      return "Audit";
    default:
      return undefined;
  }
}

export function decodeOverrides(owner: JsonObject, key: string): readonly FailureActionOverride[] {
  return (objectsField(owner, key) ?? []).map((entry) => ({
    action: textField(entry, "action") ?? "",
    ...optional("namespaces", textsField(entry, "namespaces")),
    ...optional("namespaceSelector", decodeSelectorField(entry, "namespaceSelector")),
  }));
}
