/** Mistakes in the rules that come from rules for pods, and in what a policy means by itself. */
import { mutantsIn, type Mutant } from "../mutant.ts";

export const autogenMutants: readonly Mutant[] = mutantsIn("core/policy", ["autogen"], {
  autogen: [
    [
      "no rule for CronJobs",
      "[templateTarget(controllers), cronJobTarget(controllers)]",
      "[templateTarget(controllers)]",
    ],
    [
      "an exclusion of other kinds does not matter",
      "if (excluded.length > 0 && !containsPod(excluded))",
      "if (excluded.length > 99)",
    ],
    [
      "rules come from generated rules",
      "if (hasGeneratedName(rule) || !isForPods(rule))",
      "if (!isForPods(rule))",
    ],
    [
      "rules come from rules for other kinds",
      "if (hasGeneratedName(rule) || !isForPods(rule))",
      "if (hasGeneratedName(rule))",
    ],
  ],
  "autogen-rule": [
    ["names of 64 characters", "const MAX_NAME = 63;", "const MAX_NAME = 64;"],
    [
      "CronJobs as templates",
      'path: ["spec", "jobTemplate", "spec", "template"]',
      'path: ["spec", "template"]',
    ],
    ["preconditions lost", '"preconditions",', ""],
    ["the exclusion keeps its kinds", "replaceKinds(exclude, target, false)", "exclude"],
    ["`none` makes rules", 'if (joined === "" || joined === "none")', 'if (joined === "")', "check:autogen"],
    ["ReplicaSets forgotten", '"ReplicaSet",', ""],
    [
      "every filter gets the kinds",
      "if (!target.overwritesKinds && !containsPod(",
      "if (!target.overwritesKinds && !Array.isArray(",
    ],
  ],
  "autogen-controllers": [
    [
      "one rule that carries over is enough",
      "if (!rules.every(canCarryOver))",
      "if (!rules.some(canCarryOver))",
    ],
    [
      "rules by name carry over",
      '(textsField(block, "names") ?? []).length > 0',
      '(textsField(block, "names") ?? []).length > 99',
    ],
    ["rules by selector carry over", 'field(block, "selector") !== undefined || ', ""],
    ["pods beside other kinds carry over", "return kinds.length < 2 || !containsPod(kinds);", "return true;"],
    [
      "the annotation is ignored",
      'annotation === undefined ? defaultControllers : annotation.split(",")',
      "defaultControllers",
    ],
  ],
  "autogen-references": [
    [
      "references into anyPattern are shifted before the index",
      'pivot === "anyPattern" ? endOfStep(word, after + 1, end) : after',
      "after",
      "check:autogen",
    ],
    ["escaped references are shifted", ' || word.charAt(start - 1) === "\\\\"', "", "check:autogen"],
  ],
  "autogen-paths": [
    ["paths of the old object stay", '["object", "oldObject"]', '["object"]'],
    [
      "paths to metadata stay",
      "`${prefix}${object}.metadata`, `${prefix}${object}.${below}.metadata`",
      "`${prefix}${object}.metadata`, `${prefix}${object}.metadata`",
    ],
    ["paths in lists stay", "return value.map((item) => rewriteValue(item, rewrite));", "return value;"],
  ],
  "autogen-body": [
    [
      "only the first of anyPattern",
      "return patterns.map((pattern) => wrap(pattern, path));",
      "return patterns.slice(0, 1).map((pattern) => wrap(pattern, path));",
    ],
    ["deny conditions lost", '{ key: "deny", pivot: "deny", carry: asItIs },', ""],
    ["overrides of the action lost", '"failureActionOverrides", ', "", "check:autogen"],
  ],
});

export const policyMutants: readonly Mutant[] = mutantsIn("core/policy", ["check:policies"], {
  "decode-policy": [
    ["silent policies enforce", '?? "Audit",', '?? "Enforce",'],
    ["silent policies ignore faults", '? "Ignore"\n            : "Fail"', '? "Fail"\n            : "Ignore"'],
    [
      "the webhook's failure policy is forgotten",
      'textField(webhook, "failurePolicy") ?? textField(spec, "failurePolicy")',
      'textField(spec, "failurePolicy")',
    ],
    [
      "a Policy without a namespace is in none",
      'metadata.namespace ?? "default"',
      'metadata.namespace ?? ""',
    ],
    ["applyRules is One by default", '=== "One" ? "One" : "All"', '=== "All" ? "All" : "One"'],
  ],
  "decode-validate": [
    [
      "existing violations refused by default",
      'flagField(spec, "allowExistingViolations", true)',
      'flagField(spec, "allowExistingViolations", false)',
    ],
    [
      "overrides of a rule lost",
      'failureActionOverrides: decodeOverrides(spec, "failureActionOverrides")',
      "failureActionOverrides: []",
    ],
  ],
  "decode-context": [["a POST is a GET", '=== "POST" ? "POST" : "GET"', '=== "PUT" ? "POST" : "GET"']],
});
