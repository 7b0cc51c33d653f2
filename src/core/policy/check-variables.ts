/**
 * Variables: each must be a query that parses and begins with something that exists there; some places have none at
 * all; and data of a request's user is not for the background.
 * SPEC: pkg/validation/policy ValidateVariables and background.go. What may stand where is upstream's, which looks for
 * the known names anywhere in a query.
 */
import type { Json } from "#json";
import { appendPointer, isArray, isObject } from "#json";
import { jsonPatchPaths } from "./check-json-patch.ts";
import { reportUserInfo } from "./check-match.ts";
import { contextOwners } from "./check-context.ts";
import { reportBadQuery } from "./check-query.ts";
import type { RuleSite } from "./check-rule.ts";
import { field, listField, textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";
import { variablesIn } from "./variables-in.ts";

export function checkVariables(site: RuleSite, findings: Findings): void {
  checkForbiddenPlaces(site.rule, findings);
  const names = declaredNames(site.rule);
  const scope: Scope = {
    names,
    hasTarget: listField(childNode(site.rule, "mutate")?.value ?? {}, "targets") !== undefined,
    inForeach: false,
    inTarget: false,
    forbidsUser: site.policy.background && !site.policyMutatesExisting,
  };
  for (const [key, value] of Object.entries(site.rule.value)) {
    if (key === "match" || key === "exclude") continue;
    const hasTarget = scope.hasTarget && key !== "context" && key !== "preconditions";
    walk(value, placeOf(site.rule, key), { ...scope, hasTarget }, findings);
  }
}

type Scope = {
  readonly names: readonly string[];
  readonly hasTarget: boolean;
  readonly inForeach: boolean;
  /** Below an entry of `mutate.targets`. */
  readonly inTarget: boolean;
  readonly forbidsUser: boolean;
};

/** Names of all entries of the rule; upstream does not ask which of them are in scope. */
function declaredNames(rule: Node): readonly string[] {
  const entries = contextOwners(rule).flatMap((owner) => childNodes(owner, "context"));
  const attestations = childNodes(rule, "verifyImages").flatMap((image) => childNodes(image, "attestations"));
  return [...entries, ...attestations].flatMap(({ value }) => textField(value, "name") ?? []);
}

/** Texts whose variables are not Kyverno's, or not known before evaluation. */
const opaqueKeys: ReadonlySet<string> = new Set(["attestations", "cel"]);

function walk(value: Json, pointer: string, scope: Scope, findings: Findings): void {
  if (typeof value === "string") return checkText(value, pointer, scope, findings);
  if (isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, appendPointer(pointer, index), scope, findings);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (opaqueKeys.has(key)) continue;
      const place = appendPointer(pointer, key);
      checkText(key, place, scope, findings);
      walk(item, place, scopeBelow(key, scope), findings);
    }
  }
}

/** A target's own fields say which it is, so it is not known there; its context and preconditions follow. */
function scopeBelow(key: string, scope: Scope): Scope {
  switch (key) {
    case "foreach":
      return { ...scope, inForeach: true };
    case "targets":
      return { ...scope, hasTarget: false, inTarget: true };
    case "context":
    case "preconditions":
      return scope.inTarget ? { ...scope, hasTarget: true } : scope;
    default:
      return scope;
  }
}

function checkText(text: string, pointer: string, scope: Scope, findings: Findings): void {
  for (const query of variablesIn(text)) {
    // What stands inside another variable is checked; the outer query is only known when that has a value.
    if (query === "" || !reportBadQuery(query, pointer, findings)) continue;
    if (scope.forbidsUser) checkUser(query, pointer, findings);
    checkElement(query, pointer, scope, findings);
    if (!isKnown(query, scope)) reportUnknown(query, pointer, scope, findings);
  }
}

const USER =
  /(?:^|[^.\w])(serviceAccountName|serviceAccountNamespace|request\.userInfo|request\.roles|request\.clusterRoles)\b/;

function checkUser(query: string, pointer: string, findings: Findings): void {
  const found = USER.exec(query)?.[1];
  if (found !== undefined) reportUserInfo(pointer, found, findings);
}

function checkElement(query: string, pointer: string, scope: Scope, findings: Findings): void {
  if (scope.inForeach || !/^element(?:Index)?\d*(?:\W|$)/.test(query)) return;
  findings.error({
    code: "policy/unknown-variable",
    pointer,
    message: `\`${query}\` is only known within a foreach`,
    help: "move it into a `foreach` entry, or use `request.object`",
  });
}

/** Anywhere in the query, as upstream looks; a call of a function counts. */
const KNOWN =
  /request\.|serviceAccountName|serviceAccountNamespace|element|elementIndex|@|images|image\.|[a-z_0-9]\([^{}]/;

function isKnown(query: string, { names, hasTarget }: Scope): boolean {
  if (KNOWN.test(query) || (hasTarget && query.includes("target"))) return true;
  return isConstant(query) || names.some((name) => mentions(query, name));
}

function isConstant(query: string): boolean {
  return /^(?:'[^']*'|`[^`]*`)$/.test(query);
}

/** Entries may have dots in their names, quoted or not in the query. */
function mentions(query: string, name: string): boolean {
  const bare = query.replaceAll('"', "");
  return name !== "" && bare.includes(name);
}

function reportUnknown(query: string, pointer: string, { names }: Scope, findings: Findings): void {
  const root = /^[A-Za-z_][\w-]*/.exec(query)?.[0] ?? query;
  const declared =
    names.length === 0 ? "" : `; declared here: ${names.map((name) => `\`${name}\``).join(", ")}`;
  findings.error({
    code: "policy/unknown-variable",
    pointer,
    message: `\`${root}\` is neither declared in \`context\` nor known to Kyverno`,
    help: `declare it in \`context\`, or begin with \`request.\`${declared}`,
  });
}

function checkForbiddenPlaces(rule: Node, findings: Findings): void {
  for (const key of ["match", "exclude"]) {
    forbid(field(rule.value, key) ?? null, placeOf(rule, key), key, findings);
  }
  for (const image of childNodes(rule, "verifyImages")) {
    forbid(
      field(image.value, "imageReferences") ?? null,
      placeOf(image, "imageReferences"),
      "imageReferences",
      findings,
    );
  }
  const mutate = childNode(rule, "mutate");
  const patch = mutate === undefined ? undefined : textField(mutate.value, "patchesJson6902");
  if (mutate !== undefined && patch !== undefined) {
    for (const path of jsonPatchPaths(patch)) {
      if (variablesIn(path).length > 0)
        reportForbidden(placeOf(mutate, "patchesJson6902"), "the path of a patch", findings);
    }
  }
}

function forbid(value: Json, pointer: string, what: string, findings: Findings): void {
  if (typeof value === "string") {
    if (variablesIn(value).length > 0) reportForbidden(pointer, `\`${what}\``, findings);
  } else if (isArray(value)) {
    for (const [index, item] of value.entries()) forbid(item, appendPointer(pointer, index), what, findings);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value))
      forbid(item, appendPointer(pointer, key), what, findings);
  }
}

function reportForbidden(pointer: string, what: string, findings: Findings): void {
  findings.error({
    code: "policy/misplaced-variable",
    pointer,
    message: `variables are not allowed in ${what}`,
    help: "use `preconditions` to select by a value",
  });
}
