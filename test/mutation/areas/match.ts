/** Mistakes in which resources a rule, an exclusion or an exception concerns. */
import { mutantsIn, type Mutant } from "../mutant.ts";

export const matchMutants: readonly Mutant[] = mutantsIn("core/engine/match", ["match"], {
  match: [
    [
      "`any` read as `all`",
      "return matchAny(block.any.map(compileMatchFilter));",
      "return matchAll(block.any.map(compileMatchFilter));",
    ],
    [
      "`all` read as `any`",
      "return matchAll(block.all.map(compileMatchFilter));",
      "return matchAny(block.all.map(compileMatchFilter));",
    ],
    [
      "exclude not applied",
      "match.passes(resource, request, facts) && exclude.passes(resource, request, facts)",
      "match.passes(resource, request, facts)",
    ],
    ["a Policy reaches other namespaces", 'const home = policy.namespace ?? "";', 'const home = "";'],
    ["exclude `all` read as `any`", "return excludeAll(block.all);", "return excludeAny(block.all);"],
    ["exclude `any` read as `all`", "return excludeAny(block.any);", "return excludeAll(block.any);"],
    ["the direct block of an exclusion forgotten", "block.direct === undefined ? [] : [block.direct]", "[]"],
  ],
  filter: [
    [
      "operations ignored",
      "operations.length === 0 || operations.includes(request.operation)",
      "operations.length >= 0",
    ],
    [
      "an empty filter matches everything",
      "const NEVER = { matches: () => false",
      "const NEVER = { matches: () => true",
    ],
    [
      "nobody is asked for the roles of somebody",
      "(isAnonymous(request, facts) ? anonymous : known).matches(",
      "known.matches(",
    ],
    [
      "an empty exclusion excludes everything",
      "return isEmptyFilter(filter) ? undefined : compileConditions(",
      "return compileConditions(",
    ],
  ],
  "user-checks": [
    [
      "cluster roles do not make one known",
      "facts.roles.length > 0 || facts.clusterRoles.length > 0",
      "facts.roles.length > 0",
    ],
    ["subjects ignored", "if (subjects.length > 0) {", "if (subjects.length > 99) {"],
    ["all groups instead of one", "user.groups.some(test)", "user.groups.every(test)"],
    [
      "cluster roles looked for among roles",
      "intersects(clusterRoles, facts.clusterRoles)",
      "intersects(clusterRoles, facts.roles)",
    ],
    [
      "a service account of any namespace",
      'serviceAccountUserName(subject.namespace ?? "", subject.name)',
      'serviceAccountUserName("*", subject.name)',
      "check:match",
    ],
    ["only the first subject", "for (const test of tests)", "for (const test of tests.slice(0, 1))"],
  ],
  resource: [
    [
      "generateName forgotten",
      'metadataText(resource, "name") || metadataText(resource, "generateName")',
      'metadataText(resource, "name")',
    ],
    [
      "a Namespace is in no namespace",
      'kindOf(resource) === "Namespace" ? "name" : "namespace"',
      '"namespace"',
    ],
    [
      "nothing to match on DELETE",
      "return request.object ?? request.oldObject;",
      "return request.object;",
      "check:match",
    ],
  ],
  "resource-checks": [
    ["one annotation is enough", "pairs.every(([key, value])", "pairs.some(([key, value])"],
    ["values of annotations ignored", 'if (key(actual) && value(map[actual] ?? ""))', "if (key(actual))"],
    [
      "a namespace selector selects Namespaces",
      'if (kind === "Namespace")\n                return false;',
      'if (kind === "Namespace")\n                return true;',
    ],
    [
      "a selector asks annotations",
      "passes: (resource) => test.matches(labelsOf(resource)),",
      "passes: (resource) => test.matches(annotationsOf(resource)),",
    ],
    [
      "only the first of the names",
      "anyOf(tests, nameOf(resource))",
      "anyOf(tests.slice(0, 1), nameOf(resource))",
    ],
    [
      "namespaces of a filter negated",
      "passes: (resource) => anyOf(tests, matchedNamespaceOf(resource)),",
      "passes: (resource) => !anyOf(tests, matchedNamespaceOf(resource)),",
    ],
    ["the kind with no name is never selected", 'return (kind === "" && !allKinds) || test', "return test"],
    [
      "a filter with an annotation only is empty",
      "Object.keys(block.annotations ?? {}).length === 0 &&",
      "",
      "check:match",
    ],
  ],
  kinds: [
    ["versions of kinds ignored", "version(gvk.version)", "true"],
    ["groups of kinds ignored", "group(gvk.group)", "true"],
    ["subresources ignored", "(sub(subresource) ||", "(true ||"],
    ["only the first kind", "if (only !== undefined && tests.length === 1)", "if (only !== undefined)"],
    [
      "ephemeral containers for statements too",
      "(ephemeralContainers && isEphemeralContainers(gvk, subresource))",
      "isEphemeralContainers(gvk, subresource)",
    ],
  ],
  statement: [
    [
      "`any` of a statement read as `all`",
      "return anyStatement(block.any.map(compileFilter));",
      "return allStatement(block.any.map(compileFilter));",
    ],
    [
      "an empty statement matches",
      "const EMPTY_FILTER = { matches: () => false",
      "const EMPTY_FILTER = { matches: () => true",
    ],
  ],
  exception: [
    [
      "an exception for every policy",
      "policyName === policy && tests.some(",
      "tests.some(",
      "rules",
      "check:exceptions",
    ],
    [
      "an exception for every rule of the policy",
      "policyName === policy && tests.some((test) => test(rule))",
      "policyName === policy",
      "rules",
      "check:exceptions",
    ],
    [
      "an exception that selects nothing covers everything",
      "return selects && resource !== null && statement.matches(resource, request, facts);",
      "return resource !== null && (!selects || statement.matches(resource, request, facts));",
      "check:exceptions",
    ],
  ],
});

export const kindMutants: readonly Mutant[] = mutantsIn("core/k8s", ["kinds"], {
  "kind-selector": [
    ["alpha versions are groups", "(?:alpha|beta)", "(?:beta)", "check:match"],
    [
      "a star and any word is a subresource",
      'if (first === "*" && second === second.toLowerCase()) {',
      'if (first === "*") {',
    ],
    [
      "a subresource after a version is lost",
      'return { group: "*", version: first, kind: second, subresource: third };',
      'return { group: "*", version: first, kind: second, subresource: "" };',
    ],
  ],
});
