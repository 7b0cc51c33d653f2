/**
 * Overrides of the failure action must not send one namespace both ways.
 * SPEC: pkg/validation/policy validateNamespaces.
 */
import { matchWildcard } from "#text";
import { decodeFailureAction } from "./decode-validate.ts";
import { textField, textsField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { placeOf } from "./nodes.ts";

/** The first place is reported that contradicts an earlier one. */
export function checkOverrides(overrides: readonly Node[], findings: Findings): void {
  const seen = new Map<string, string[]>([
    ["Audit", []],
    ["Enforce", []],
  ]);
  for (const override of overrides) {
    const action = decodeFailureAction(textField(override.value, "action"));
    if (action === undefined) continue;
    const others = seen.get(action === "Audit" ? "Enforce" : "Audit") ?? [];
    for (const [index, namespace] of (textsField(override.value, "namespaces") ?? []).entries()) {
      const conflict = others.find((other) => meet(namespace, other));
      if (conflict !== undefined)
        report(placeOf(override, "namespaces", index), namespace, conflict, findings);
      seen.get(action)?.push(namespace);
    }
  }
}

function meet(left: string, right: string): boolean {
  return matchWildcard(left, right) || matchWildcard(right, left);
}

function report(pointer: string, namespace: string, other: string, findings: Findings): void {
  findings.error({
    code: "policy/conflicting-overrides",
    pointer,
    message: `namespace \`${namespace}\` has both actions here: see \`${other}\` under the other one`,
    help: "list a namespace under one action only",
  });
}
