/**
 * Values for `request.object.…` and `request.oldObject.…` change the object itself, so that what a rule matches and what
 * its variables read are the same object.
 * SPEC: Kyverno 1.19 cmd/cli policy processor: values are merged into the object before rules are matched.
 */
import { givenRoot } from "#engine";
import type { EvaluationRequest, GivenValues } from "#engine";
import type { Json } from "#json";
import { isObject } from "#json";

type Overrides = Readonly<Record<string, Json>> | undefined;

const remembered = new WeakMap<GivenValues, { readonly overrides: Overrides }>();

/** The request with the values that are given for its objects; the same request where there are none. */
export function withGivenObjects(
  request: EvaluationRequest,
  given: GivenValues | undefined,
): EvaluationRequest {
  const overrides = given === undefined ? undefined : overridesOf(given);
  if (overrides === undefined) return request;
  const { object, oldObject } = request;
  const root = givenRoot({ request: { object, oldObject } }, overrides);
  const changed = isObject(root["request"]) ? root["request"] : {};
  return {
    ...request,
    object: objectOr(changed["object"], object),
    oldObject: objectOr(changed["oldObject"], oldObject),
  };
}

/** An object that the operation does not have stays absent. */
function objectOr<T extends EvaluationRequest["object"]>(
  changed: Json | undefined,
  before: T,
): T | EvaluationRequest["object"] {
  return before !== null && isObject(changed) ? changed : before;
}

function overridesOf(given: GivenValues): Overrides {
  const known = remembered.get(given);
  if (known !== undefined) return known.overrides;
  const entries = Object.entries(given.variables).filter(([key]) =>
    /^request\.(?:object|oldObject)\./.test(key),
  );
  const overrides = entries.length === 0 ? undefined : Object.fromEntries(entries);
  remembered.set(given, { overrides });
  return overrides;
}
