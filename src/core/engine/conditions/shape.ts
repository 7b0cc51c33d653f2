/**
 * Whether a value has the shape of conditions: a list of conditions, a list of blocks, one block, or nothing. Policies
 * are checked when they are read; this is for conditions that only variables, or a part of the engine on its own, bring.
 * SPEC: Kyverno 1.19 pkg/utils/api (ApiextensionsJsonToKyvernoConditions).
 */
import { isArray, isObject, member, type Json } from "#json";

/** False where upstream says `failed to unmarshal Conditions`. */
export function areConditions(value: Json): boolean {
  if (value === null) return true;
  return isArray(value) ? value.every((item) => isBlock(item) && isCondition(item)) : isBlock(value);
}

/** Members of the other kind, and unknown ones, are passed over. */
function isBlock(value: Json): boolean {
  return isObject(value) && isConditionList(member(value, "any")) && isConditionList(member(value, "all"));
}

function isConditionList(value: Json | undefined): boolean {
  return value === undefined || value === null || (isArray(value) && value.every(isCondition));
}

function isCondition(value: Json): boolean {
  return (
    isObject(value) && isOptionalText(member(value, "operator")) && isOptionalText(member(value, "message"))
  );
}

function isOptionalText(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === "string";
}
