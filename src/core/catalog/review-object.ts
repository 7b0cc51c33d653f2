/**
 * What is to be said of a policy or exception before it is stored: everything that the decoder finds, in its words.
 * Nothing else is refused: at 01:14 somebody must be able to edit a policy, whatever state Postern is in.
 */
import type { Diagnostic } from "#diag";
import type { JsonObject } from "#json";
import { autogenRules, decodePolicyDocument } from "#policy";
import { unsupportedPart } from "#engine";
import { identityOf } from "./identity.ts";

export type ObjectReview = { readonly errors: readonly string[]; readonly warnings: readonly string[] };

export function reviewPolicyObject(object: JsonObject): ObjectReview {
  const { key } = identityOf(object);
  const { diagnostics, policies } = decodePolicyDocument(object, { file: key, document: 0 });
  const missing = policies.flatMap((policy) =>
    autogenRules(policy).flatMap((rule) => {
      const part = rule.generatedFrom === undefined ? unsupportedPart(rule) : undefined;
      return part === undefined
        ? []
        : [`rule ${rule.name}: ${part} is not supported yet: the policy will not be ready`];
    }),
  );
  return {
    errors: texts(diagnostics, "error"),
    warnings: [...texts(diagnostics, "warning"), ...missing],
  };
}

function texts(diagnostics: readonly Diagnostic[], wanted: Diagnostic["severity"]): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === wanted)
    .map(({ pointer, message, help }) => {
      const place = pointer === undefined || pointer === "" ? "" : `${pointer}: `;
      return `${place}${message}${help === undefined ? "" : ` (${help})`}`;
    });
}
