/**
 * PolicyException of `kyverno.io` (v2 and v2beta1).
 * SPEC: api/kyverno/v2/policy_exception_types.go.
 */
import type { JsonObject } from "#json";
import { appendPointer } from "#json";
import { checkException } from "./check-exception.ts";
import { checkShape } from "./check-shape.ts";
import { decodeMatch } from "./decode-match.ts";
import { decodeMetadata } from "./decode-metadata.ts";
import { field, flagField, objectField, objectsField, optional, textField, textsField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Origin, PolicyException } from "./policy.ts";

export type ExceptionDocument = {
  /** Name in `shapes.ts` of the spec of this version. */
  readonly shape: string;
  readonly raw: JsonObject;
  readonly origin: Origin;
  /** Whether what upstream's admission refuses is an error. */
  readonly admission: boolean;
};

/** `undefined` where the document has an error; every reason is among the findings. */
export function decodeException(
  document: ExceptionDocument,
  findings: Findings,
): PolicyException | undefined {
  const before = findings.errors;
  const { raw, origin } = document;
  const root = origin.pointer ?? "";
  const metadata = decodeMetadata(raw, root, findings);
  checkShape(raw["spec"] ?? {}, document.shape, appendPointer(root, "spec"), findings);
  if (findings.errors > before) return undefined;
  const spec = objectField(raw, "spec") ?? {};
  const exception: PolicyException = {
    name: metadata.name,
    namespace: metadata.namespace ?? "",
    background: flagField(spec, "background", true),
    match: decodeMatch(objectField(spec, "match") ?? {}),
    ...optional("conditions", field(spec, "conditions")),
    exceptions: (objectsField(spec, "exceptions") ?? []).map((entry) => ({
      policyName: textField(entry, "policyName") ?? "",
      ruleNames: textsField(entry, "ruleNames") ?? [],
    })),
    podSecurity: objectsField(spec, "podSecurity") ?? [],
    raw,
    origin,
  };
  if (document.admission)
    checkException(exception, { value: spec, pointer: appendPointer(root, "spec") }, findings);
  return findings.errors > before ? undefined : exception;
}
