/** Mistakes in what a rule answers, in which rules are asked, and in the failure action of their answers. */
import { mutantsIn, type Mutant } from "../mutant.ts";

const judges = ["rules", "kyverno-test-core"];

export const ruleMutants: readonly Mutant[] = mutantsIn("core/engine/rules", judges, {
  "compile-rule": [
    ["preconditions ignored", "if (rule.preconditions !== undefined)", "if (rule.preconditions === null)"],
    [
      "an error of preconditions skips the rule",
      'return errored("failed to evaluate preconditions", answer.message);',
      "return UNMET;",
    ],
    [
      "the conditions of an exception ignored",
      "if (!isEvaluationError(answer) && answer.result)",
      "if (!isEvaluationError(answer))",
      "rules",
      "check:exceptions",
    ],
    [
      "an error in the conditions of an exception exempts",
      "if (!isEvaluationError(answer) && answer.result)",
      "if (isEvaluationError(answer) || answer.result)",
      "check:exceptions",
    ],
    [
      "the match of an exception ignored",
      "if (!program.matches(context.run.request, context.run.facts))",
      "if (program === undefined)",
      "rules",
      "check:exceptions",
    ],
    [
      "the message of a precondition is lost",
      'return answer.message === "" ? UNMET : skipped(',
      "return answer.message !== undefined ? UNMET : skipped(",
    ],
  ],
  "deny-check": [
    [
      "an error of conditions passes",
      'return errored("failed to check deny conditions", answer.message);',
      "return pass;",
    ],
    ["deny conditions negated", "if (!answer.result)", "if (answer.result)"],
  ],
  "existing-violations": [
    [
      "allowExistingViolations ignored",
      "!rule.body.validate.allowExistingViolations",
      "rule.body.validate.allowExistingViolations !== undefined",
      "check:existing",
    ],
    [
      "existing violations always allowed",
      " || !rule.body.validate.allowExistingViolations",
      "",
      "check:existing",
    ],
    ["existing violations allowed in Audit too", ' || action !== "Enforce"', "", "check:existing"],
    [
      "a rule that was not for the old object is asked about it",
      "old === undefined || !match.matches(old.request, old.facts)",
      "old === undefined",
      "check:existing",
    ],
    [
      "an old object that cannot be judged is a violation",
      'if (before === "error")',
      'if (before === "warn")',
      "check:existing",
    ],
    [
      "the old object is judged as an update",
      'operation: "CREATE",',
      "operation: run.request.operation,",
      "check:existing",
    ],
  ],
  "foreach-check": [
    ["null elements are not skipped", "element === undefined || element === null", "element === undefined"],
    ["the last element is not looked at", "index < elements.length;", "index < elements.length - 1;"],
    [
      "only the last list counts",
      "checked += progress.checked;",
      "checked = progress.checked;",
      "check:foreach",
    ],
    [
      "a skipped element ends the list",
      "if (outcome === undefined)\n            continue;",
      "if (outcome === undefined)\n            break;",
    ],
    ["a failing element passes", 'if (outcome.status !== "pass")', 'if (outcome.status === "error")'],
    ["a foreach without elements passes", "if (checked > 0)", "if (checked >= 0)"],
    [
      "an error of a precondition skips nothing",
      'entry.precondition(context) !== "met"',
      'entry.precondition(context) === "unmet"',
    ],
    [
      "later elements wait for the first one's lookup",
      "pending = outcome;",
      "throw outcome;",
      "check:lookups",
    ],
    [
      "a failing list is an empty one",
      'errored("failed to evaluate list", listError)',
      "undefined",
      "rules",
      "check:foreach",
    ],
    ["an unknown key is an error", 'if (!list.message.includes("Unknown key"))', 'if (list.message !== "")'],
    ["elementScope ignored", "entry.elementScope ?? isMap", "isMap", "rules", "check:foreach"],
    ["an element stays after its turn", "context.leave(mark);", "", "rules", "check:foreach"],
    [
      "what is no list has no elements",
      "isArray(list) ? list : [list]",
      "isArray(list) ? list : []",
      "rules",
      "check:foreach",
    ],
    [
      "inner elements take the place of outer ones",
      "inner, nesting + 1)",
      "inner, nesting)",
      "rules",
      "check:foreach",
    ],
  ],
  "pattern-check": [
    ["a skipped pattern passes", "return skipped(outcome.message);", "return pass;"],
    [
      "one skipped pattern skips anyPattern",
      "if (failures.length > 0)",
      "if (failures.length > 0 && skips.length === 0)",
    ],
    [
      "the path of anyPattern is the last one",
      "path ??= outcome.path;",
      "path = outcome.path;",
      "rules",
      "check:patterns",
    ],
    ["anyPattern names the wrong pattern", "anyPattern[${index}] passed", "anyPattern[${index + 1}] passed"],
    [
      "an error of a pattern is a violation",
      "return errored(patternFailure(",
      "return failed(patternFailure(",
    ],
  ],
  message: [["a message keeps no period", 'return text.endsWith(".") ? text : `${text}.`;', "return text;"]],
});

