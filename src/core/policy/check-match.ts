/**
 * `match` and `exclude`: one form, kinds in every filter, known subjects, nothing that asks for a user where there is
 * none, and not everything excluded that was matched.
 * SPEC: pkg/validation/policy validateMatchedResourceDescription and api/kyverno/v1 MatchResources.Validate.
 */
import { equalJson } from "#json";
import { isNamespaced, parseKindSelector } from "#k8s";
import type { RuleSite } from "./check-rule.ts";
import { field, listField, objectField, textField, textsField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";

export function checkMatch(site: RuleSite, findings: Findings): void {
  const match = childNode(site.rule, "match");
  const exclude = childNode(site.rule, "exclude");
  if (match !== undefined) {
    checkBlock(match, findings);
    for (const filter of filtersOf(match)) checkHasKinds(filter, findings);
    if (exclude !== undefined) checkConflict(match, exclude, findings);
  }
  if (exclude !== undefined) checkBlock(exclude, findings);
  for (const block of [match, exclude]) {
    if (block === undefined) continue;
    if (site.policy.background && !site.policyMutatesExisting) checkUserInfo(block, findings);
    if (site.policy.kind === "Policy") checkScope(block, site.policy.namespace ?? "", findings);
  }
}

/** The filters of a block; the block itself in the deprecated direct form. */
export function filtersOf(block: Node): readonly Node[] {
  const filters = [...childNodes(block, "any"), ...childNodes(block, "all")];
  return filters.length > 0 ? filters : [block];
}

/** What holds for match and exclude alike, in rules and in exceptions. */
export function checkBlock(block: Node, findings: Findings): void {
  const any = listField(block.value, "any") ?? [];
  const all = listField(block.value, "all") ?? [];
  if (any.length > 0 && all.length > 0) {
    reportForms(
      block,
      "`any` and `all`",
      "use one of them; an `all` block within `any` is not possible",
      findings,
    );
  }
  const isDirect = Object.keys(objectField(block.value, "resources") ?? {}).length > 0;
  if (isDirect && (any.length > 0 || all.length > 0)) {
    reportForms(block, "`resources` and `any` or `all`", "move `resources` into the list", findings);
  }
  for (const filter of filtersOf(block)) checkFilter(filter, findings);
}

function checkFilter(filter: Node, findings: Findings): void {
  for (const subject of childNodes(filter, "subjects")) checkSubject(subject, findings);
  const resources = childNode(filter, "resources");
  if (resources === undefined || field(resources.value, "name") === undefined) return;
  if (field(resources.value, "names") === undefined) return;
  reportForms(resources, "`name` and `names`", "move `name` into `names`", findings);
}

function reportForms(node: Node, what: string, help: string, findings: Findings): void {
  findings.error({
    code: "policy/conflicting-fields",
    pointer: node.pointer,
    message: `${what} stand side by side`,
    help,
  });
}

const subjectKinds: readonly string[] = ["User", "Group", "ServiceAccount"];

function checkSubject(subject: Node, findings: Findings): void {
  const kind = textField(subject.value, "kind") ?? "";
  if (!subjectKinds.includes(kind)) {
    findings.error({
      code: "policy/unknown-value",
      pointer: placeOf(subject, "kind"),
      message: `\`${kind}\` is no kind of subject`,
      help: "use `User`, `Group` or `ServiceAccount`",
    });
  } else if (kind === "ServiceAccount" && (textField(subject.value, "namespace") ?? "") === "") {
    findings.error({
      code: "policy/missing-field",
      pointer: subject.pointer,
      message: "a subject of kind `ServiceAccount` needs a namespace",
      help: "add `namespace`",
    });
  }
}

function checkHasKinds(filter: Node, findings: Findings): void {
  const kinds = textsField(objectField(filter.value, "resources") ?? {}, "kinds") ?? [];
  if (kinds.length > 0) return;
  findings.error({
    code: "policy/missing-kinds",
    pointer: filter.pointer,
    message: "the filter names no kinds",
    help: "add `resources.kinds`",
  });
}

function checkConflict(match: Node, exclude: Node, findings: Findings): void {
  const excluded = childNodes(exclude, "any");
  for (const filter of childNodes(match, "any")) {
    const twin = excluded.find((other) => equalJson(other.value, filter.value));
    if (twin === undefined || Object.keys(filter.value).length === 0) continue;
    findings.error({
      code: "policy/empty-match",
      pointer: twin.pointer,
      message: "the rule excludes what it matches: the same filter stands in `match` and in `exclude`",
      help: "remove one of the two filters",
    });
  }
}

const userFields: readonly string[] = ["subjects", "roles", "clusterRoles"];

function checkUserInfo(block: Node, findings: Findings): void {
  for (const filter of filtersOf(block)) {
    for (const key of userFields) {
      if ((listField(filter.value, key) ?? []).length > 0)
        reportUserInfo(placeOf(filter, key), key, findings);
    }
  }
}

/** Also for exceptions, which have the same switch. */
export function reportUserInfo(pointer: string, what: string, findings: Findings): void {
  findings.error({
    code: "policy/background-user-info",
    pointer,
    message: `\`${what}\` asks for the user of a request, and a background scan has none`,
    help: "set `spec.background: false`",
  });
}

function checkScope(block: Node, namespace: string, findings: Findings): void {
  for (const filter of filtersOf(block)) {
    const resources = childNode(filter, "resources");
    if (resources === undefined) continue;
    checkNamespaces(resources, namespace, findings);
    for (const [index, kind] of (textsField(resources.value, "kinds") ?? []).entries()) {
      const selector = parseKindSelector(kind);
      if (!isClusterScoped(selector)) continue;
      findings.error({
        code: "policy/namespaced-policy",
        pointer: placeOf(resources, "kinds", index),
        message: `\`${kind}\` lives in no namespace, so a namespaced Policy cannot match it`,
        help: "use a ClusterPolicy",
      });
    }
  }
}

function checkNamespaces(resources: Node, namespace: string, findings: Findings): void {
  const foreign = (textsField(resources.value, "namespaces") ?? []).findIndex((other) => other !== namespace);
  if (foreign < 0) return;
  findings.error({
    code: "policy/namespaced-policy",
    pointer: placeOf(resources, "namespaces", foreign),
    message: `a namespaced Policy sees only its own namespace, \`${namespace}\``,
    help: "remove `namespaces`, or use a ClusterPolicy",
  });
}

const guessedGroups: readonly string[] = [
  "",
  "rbac.authorization.k8s.io",
  "apiextensions.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "scheduling.k8s.io",
];

/** For kinds that Kubernetes has itself; a custom resource may be either. */
function isClusterScoped(selector: { readonly group: string; readonly kind: string }): boolean {
  const groups = selector.group === "*" ? guessedGroups : [selector.group];
  return groups.some((group) => !isNamespaced({ group, version: "", kind: selector.kind }));
}
