/**
 * `generate`: one source, a named target in the right place, no loop.
 * SPEC: pkg/validation/policy/generate; api/kyverno/v1 Generation.Validate.
 */
import { apiVersionOf, gvkOf, isNamespaced, knownKind, splitKind } from "#k8s";
import { filtersOf } from "./check-match.ts";
import { checkPattern } from "./check-pattern.ts";
import { checkQuery } from "./check-query.ts";
import type { RuleSite } from "./check-rule.ts";
import { field, objectField, textField, textsField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";

export function checkGenerate(site: RuleSite, findings: Findings): void {
  const generate = childNode(site.rule, "generate");
  if (generate === undefined || Object.keys(generate.value).length === 0) return;
  const entries = childNodes(generate, "foreach");
  checkSources(generate, ["data", "clone", "cloneList", "foreach"], findings);
  for (const entry of entries) {
    checkSources(entry, ["data", "clone", "cloneList"], findings);
    checkQuery(entry, "list", findings);
    checkTarget(entry, site, findings);
  }
  if (entries.length === 0) checkTarget(generate, site, findings);
}

function checkSources(node: Node, names: readonly string[], findings: Findings): void {
  const present = names.filter((name) => field(node.value, name) !== undefined && !isEmptyMap(node, name));
  if (present.length < 2) return;
  reportGenerate(
    node.pointer,
    `only one of ${names.join(", ")} is allowed; found ${present.join(" and ")}`,
    "keep one",
    findings,
  );
}

function isEmptyMap(node: Node, name: string): boolean {
  const value = objectField(node.value, name);
  return value !== undefined && Object.keys(value).length === 0;
}

function checkTarget(target: Node, site: RuleSite, findings: Findings): void {
  const data = field(target.value, "data");
  if (data !== undefined) checkPattern(data, placeOf(target, "data"), "generate", findings);
  const list = childNode(target, "cloneList");
  if (list !== undefined && Object.keys(list.value).length > 0) return checkCloneList(list, site, findings);
  for (const key of ["kind", "name", "apiVersion"]) {
    if ((textField(target.value, key) ?? "") === "")
      reportGenerate(target.pointer, `the target has no \`${key}\``, `add \`${key}\``, findings);
  }
  checkNamespace(target, site, findings);
  checkClone(target, site, findings);
  warnOfLoop(target, site, findings);
}

function checkNamespace(target: Node, { policy }: RuleSite, findings: Findings): void {
  const namespace = textField(target.value, "namespace") ?? "";
  const own = policy.namespace;
  if (own !== undefined) {
    if (namespace !== own) reportForeign(placeOf(target, "namespace"), own, findings);
    return;
  }
  const gvk = gvkOf(textField(target.value, "apiVersion") ?? "", textField(target.value, "kind") ?? "");
  if (knownKind(gvk.group, gvk.kind) === undefined) return;
  if (isNamespaced(gvk) && namespace === "") {
    reportGenerate(
      target.pointer,
      `\`${gvk.kind}\` lives in a namespace, and none is given`,
      "add `namespace`",
      findings,
    );
  } else if (!isNamespaced(gvk) && namespace !== "") {
    reportGenerate(
      placeOf(target, "namespace"),
      `\`${gvk.kind}\` lives in no namespace`,
      "remove `namespace`",
      findings,
    );
  }
}

function checkClone(target: Node, { policy }: RuleSite, findings: Findings): void {
  const clone = childNode(target, "clone");
  if (clone === undefined || Object.keys(clone.value).length === 0) return;
  if ((textField(clone.value, "name") ?? "") === "")
    reportGenerate(clone.pointer, "the source has no name", "add `name`", findings);
  const own = policy.namespace;
  if (own !== undefined && textField(clone.value, "namespace") !== own)
    reportForeign(placeOf(clone, "namespace"), own, findings);
}

function checkCloneList(list: Node, { policy }: RuleSite, findings: Findings): void {
  const kinds = textsField(list.value, "kinds") ?? [];
  if (kinds.length === 0) reportGenerate(list.pointer, "`cloneList` names no kinds", "add `kinds`", findings);
  const own = policy.namespace;
  if (own !== undefined && textField(list.value, "namespace") !== own)
    reportForeign(placeOf(list, "namespace"), own, findings);
  const known = kinds.flatMap((kind) => {
    const { groupVersion, kind: bare } = splitKind(kind);
    const gvk = gvkOf(groupVersion, bare);
    return knownKind(gvk.group, gvk.kind) === undefined ? [] : [isNamespaced(gvk)];
  });
  if (known.includes(true) && known.includes(false)) {
    reportGenerate(
      placeOf(list, "kinds"),
      "kinds with and without namespaces are mixed",
      "make a rule of each",
      findings,
    );
  }
}

function reportForeign(pointer: string, own: string, findings: Findings): void {
  findings.error({
    code: "policy/namespaced-policy",
    pointer,
    message: `a namespaced Policy generates and clones in its own namespace only, \`${own}\``,
    help: `set \`namespace: ${own}\`, or use a ClusterPolicy`,
  });
}

/** The rule would be started by what it makes; whether it then makes another hangs on what it says besides. */
function warnOfLoop(target: Node, { rule }: RuleSite, findings: Findings): void {
  const match = childNode(rule, "match");
  const kind = textField(target.value, "kind") ?? "";
  const apiVersion = textField(target.value, "apiVersion") ?? "";
  if (match === undefined || kind === "") return;
  for (const filter of filtersOf(match)) {
    const resources = objectField(filter.value, "resources") ?? {};
    if (Object.keys(resources).some((key) => narrowing.includes(key))) continue;
    if (!(textsField(resources, "kinds") ?? []).some((matched) => isSame(matched, apiVersion, kind)))
      continue;
    findings.warn({
      code: "policy/generate-loop",
      pointer: placeOf(target, "kind"),
      message: `the rule matches \`${kind}\` and makes one: it may start itself`,
      help: "match by name, label or namespace",
    });
  }
}

const narrowing: readonly string[] = [
  "name",
  "names",
  "selector",
  "annotations",
  "namespaces",
  "namespaceSelector",
];

function isSame(matched: string, apiVersion: string, kind: string): boolean {
  const { groupVersion, kind: bare } = splitKind(matched);
  if (bare !== kind) return false;
  return (
    groupVersion === "" || groupVersion === "*" || groupVersion === apiVersionOf(gvkOf(apiVersion, kind))
  );
}

function reportGenerate(pointer: string, message: string, help: string, findings: Findings): void {
  findings.error({ code: "policy/generate", pointer, message, help });
}