export const evaluationMutants: readonly Mutant[] = mutantsIn("core/engine", judges, {
  evaluate: [
    [
      "every variant of a rule is asked",
      'if (rule.variant !== "authored" && rule.variant !== variant)',
      "if (rule.variant === undefined)",
      "check:selection",
    ],
    ["CronJobs are asked as templates", '["CronJob", "cronjob"]', '["CronJob", "template"]'],
    ["Jobs have no template", '["Job", "template"],', "", "check:selection"],
    [
      "the match of a rule ignored",
      "if (!rule.match.matches(run.request, run.facts))",
      "if (rule.match === undefined)",
    ],
    [
      "applyRules One ignored",
      "if (program.stopsAfterFirst &&",
      "if (program.stopsAfterFirst === null &&",
      "check:selection",
    ],
    [
      "applyRules One stops after a skip",
      '(result.status === "pass" || result.status === "fail")',
      '(result.status !== "error")',
      "check:selection",
    ],
    [
      "a verdict with lookups missing",
      "if (lookups !== undefined)",
      "if (lookups === null)",
      "check:lookups",
    ],
    [
      "a budget that is spent stops nothing else",
      "return rule.overBudget(run);",
      "return undefined;",
      "check:selection",
    ],
  ],
  "compile-policy": [
    [
      "a Policy is known by its name alone",
      "`${policy.namespace}/${policy.name}`",
      "policy.name",
      "kyverno-test-core",
      "check:exceptions",
    ],
    ["scored is what is not said", '!== "false"', '=== "true"', "check:selection"],
  ],
  "failure-action": [
    [
      "the first override instead of the one that applies",
      "if (override.applies(namespace, labels))",
      "if (override !== undefined)",
      "check:actions",
    ],
    [
      "the last override that applies",
      "for (const override of overrides)",
      "for (const override of overrides.toReversed())",
      "check:actions",
    ],
    [
      "the policy's overrides before the rule's word",
      "own === undefined ? policy.failureActionOverrides.flatMap(compileOverride) : []",
      "policy.failureActionOverrides.flatMap(compileOverride)",
      "check:actions",
    ],
    ["the rule's overrides ignored", "...ruleOverrides.flatMap(compileOverride),", "", "check:actions"],
    [
      "the rule's word ignored",
      "const otherwise = own ?? policy.failureAction;",
      "const otherwise = policy.failureAction;",
      "check:actions",
    ],
    [
      "an override by namespaces or by labels",
      "anyOf(namespaces, namespace)) &&",
      "anyOf(namespaces, namespace)) ||",
      "check:actions",
    ],
    [
      "the namespace of the request instead of the object's",
      "resource === null ? request.namespace : namespaceOf(resource)",
      "request.namespace",
      "check:actions",
    ],
    ["small letters enforce nothing", ' || word === "enforce" ?', " ?", "check:actions"],
  ],
  "program-index": [
    [
      "a Namespace is looked for in a namespace",
      'bucket.narrowsNamespaces && kindOf(resource) !== "Namespace"',
      "bucket.narrowsNamespaces",
      "check:index",
    ],
    [
      "candidates in the order of their kinds",
      "entries.toSorted((a, b) => a.position - b.position)",
      "entries",
      "check:index",
    ],
    ["subresources share their candidates", "bucket.subresource === subresource && ", "", "check:index"],
    ["versions share their candidates", " && bucket.gvk.version === gvk.version", "", "check:index"],
    [
      "operations share their candidates",
      "bucket.answers.get(operation)",
      'bucket.answers.get("CREATE")',
      "check:index",
    ],
    [
      "a program for any kind is forgotten",
      "...(named.get(gvk.kind) ?? []), ...unnamed",
      "...(named.get(gvk.kind) ?? [])",
      "check:index",
    ],
  ],
  "match/footprint": [
    [
      "one part that fits none is the end",
      "every ? parts.every(test) : parts.some(test)",
      "parts.every(test)",
      "check:index",
    ],
    [
      "kinds with wildcards are names",
      "names.length === 0 || names.some(hasWildcard) ?",
      "names.length === 0 ?",
      "check:index",
    ],
    [
      "a part without namespaces fits none",
      "namespace === undefined || part.namespaces.length === 0 ||",
      "namespace === undefined ||",
      "check:index",
    ],
    [
      "kinds of the first part only",
      "names.push(...part.kindNames);",
      "if (names.length === 0)\n            names.push(...part.kindNames);",
      "check:index",
    ],
  ],
});
